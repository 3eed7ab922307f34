import { describe, expect, it } from '@jest/globals';
import type { Need } from '../control/limits/index.ts';
import { createInspector } from '../inspection/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import { readJsonDocument } from '../kernel/json/index.ts';
import { TEST_KEY } from '../kernel/model/api-key.fixture.ts';
import type { ApiKey, RequestRecord } from '../kernel/model/index.ts';
import { type ChatProvider, loadApi, ModelCatalog } from '../translation/index.ts';
import { pipelineDeps } from './pipeline-deps.fixture.ts';
import { completeLine, prepareLine } from './run-batch-line.ts';
import { runChat } from './run-chat.ts';
import { runningRequest } from './running-request.fixture.ts';

const clock = { now: () => 0, monotonic: () => 0 };
const RULES = [
  { id: 'flower', literals: ['heliotrope'], action: 'redact' as const },
  { id: 'poison', literals: ['oleander'], action: 'block' as const },
];
const KEY: ApiKey = { ...TEST_KEY, policy: { rules: RULES } };
const inspector = createInspector();
const MARKER = 'qzjxvkwpqzjxvkwp';
const MODEL = 'claude-sonnet-4-5';
const models = new ModelCatalog({ [`anthropic/${MODEL}`]: { input: 2, output: 10 } });

const message = (text: string, service_tier = 'standard') =>
  JSON.stringify({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: MODEL,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1000, output_tokens: 100, service_tier },
  });

/** One key whose provider returns `answer`, with what is called, stored and settled. */
function world(answer: string, key = KEY) {
  const calls: string[] = [];
  const records: RequestRecord[] = [];
  const settled: Need[] = [];
  const admitted: Need[] = [];
  const bodyOf = ({ source }: Parameters<ChatProvider['complete']>[0]) => source.text;
  const provider: ChatProvider = {
    name: 'anthropic',
    protocol: 'anthropic',
    serves: new Set(['anthropic-messages', 'openai-chat'] as const),
    isNative: (operation) => operation === 'anthropic-messages',
    batchBody: bodyOf,
    batches: {} as never,
    complete: async (call) => {
      calls.push(bodyOf(call));
      return { kind: 'native', body: answer };
    },
  };
  const states = { requests: { admitted: true, remaining: 1, fullInMs: 1, nextInMs: 1 }, tokens: undefined };
  const deps = pipelineDeps(clock, {
    inspector,
    limiter: {
      admit: async (_id, _limits, need) => {
        admitted.push(need);
        return { admitted: true, states, reservation: { settle: async (used) => void settled.push(used) } };
      },
      peek: async () => states,
    },
    providers: new Map([['anthropic', provider]]),
    records: { write: async (record) => void records.push(record) },
  });
  const started = () => runningRequest({ key, models });
  const asking = async (text: string, operation: 'anthropic-messages' | 'openai-chat' = 'anthropic-messages') => {
    const body = {
      model: `anthropic/${MODEL}`,
      max_tokens: 50,
      system: 'Be brief.',
      messages: [{ role: 'user', content: text }],
    };
    return [started(), readJsonDocument(JSON.stringify(body)), (await loadApi(operation))() as never, deps] as const;
  };
  const textOf = async (source: AsyncIterable<string[]>) => {
    const sent: string[] = [];
    for await (const batch of source) sent.push(...batch);
    await deps.backgroundTasks.idle();
    return sent.join('');
  };
  const whole = async (text: string) => {
    const [request, document, protocol] = await asking(text);
    const response = await textOf(runChat(request, document, protocol, deps));
    return { response, need: admitted.pop(), used: settled.pop(), record: records.pop(), body: calls.pop() };
  };
  const prepare = async (text: string, operation?: 'openai-chat') => {
    const [request, document, protocol] = await asking(text, operation);
    try {
      return await prepareLine({ request, document, protocol, marker: MARKER }, deps);
    } finally {
      await deps.backgroundTasks.idle();
    }
  };
  const complete = async (text: string, target: { provider: string; model: string }, response: () => string) => {
    const used: Need[] = [];
    const [request, document, protocol] = await asking(text);
    const result = {
      target,
      isRecorded: false,
      response: async () => ({ kind: 'native' as const, body: response() }),
      used: (need: Need) => void used.push(need),
    };
    return {
      response: await textOf(completeLine({ request, document, protocol, marker: MARKER }, result, deps)),
      used,
    };
  };
  return { whole, prepare, complete, calls, records, settled, admitted };
}

describe('a line in two runs', () => {
  it('has the body, response, record and usage of one request, and takes no limits itself', async () => {
    const asked = 'Is heliotrope a flower?';
    const answer = message('A heliotrope is purple.');
    const one = await world(answer).whole(asked);
    const { prepare, complete, calls, records, settled, admitted } = world(answer);
    const prepared = await prepare(asked);
    expect(prepared).toEqual({
      kind: 'sent',
      target: { provider: 'anthropic', model: MODEL },
      body: one.body,
      need: one.need,
    });
    expect(one.body).not.toContain('heliotrope');
    expect([records, calls, settled, admitted]).toEqual([[], [], [], []]);
    if (prepared.kind !== 'sent') throw new Error('not sent');
    const { response, used } = await complete(asked, prepared.target, () => answer);
    expect(response).toBe(one.response);
    expect(response).not.toContain('heliotrope');
    expect(used).toEqual([one.used]);
    expect(records).toEqual([{ ...one.record, traceId: expect.any(String) }]);
    expect([calls, settled, admitted]).toEqual([[], [], []]);
  });

  it('costs half where the provider reports the tier of batches', async () => {
    const one = await world(message('Fine.')).whole('Hi');
    const target = { provider: 'anthropic', model: MODEL };
    const { used } = await world('').complete('Hi', target, () => message('Fine.', 'batch'));
    expect(one.used?.nanoUsd).toBe(3_000_000);
    expect(used).toEqual([{ tokens: 1100, nanoUsd: 1_500_000 }]);
  });

  it('that is blocked is recorded once and is not sent', async () => {
    const { prepare, records, calls } = world(message('Fine.'));
    await expect(prepare('Is oleander poison?')).rejects.toMatchObject({ code: 'content_filter' });
    expect(records.map(({ state }) => state)).toEqual(['blocked']);
    expect(calls).toEqual([]);
  });

  it('that is blocked with a refusal has its response without a provider', async () => {
    const refusing = { ...KEY, policy: { ...KEY.policy, onBlock: 'refusal' as const } };
    const { prepare, records, calls } = world('', refusing);
    const prepared = await prepare('Is oleander poison?');
    expect(prepared).toMatchObject({ kind: 'answered', response: [expect.stringContaining('"type":"message"')] });
    expect(records.map(({ state }) => state)).toEqual(['blocked']);
    expect(calls).toEqual([]);
  });

  it('is withheld where its result is blocked, or has failed, and has one record', async () => {
    const { complete, records } = world('');
    const target = { provider: 'anthropic', model: MODEL };
    const { response } = await complete('Hi', target, () => message('Eat oleander.'));
    expect(response).toContain('"stop_reason":"refusal"');
    expect(response).not.toContain('oleander');
    const failed = () => {
      throw new GatewayError('provider_error', 'The provider has failed.');
    };
    await expect(complete('Hi', target, failed)).rejects.toMatchObject({ code: 'provider_error' });
    expect(records.map(({ state }) => state)).toEqual(['blocked', 'failed']);
  });

  it('has the same placeholders in both runs, so that personal data returns to the caller', async () => {
    const hiding = { ...KEY, policy: { input: { pii: { action: 'redact' as const } } } };
    const { prepare, complete } = world('', hiding);
    const asked = 'Write to alice.miller@acme-corp.com today.';
    const prepared = await prepare(asked);
    if (prepared.kind !== 'sent') throw new Error('not sent');
    const [placeholder] = /\[EMAIL_\d+\]/.exec(prepared.body) ?? [];
    expect(placeholder).toBeDefined();
    const { response } = await complete(asked, prepared.target, () => message(`Done: ${placeholder}.`));
    expect(response).toContain('Done: alice.miller@acme-corp.com.');
  });

  it('has the same canary in both runs, so that a result with it is withheld', async () => {
    const planting = { ...KEY, policy: { canary: true, output: { system_prompt_leak: { action: 'block' as const } } } };
    const { prepare, complete } = world('', planting);
    const prepared = await prepare('Hi');
    if (prepared.kind !== 'sent') throw new Error('not sent');
    expect(prepared.body).toContain(MARKER);
    const { response } = await complete('Hi', prepared.target, () => message(`It says ${MARKER}.`));
    expect(response).not.toContain(MARKER);
    expect(response).toContain('system-prompt-leak/canary');
  });

  it('of another protocol than its provider is refused', async () => {
    const { prepare } = world(message('Fine.'));
    await expect(prepare('Hi', 'openai-chat')).rejects.toMatchObject({ code: 'invalid_value', param: 'model' });
  });
});
