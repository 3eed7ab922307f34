import { readJsonBody, readOptionalJsonBody } from '../core/http/request-body.ts';
import type { IncomingRequest } from '../core/http/router.ts';
import { Places } from '../core/protocols/places.ts';

/** Nothing in a body here is free JSON. */
const PLACES = new Places({});

/** The parsed body of a change. @throws GatewayError for one that is no JSON, and for members named like those of every object */
export async function readAdminBody(request: IncomingRequest): Promise<unknown> {
  return checked(await readJsonBody(request));
}

/** The same; `{}` for a request without a body. */
export async function readOptionalAdminBody(request: IncomingRequest): Promise<unknown> {
  return checked(await readOptionalJsonBody(request));
}

function checked({ value }: { readonly value: unknown }): unknown {
  // The schemas would drop them without a word.
  PLACES.refuseReserved(value);
  return value;
}
