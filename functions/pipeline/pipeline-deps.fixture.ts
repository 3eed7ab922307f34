import { noSessions } from '../control/sessions/no-sessions.fixture.ts';
import { createInspector, FindingCache } from '../inspection/index.ts';
import { BackgroundTasks, type Clock } from '../kernel/tasks/index.ts';
import { CircuitBreaker, ModelRouter } from '../translation/index.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import { RefusalNotices } from './request-events.ts';

/** Dependencies that store, find and call nothing, except for `fields`. */
export function pipelineDeps(
  clock: Clock,
  fields: Pick<PipelineDeps, 'limiter'> & Partial<Omit<PipelineDeps, 'clock'>>,
): PipelineDeps {
  const { inspector = createInspector([]), providers = new Map(), random = Math.random } = fields;
  return {
    callTotals: { reserve: async () => ({ fits: true, settle: async () => {} }) },
    alarm: { admittedWithoutLimits: () => {}, implausibleUsage: () => {}, unsettled: () => {} },
    refusals: new RefusalNotices(),
    backgroundTasks: new BackgroundTasks(),
    inspector,
    knownTexts: new FindingCache(inspector),
    providers,
    router: new ModelRouter({ routes: async () => [], providers, random, clock }),
    breaker: new CircuitBreaker(clock),
    random,
    sleep: async () => {},
    log: { record: () => {}, lost: () => {} },
    records: { write: async () => {} },
    captures: { write: async () => {} },
    sessions: noSessions,
    digestKeys: { hashes: async (text) => [`key of ${text}`] },
    issuedIds: { find: async () => new Map(), keep: async () => {}, update: async () => {}, read: async () => false },
    foreignIds: [],
    approvals: {
      request: async () => ({ state: 'unavailable' }),
      redeem: async () => [],
      deny: async () => {},
      denials: async () => undefined,
    },
    storedItems: { keep: async () => {}, find: async () => new Map(), remove: async () => {} },
    responseCache: {
      nameOf: async (scope) => ({ scope, name: '' }),
      find: async () => undefined,
      keep: async () => {},
    },
    targetIdentity: async () => '',
    toolPins: { check: async () => ({ changed: [], unpinned: [] }) },
    maxBodyBytes: 6 * 1024 * 1024,
    clock,
    scheduler: { cpuMs: () => 0, monotonic: () => 0, nextTurn: async () => {} },
    inspectionCpuMs: 2000,
    ...fields,
  };
}
