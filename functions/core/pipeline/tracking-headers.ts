import { GatewayError } from '../base/errors.ts';
import type { RequestHeaders } from '../base/request-headers.ts';
import type { Tracking } from './exchange.ts';

/** At most 256 visible ASCII characters; spaces may stand between them. */
const VISIBLE = /^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/;

/** The tags that a caller puts on a request. @throws GatewayError `invalid_value` that names the header */
export function readTracking(headers: RequestHeaders): Tracking {
  return {
    sessionId: readNameHeader(headers, 'X-Session-ID'),
    endUserId: readNameHeader(headers, 'X-End-User-ID') ?? readNameHeader(headers, 'X-User-ID'),
    environment: readNameHeader(headers, 'X-Environment'),
    appVersion: readNameHeader(headers, 'X-App-Version'),
  };
}

/** What a caller names something by; null where it is absent or empty. @throws GatewayError `invalid_value` that names the header */
export function readNameHeader(headers: RequestHeaders, name: string): string | null {
  const value = headers.get(name);
  return value === null || value === '' ? null : checkName(`The header ${name}`, value, name);
}

/** A name that a caller chose, where it may be one. @throws GatewayError `invalid_value` */
export function checkName(what: string, value: string, param = what): string {
  if (VISIBLE.test(value)) return value;
  throw new GatewayError('invalid_value', `${what} must be at most 256 visible ASCII characters.`, { param });
}
