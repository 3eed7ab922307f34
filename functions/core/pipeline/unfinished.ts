import { GatewayError } from '../base/errors.ts';
import type { Policy } from '../inspect/policy.ts';
import type { Exchange } from './exchange.ts';

/** So many places are named in `coverage`; of more, how many there are. */
const MAX_NAMED = 20;

/**
 * Records that texts were not inspected to their end because the CPU budget was used up: in `coverage`, in the record and as a flag.
 * @returns whether the policy blocks then
 */
export function withholdsUnfinished(
  exchange: Exchange,
  places: readonly string[],
  policy: Policy,
  limitMs: number,
): boolean {
  if (places.length === 0) return false;
  const reason = `not inspected in full within ${limitMs} ms of CPU time`;
  for (const place of places.slice(0, MAX_NAMED)) exchange.skipped(`${place}: ${reason}`);
  if (places.length > MAX_NAMED) exchange.skipped(`${places.length - MAX_NAMED} more texts: ${reason}`);
  exchange.detectorFailures.push(`inspection: ${reason}`);
  if (policy.onUnfinishedInspection === 'pass') {
    exchange.report.flag();
    return false;
  }
  exchange.report.block();
  return true;
}

/** Records that the inspection of an answer used up its CPU budget. @returns whether the policy ends the answer there */
export function withholdsCostlyAnswer(exchange: Exchange, policy: Policy, limitMs: number): boolean {
  const ends = policy.onUnfinishedInspection === 'block';
  const reason = `inspection took more than ${limitMs} ms of CPU time`;
  exchange.skipped(`output: ${reason}`);
  exchange.detectorFailures.push(`output: ${reason}`);
  if (ends) exchange.report.block();
  else exchange.report.flag();
  return ends;
}

/** The error of a request that was blocked because its inspection did not end in time. */
export function tooCostly(exchange: Exchange, limitMs: number): GatewayError {
  const message = `Inspecting the request takes more than ${limitMs} ms of CPU time, the most that one request may take, and the security policy of this API key blocks what was not inspected in full. Send less text.`;
  return new GatewayError('content_filter', message, {
    headers: { 'x-should-retry': 'false' },
    svc: exchange.securityInfo(),
  });
}
