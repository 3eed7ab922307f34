import { noSessions } from '../control/sessions/no-sessions.fixture.ts';
import type { RequestRef } from '../kernel/http/index.ts';
import { createKeySchema, type GatewayEvent, type RequestRecord } from '../kernel/model/index.ts';
import { BackgroundTasks } from '../kernel/tasks/index.ts';
import { ModelCatalog } from '../translation/index.ts';
import { storeRecord } from './finish-request.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { Tracking } from './request-context.ts';
import { RefusalNotices } from './request-events.ts';
import type { RequestSummary } from './request-log.ts';
import { runningRequest } from './running-request.fixture.ts';

const NOW = Date.parse('2026-11-21T09:30:00.000Z');
const key = {
  ...createKeySchema.parse({ name: 'test', environment: 'Staging' }),
  id: 'key_1',
  state: 'active' as const,
  last4: 'aaaa',
  createdAt: '2026-11-21T09:00:00.000Z',
  secretHash: '',
};
const MODELS = new ModelCatalog({ 'openai/gpt-4o': { input: 100, output: 100 } });
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A request with its own clock, and its stored data. */
export function world(tracking: Partial<Tracking> = {}, keyId = key.id) {
  const time = { ms: 5_000 };
  const clock = { now: () => NOW + time.ms, monotonic: () => time.ms };
  const records: RequestRecord[] = [];
  const lines: RequestSummary[] = [];
  const lost: string[][] = [];
  const events: GatewayEvent[] = [];
  const backgroundTasks = new BackgroundTasks();
  const deps = {
    clock,
    backgroundTasks,
    records: {
      write: async (record: RequestRecord, event?: GatewayEvent) => {
        await turn();
        time.ms += 1_000;
        records.push(record);
        if (event !== undefined) events.push(event);
      },
    },
    log: {
      record: (line: RequestSummary) => lines.push(line),
      lost: ({ requestId }: RequestRef, what: string, error: Error) => lost.push([requestId, what, error.message]),
    },
    refusals: new RefusalNotices(),
    sessions: noSessions,
  } as unknown as PipelineDeps;
  const request = runningRequest({
    route: '/v1/chat/completions',
    key: { ...key, id: keyId },
    clock,
    models: MODELS,
    startedAt: 4_990,
    tracking: { sessionId: null, endUserId: null, environment: null, appVersion: null, tags: {}, ...tracking },
  });
  const close = async () => {
    storeRecord(request, deps);
    await backgroundTasks.idle();
    return records[0] as RequestRecord;
  };
  return {
    request,
    context: request.context,
    outcome: request.outcome,
    deps,
    time,
    records,
    lines,
    lost,
    events,
    close,
  };
}

const OF_ALL = { id: 'a/b', category: 'c', severity: 'high', message: 'm', owasp: 'o', atlas: null };
export const ruleOf = (type: string) => ({ ...OF_ALL, type });
