import { TEST_KEY } from '../kernel/model/api-key.fixture.ts';
import { ModelCatalog, type ResponseFormat } from '../translation/index.ts';
import { createRequestContext } from './request-context.ts';
import { type RunningRequest, securityInfo, startRequest } from './request-outcome.ts';
import { type InspectionPace, ResponseWriter } from './response-writer.ts';

const clock = { now: () => 0, monotonic: () => 0 };
const MODELS = new ModelCatalog();

/** A request that has just arrived, except for `fields`. */
export function runningRequest(fields: Partial<Parameters<typeof createRequestContext>[0]> = {}): RunningRequest {
  const all = { requestId: 'req_1', route: '/', key: TEST_KEY, clock, startedAt: 0, models: MODELS, ...fields };
  return startRequest(createRequestContext(all), all.clock, all.startedAt);
}

/** The writer of its response. */
export function writerOf(
  { context, outcome }: RunningRequest,
  format: ResponseFormat,
  pace?: InspectionPace,
): ResponseWriter {
  const { conversation, target, recording } = outcome;
  const svc = () => securityInfo(context, outcome);
  const writing = {
    format,
    provider: `${target?.provider}`,
    svc,
    transcript: recording.transcript,
    conversation,
    calls: undefined,
  };
  return new ResponseWriter(writing, outcome, pace);
}
