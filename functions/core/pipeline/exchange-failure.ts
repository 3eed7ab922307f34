import { GatewayError, toGatewayError } from '../base/errors.ts';
import { closeExchange } from './close-exchange.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';

/** Ends an exchange that failed before its pipeline began, such as by a body that cannot be read: it is recorded too. */
export function failExchange(exchange: Exchange, error: unknown, deps: PipelineDeps): GatewayError {
  const failure = noteFailure(exchange, error);
  closeExchange(exchange, deps);
  return failure;
}

/** Notes how the exchange failed, and gives the error with the stated face; ended from outside, it failed by that alone. */
export function noteFailure(exchange: Exchange, error: unknown): GatewayError {
  const stopped = stopFailure(exchange);
  const failure = stopped ?? toGatewayError(error);
  if (stopped === undefined && isProviders(failure)) exchange.calls.brokenOff(failure);
  exchange.errorCode = failure.code;
  // A caller who left is told nothing.
  if (exchange.stopped !== 'cancelled') exchange.answered(failure.status);
  if (failure.internal !== undefined) exchange.noteInside(failure.internal);
  if (failure.code === 'content_filter') exchange.outcome = 'blocked';
  else exchange.outcome = failure.status < 500 && exchange.stopped === undefined ? 'refused' : 'failed';
  return failure;
}

function isProviders({ code }: GatewayError): boolean {
  return code === 'provider_error' || code === 'provider_timeout';
}

/** What an exchange that was ended from outside tells whoever still reads it; undefined where it was not. */
export function stopFailure({ stopped }: Exchange): GatewayError | undefined {
  if (stopped === undefined) return undefined;
  if (stopped === 'cancelled') return new GatewayError('request_cancelled', 'The request was cancelled.');
  return new GatewayError('provider_timeout', 'The answer took longer than the gateway allows, and was ended.', {
    headers: { 'x-should-retry': 'false' },
  });
}
