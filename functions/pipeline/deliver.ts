import type { CallInspector, OutputChecks } from '../inspection/index.ts';
import { type ProviderRequest, toRefusal } from './ask-provider.ts';
import type { TextResponse } from './call-provider.ts';
import type { InspectionDeps } from './pipeline-deps.ts';
import type { Responding } from './request-outcome.ts';
import type { ResponseWriter } from './response-writer.ts';

/** A provider's response, its inspections and its writer. */
export interface Delivery {
  readonly call: ProviderRequest;
  readonly response: TextResponse;
  readonly checks: OutputChecks;
  readonly writer: ResponseWriter;
}

/** Yields a provider's response as it may be sent. */
export async function* deliver(
  responding: Responding,
  { call, response, checks, writer }: Delivery,
  deps: InspectionDeps,
): AsyncGenerator<string[], void> {
  try {
    if (response.kind === 'native' || response.kind === 'translated') yield [await writer.whole(response, checks)];
    else yield* writer.stream(response, checks);
  } catch (thrown) {
    throw toRefusal(thrown, responding, call, deps);
  } finally {
    checks.guard.catchUp();
  }
}

/** How a response ended that was delivered to its end. */
export function endingOf(
  { guard, outside }: OutputChecks,
  calls: ReturnType<CallInspector['gate']> | undefined,
): 'completed' | 'blocked' {
  return guard.isCut || outside?.withheld || calls?.isBlocked ? 'blocked' : 'completed';
}
