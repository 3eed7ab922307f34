import type { GatewayError } from '../errors.ts';
import { closeExchange } from './close-exchange.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';
import { toGatewayError } from './to-gateway-error.ts';

/** Ends an exchange that failed before its pipeline began, such as by a body that cannot be read: it is recorded too. */
export function failExchange(exchange: Exchange, error: unknown, deps: PipelineDeps): GatewayError {
  const failure = noteFailure(exchange, error);
  closeExchange(exchange, deps);
  return failure;
}

/** Notes how the exchange failed, and gives the error with the stated face. */
export function noteFailure(exchange: Exchange, error: unknown): GatewayError {
  const failure = toGatewayError(error);
  exchange.errorCode = failure.code;
  // A caller who left is told nothing.
  if (exchange.stopped !== 'cancelled') exchange.answered(failure.status);
  if (failure.internal !== undefined) exchange.noteInside(failure.internal);
  if (failure.code === 'content_filter') exchange.outcome = 'blocked';
  else exchange.outcome = failure.status < 500 ? 'refused' : 'failed';
  return failure;
}
