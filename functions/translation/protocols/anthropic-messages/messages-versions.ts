import type { RequestHeaders } from '../../../kernel/http/index.ts';
import { checkHeader, type HeaderForm, withHeaders } from '../bodies/protocol-headers.ts';
import type { Protocol } from '../protocol.ts';

/** Such as `context-1m-2025-08-07`. */
const VERSION = /^[A-Za-z0-9.-]{1,64}$/;
const MUST = 'contain only version names: letters, digits, dots and dashes';
const BETAS: HeaderForm = { value: VERSION, isList: true, must: MUST };
/** Request headers that select API versions. */
const HEADERS: Readonly<Record<string, HeaderForm>> = {
  'anthropic-version': { value: VERSION, must: MUST },
  'anthropic-beta': BETAS,
};

/** The protocol in the versions that the headers select. */
export function inVersions<Body>(protocol: Protocol<Body>, headers: RequestHeaders): Protocol<Body> {
  return withHeaders(protocol, headers, HEADERS);
}

/** @throws GatewayError `invalid_value` if this cannot be the value of `anthropic-beta` */
export function checkBetas(value: string): void {
  checkHeader('anthropic-beta', value, BETAS);
}
