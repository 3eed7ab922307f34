import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { testOfLocalRun } from '../../stores/local-run.ts';
import { eventually } from '../../support/eventually.ts';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';
import { Contract, saying } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';

/** No server listens there. */
const NOWHERE = 'http://127.0.0.1:9/v1';
const ROUTES = [
  { models: 'fast', targets: [{ provider: 'openai', model: 'gpt-4o-mini' }] },
  {
    models: 'safe',
    targets: [{ provider: 'lab', model: 'llama' }],
    fallbacks: [{ provider: 'anthropic', model: 'claude-haiku-4-5' }],
  },
  {
    models: 'either',
    targets: [{ provider: 'anthropic', model: 'claude-haiku-4-5' }],
    fallbacks: [{ provider: 'openai', model: 'gpt-4o-mini' }],
  },
  {
    models: 'sticky',
    targets: [
      { provider: 'openai', model: 'gpt-4o-mini' },
      { provider: 'anthropic', model: 'claude-haiku-4-5' },
    ],
    fallbacks: [{ provider: 'mistral', model: 'mistral-small-latest' }],
    sticky: 'session',
  },
  {
    models: 'one-at-a-time',
    targets: [{ provider: 'openai', model: 'gpt-4o-mini', maxConcurrent: 1 }],
    fallbacks: [{ provider: 'anthropic', model: 'claude-haiku-4-5' }],
  },
  {
    models: 'impatient',
    targets: [{ provider: 'openai', model: 'gpt-4o-mini' }],
    fallbacks: [{ provider: 'anthropic', model: 'claude-haiku-4-5' }],
    timeoutMs: 100,
  },
  { models: 'broken', targets: [{ provider: 'lab', model: 'gone' }], attempts: 2 },
];

/** The mock speaks for every provider of OpenAI's protocol; `lab` is one that cannot be reached. */
const contract = new Contract((providers) => {
  const address = providers.OPENAI_BASE_URL;
  return startLocalProcess(providers, {
    ...WITHOUT_EVENTS,
    SVC_ROUTES: JSON.stringify(ROUTES),
    SVC_PROVIDERS: 'lab, my-llm',
    LAB_BASE_URL: NOWHERE,
    MY_LLM_BASE_URL: address,
    MISTRAL_API_KEY: 'planted',
    MISTRAL_BASE_URL: address,
  });
}, {});
beforeAll(() => contract.start());
afterAll(() => contract.stop());
beforeEach(() => contract.upstream.reset());

const sent = () => contract.sent.json as Readonly<Record<string, unknown>>;

describe('the routes of a deployment', () => {
  test('give a model another name', async () => {
    const { status, headers } = await contract.chat(saying('Hi', 'fast'));
    expect([status, headers.get('x-svc-route'), sent().model]).toEqual([200, 'openai/gpt-4o-mini', 'gpt-4o-mini']);
  });

  test('use the fallback of an unreachable provider, whole and streamed', async () => {
    const failed = 'lab/llama;provider_error';
    const way = [failed, failed, failed, 'anthropic/claude-haiku-4-5'].join(', ');
    const whole = await contract.chat(saying('Hi', 'safe'));
    expect([whole.status, whole.headers.get('x-svc-route')]).toEqual([200, way]);
    const stream = await contract.stream(saying('Hi', 'safe'));
    expect([stream.status, stream.content, stream.headers.get('x-svc-route')]).toEqual([200, 'Hi', way]);
  });
});

describe('the rules of a route', () => {
  const wayOf = ({ headers }: { headers: Headers }) => headers.get('x-svc-route');

  test('keep a session at its target, which its records name with the route', async () => {
    const { id, key } = await contract.createKey();
    const sessions = Array.from({ length: 12 }, (_, at) => `s${at}`);
    const ways = async () => {
      const replies = sessions.map((session) =>
        contract.chat(saying('Hi', 'sticky'), { key, headers: { 'x-session-id': session } }),
      );
      return (await Promise.all(replies)).map(wayOf);
    };
    const first = await ways();
    expect(new Set(first)).toEqual(new Set(['openai/gpt-4o-mini', 'anthropic/claude-haiku-4-5']));
    expect(await ways()).toEqual(first);
    const { json } = await contract.settled(
      () => contract.analytics(`/requests?keyId=${id}&sessionId=s0&alias=sticky`),
      (reply) => reply.json?.data?.length === 2,
    );
    const record = { alias: 'sticky', variant: first[0] };
    expect(json.data).toMatchObject([record, record]);
  });

  test('choose no target that the key may not use: its fallback is no variant', async () => {
    const { id, key } = await contract.createKey({ allowedModels: ['mistral/*'] });
    expect(wayOf(await contract.chat(saying('Hi', 'sticky'), { key }))).toBe('mistral/mistral-small-latest');
    const { json } = await contract.settled(
      () => contract.analytics(`/requests?keyId=${id}`),
      (reply) => reply.json?.data?.length === 1,
    );
    expect(json.data[0]).toMatchObject({ alias: 'sticky', provider: 'mistral' });
    expect(json.data[0]).not.toHaveProperty('variant');
  });

  test('send what a busy target may not take to the fallback, until a request of it has ended', async () => {
    contract.upstream.next({ failure: 'stall-before-head' });
    const caller = new AbortController();
    const held = fetch(`${contract.service.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${contract.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(saying('Wait', 'one-at-a-time')),
      signal: caller.signal,
    }).catch(() => {});
    await eventually(
      async () => contract.upstream.requests.length,
      (count) => count > 0,
    );
    const ask = () => contract.chat(saying('Hi', 'one-at-a-time'));
    expect(wayOf(await ask())).toBe('openai/gpt-4o-mini;busy, anthropic/claude-haiku-4-5');
    caller.abort();
    await held;
    expect(wayOf(await contract.settled(ask, (reply) => wayOf(reply) === 'openai/gpt-4o-mini'))).not.toContain('busy');
  });

  test('end a call without a response in time', async () => {
    contract.upstream.next({ failure: 'stall-before-head' });
    const reply = await contract.chat(saying('Hi', 'impatient'));
    expect(wayOf(reply)).toMatch(/^openai.gpt-4o-mini;provider_timeout, anthropic.claude-haiku-4-5/);
  });

  test('limit the attempts, which the error names with the route', async () => {
    const { status, json } = await contract.chat(saying('Hi', 'broken'));
    const attempts = "Attempts of the route 'broken': lab/gone;provider_error, lab/gone;provider_error.";
    expect([status, json.error.message]).toEqual([502, expect.stringContaining(attempts)]);
  });
});

describe('responses', () => {
  const respond = (body: object) => contract.call('/responses', JSON.stringify({ input: 'Hi', ...body }));
  const wayOf = ({ headers }: { headers: Headers }) => headers.get('x-svc-route');

  test('use only targets that support their fields', async () => {
    expect(wayOf(await respond({ model: 'either' }))).toBe('anthropic/claude-haiku-4-5');
    // Storing is no condition: without it, there is a warning.
    const warned = await respond({ model: 'either', store: true });
    expect([wayOf(warned), warned.json.svc.warnings]).toMatchObject([
      'anthropic/claude-haiku-4-5',
      [{ code: 'field_dropped', field: 'store' }],
    ]);
    const stored = await respond({ model: 'gpt-4o-mini', store: true });
    const on = await respond({ model: 'either', previous_response_id: stored.json.id });
    expect([on.status, wayOf(on)]).toEqual([200, 'openai/gpt-4o-mini']);
    expect((await respond({ model: 'either', previous_response_id: 'resp_of_another' })).status).toBe(404);
    const refused = await respond({ model: 'safe', previous_response_id: stored.json.id });
    expect([refused.status, refused.json.error.param]).toEqual([400, 'previous_response_id']);
  });

  test('become chats at a server of chats, with the fields that both support', async () => {
    const format = { type: 'json_schema', name: 's', schema: { type: 'object' } };
    const reply = await respond({ model: 'my-llm/qwen', text: { format }, instructions: 'Be kind.' });
    expect([reply.status, reply.json.output[0].content[0].text]).toEqual([200, 'Hi']);
    expect(contract.sent.path).toBe('/v1/chat/completions');
    expect(sent()).toMatchObject({
      model: 'qwen',
      messages: [{ role: 'system' }, { role: 'user', content: 'Hi' }],
      response_format: { type: 'json_schema', json_schema: { name: 's' } },
    });
  });
});

describe('a provider by configuration alone', () => {
  test('is called without a key if none is set', async () => {
    const { status } = await contract.chat(saying('Hi', 'my-llm/qwen'));
    expect([status, sent().model, contract.sent.headers.authorization]).toEqual([200, 'qwen', undefined]);
  });

  test('that refuses stream_options does not get them, and gets a limit as max_tokens', async () => {
    const key = await contract.newKey({ policy: { maxOutputTokens: 77 } });
    await contract.stream(saying('Hi', 'mistral-small-latest'), { key });
    expect(sent()).toMatchObject({ model: 'mistral-small-latest', max_tokens: 77 });
    expect(Object.keys(sent())).not.toContain('stream_options');
    await contract.stream(saying('Hi', 'my-llm/qwen'), { key });
    expect(sent()).toMatchObject({ max_tokens: 77, stream_options: { include_usage: true } });
    await contract.stream(saying('Hi'), { key });
    expect(sent()).toMatchObject({ max_completion_tokens: 77 });
  });

  testOfLocalRun('is named on the first screen', () =>
    expect(contract.service.logs()).toMatch(/providers +echo, openai, anthropic, mistral, lab, my-llm\n/),
  );
});

test('a name without an address fails the start, with the reason', async () => {
  const providers = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '' };
  await expect(startLocalProcess(providers, { SVC_PROVIDERS: 'lost' })).rejects.toThrow(/LOST_BASE_URL/);
});
