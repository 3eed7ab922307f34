import type { StoredBatch } from '../control/batches/index.ts';
import type { Need } from '../control/limits/index.ts';
import { type ItemStore, type NewItems, StoredItems } from '../control/stored-items/index.ts';
import { createInspector } from '../inspection/index.ts';
import { ResponseSealer } from '../kernel/crypto/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import { readJsonDocument } from '../kernel/json/index.ts';
import { TEST_KEY } from '../kernel/model/api-key.fixture.ts';
import type { ApiKey, RequestRecord } from '../kernel/model/index.ts';
import { neverPausing } from '../kernel/tasks/index.ts';
import {
  type ChatProvider,
  errorShapeOf,
  loadApi,
  ModelCatalog,
  type Protocol,
  type ProviderBatch,
  type ProviderBatches,
} from '../translation/index.ts';
import { pipelineDeps } from './pipeline-deps.fixture.ts';
import { createBatch } from './run-batch-creation.ts';
import { batchResults } from './run-batch-results.ts';
import { runningRequest } from './running-request.fixture.ts';
import type { BatchDeps } from './stored-batch.ts';

const MODEL = 'claude-sonnet-4-5';
const RULES = [
  { id: 'flower', literals: ['heliotrope'], action: 'redact' as const },
  { id: 'poison', literals: ['oleander'], action: 'block' as const },
];
const KEY: ApiKey = { ...TEST_KEY, policy: { rules: RULES }, budget: { usd: 1, period: 'month' } };
const SECRET = 'the secret of the key';
const START = Date.parse('2026-06-01T00:00:00Z');

/** Ends everything that a killed process would have done. */
class Killed extends Error {}

/** A key whose provider repeats each line and ends a batch at once; stores, the provider and the clock outlive a killed process. */
export function batchWorld() {
  const clock = { time: START, now: () => clock.time, monotonic: () => 0 };
  const entries = new Map<string, NewItems>();
  const rows = new Map<string, StoredBatch>();
  const records = new Map<string, RequestRecord>();
  const atProvider = new Map<string, { customId: string; body: string }[]>();
  const written: string[] = [];
  const settled: Need[] = [];
  let left = Number.POSITIVE_INFINITY;
  /** A write or call; the process may be killed before it. */
  const effect = () => {
    left -= 1;
    if (left < 0) throw new Killed('killed');
  };
  const store: ItemStore = {
    write: async (entry) => {
      effect();
      entries.set(entry.name, entry);
    },
    remove: async (names) => {
      effect();
      for (const name of names) entries.delete(name);
    },
    async *read(names) {
      for (const name of names) {
        const entry = entries.get(name);
        if (entry !== undefined) yield entry;
      }
    },
  };
  const counts = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  const ended = (id: string): ProviderBatch => ({
    ...{ id, status: 'ended', counts, createdAt: '', expiresAt: '', endedAt: '', cancelledAt: null },
  });
  const failure: { create?: GatewayError } = {};
  const batches: ProviderBatches = {
    create: async (lines) => {
      effect();
      if (failure.create !== undefined) throw failure.create;
      const id = `msgbatch_${atProvider.size}`;
      atProvider.set(id, [...lines]);
      return ended(id);
    },
    get: async (id) => ended(id),
    cancel: async (id) => {
      atProvider.delete(id);
      return ended(id);
    },
    delete: async (id) => void atProvider.delete(id),
    async *results(id) {
      for (const { customId, body } of (atProvider.get(id) ?? []).toReversed()) {
        yield { customId, result: { type: 'succeeded', body: answerTo(body) } };
      }
    },
  };
  const provider: ChatProvider = {
    name: 'anthropic',
    protocol: 'anthropic',
    serves: new Set(['anthropic-messages'] as const),
    isNative: () => true,
    batchBody: ({ source }) => source.text,
    batches,
    complete: async () => {
      throw new Error('a line is no call');
    },
  };
  const states = { requests: { admitted: true, remaining: 1, fullInMs: 1, nextInMs: 1 }, tokens: undefined };
  const depsOf = (): BatchDeps => ({
    ...pipelineDeps(clock, {
      inspector: createInspector([]),
      limiter: {
        admit: async () => ({
          admitted: true,
          states,
          reservation: { settle: async (used) => void settled.push(used) },
        }),
        peek: async () => states,
      },
      providers: new Map([['anthropic', provider]]),
      records: {
        write: async (record) => {
          effect();
          written.push(record.id);
          records.set(record.id, record);
        },
      },
      storedItems: new StoredItems(store, clock, neverPausing()),
    }),
    batches: {
      create: async (batch) => {
        effect();
        rows.set(batch.id, batch);
      },
      taken: async ({ id, providerBatchId }) => {
        effect();
        const row = rows.get(id);
        if (row !== undefined) rows.set(id, { ...row, providerBatchId });
      },
      find: async (_, id) => rows.get(id),
      list: async () => ({ batches: [...rows.values()], hasMore: false }),
      delete: async ({ id }) => void rows.delete(id),
    },
  });
  const models = new ModelCatalog({ [`anthropic/${MODEL}`]: { input: 2, output: 10 } });
  let requests = 0;
  const asking = async (secret = SECRET) => {
    requests += 1;
    const requestId = `req_${clock.time.toString(16).padStart(12, '0')}${String(requests).padStart(20, '0')}`;
    const { context, ...running } = runningRequest({
      key: KEY,
      models,
      clock,
      requestId,
      errorShape: errorShapeOf('anthropic'),
    });
    const sealerFor = (name: string, salt?: Uint8Array) => new ResponseSealer(secret, name, salt);
    const api = (await loadApi('anthropic-messages')) as unknown as (asked: object) => Protocol<unknown>;
    const asked = { request: { headers: new Headers(), url: 'http://gateway/' } };
    return { running: { ...running, context: { ...context, sealerFor } }, protocol: api(asked) };
  };
  return {
    ...{ clock, entries, rows, records, atProvider, written, settled, failure },
    /** The process is killed before its n-th effect. */
    killAfter: (effects: number) => {
      left = effects;
    },
    restart: () => {
      left = Number.POSITIVE_INFINITY;
    },
    create: async (lines: readonly object[]) => {
      const { running, protocol } = await asking();
      const deps = depsOf();
      const document = readJsonDocument(JSON.stringify({ requests: lines }));
      const state = await createBatch(running, document, protocol, deps);
      await deps.backgroundTasks.idle();
      return state;
    },
    /** Reads results into `into`, by their names. */
    read: async (batch: StoredBatch, into: Map<string, unknown>[], secret?: string) => {
      const { running, protocol } = await asking(secret);
      const deps = depsOf();
      const one = new Map<string, unknown>();
      into.push(one);
      try {
        for await (const line of batchResults(running, batch, protocol, deps)) {
          const { custom_id, result } = JSON.parse(line);
          if (one.has(custom_id)) throw new Error(`${custom_id} is there twice`);
          one.set(custom_id, result);
        }
      } finally {
        await deps.backgroundTasks.idle();
      }
    },
  };
}

/** A line that asks for a text. */
export function lineOf(custom_id: string, text: string, fields: object = {}): object {
  return {
    custom_id,
    params: { model: `anthropic/${MODEL}`, max_tokens: 50, messages: [{ role: 'user', content: text }], ...fields },
  };
}

/** Repeats the text of the body. */
function answerTo(body: string): string {
  const { messages } = JSON.parse(body);
  return JSON.stringify({
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: MODEL },
    content: [{ type: 'text', text: messages[0].content }],
    ...{ stop_reason: 'end_turn', stop_sequence: null },
    usage: { input_tokens: 1000, output_tokens: 100, service_tier: 'batch' },
  });
}

/** The failure of a provider that refuses. */
export function refusal(): GatewayError {
  return new GatewayError('rate_limit_exceeded', 'Slow down.', {
    passedOn: { status: 429, type: 'rate_limit_error', code: null },
  });
}
