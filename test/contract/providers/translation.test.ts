import './translated-tools.cases.ts';
import { describe, expect, test } from '@jest/globals';
import { type Answer, ask, CLAUDE, contract, failFirstTarget, GPT, STREAM, STRICT } from './translation-setup.ts';

/** By API: a path, a model of another provider one of the same API, and a body with a field without an equivalent there. */
interface Caller {
  readonly path: (model: string, stream: boolean) => string;
  readonly other: string;
  readonly own?: string;
  readonly body: (model: string) => object;
  /** Fields with a warning. */
  readonly fields: readonly string[];
}
const CALLERS: Readonly<Record<string, Caller>> = {
  'chat completions': {
    path: () => '/chat/completions',
    other: CLAUDE,
    own: GPT,
    body: (model) => ({ model, messages: [{ role: 'user', content: 'Hi', x_new: 1 }], seed: 7, temperature: 1.5 }),
    fields: ['messages[0].x_new', 'seed', 'temperature'],
  },
  responses: {
    path: () => '/responses',
    other: CLAUDE,
    own: GPT,
    body: (model) => ({
      model,
      input: [{ role: 'user', content: 'Hi' }],
      metadata: { a: 'b' },
      text: { verbosity: 'low' },
    }),
    fields: ['metadata', 'text.verbosity'],
  },
  messages: {
    path: () => '/messages',
    other: GPT,
    own: CLAUDE,
    body: (model) => ({
      model,
      max_tokens: 50,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }] }],
      top_k: 5,
    }),
    fields: ['messages[0].content[0].cache_control', 'top_k'],
  },
  generateContent: {
    path: (model, stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    other: CLAUDE,
    body: () => ({
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      generationConfig: { seed: 7, temperature: 1.5 },
      labels: { a: 'b' },
    }),
    fields: ['generationConfig.seed', 'generationConfig.temperature', 'labels'],
  },
  completions: {
    path: () => '/completions',
    other: CLAUDE,
    body: (model) => ({ model, prompt: 'Hi', max_tokens: 50, seed: 7 }),
    fields: ['seed'],
  },
};

describe.each(Object.entries(CALLERS))('a request for %s', (_, { path, other, own, body, fields }) => {
  const inStream = (model: string) => (path(model, true).includes('stream') ? {} : STREAM);

  test('for another provider has warnings, in the whole response and in the stream', async () => {
    for (const stream of [false, true]) {
      const answer = await ask(path(other, stream), { ...body(other), ...(stream && inStream(other)) });
      expect([answer.status, answer.count]).toEqual([200, String(fields.length)]);
      expect(answer.warnings?.map(({ field }) => field).sort()).toEqual([...fields].sort());
      for (const { code, field, message } of answer.warnings ?? []) {
        expect(code).toBe(field.endsWith('temperature') ? 'field_adjusted' : 'field_dropped');
        expect(message).toContain(`\`${field}\``);
      }
    }
  });

  test('for another provider is refused by a field without an equivalent if it is strict', async () => {
    for (const stream of [false, true]) {
      const answer = await ask(path(other, stream), { ...body(other), ...(stream && inStream(other)) }, STRICT);
      expect([answer.status, answer.count]).toEqual([400, null]);
      expect(fields).toContain(answer.param);
      expect(answer.text).toMatch(/strict|does not support/);
    }
    expect(contract.upstream.requests).toEqual([]);
  });

  test('has lenient translation by the header, in any case', async () => {
    const lenient = { headers: { 'x-svc-translation': 'Lenient' } };
    expect((await ask(path(other, false), body(other), lenient)).warnings).toHaveLength(fields.length);
  });

  if (own === undefined) return;
  test('for its own provider has no warnings, and strict changes nothing', async () => {
    for (const options of [{}, STRICT]) {
      for (const stream of [false, true]) {
        const sent = { ...body(own), ...(stream && inStream(own)) };
        const answer = await ask(path(own, stream), sent, options);
        expect([answer.status, answer.count, answer.warnings]).toEqual([200, null, undefined]);
        expect(JSON.parse(contract.sent.body)).toMatchObject(sent);
      }
    }
  });
});

describe('the header X-Svc-Translation', () => {
  test.each(['yes', 'strict, lenient', 'strictly'])('is refused with the value %s', async (value) => {
    const headers = { 'x-svc-translation': value };
    const { status, param } = await ask('/chat/completions', CALLERS['chat completions']?.body(GPT) ?? {}, { headers });
    expect([status, param]).toEqual([400, 'X-Svc-Translation']);
    expect(contract.upstream.requests).toEqual([]);
  });

  test('is lenient if it is empty', async () => {
    const headers = { 'x-svc-translation': '' };
    expect((await ask('/completions', CALLERS.completions?.body(CLAUDE) ?? {}, { headers })).status).toBe(200);
  });
});

describe('a fallback', () => {
  const body = { model: 'mixed', input: 'Hi', metadata: { a: 'b' }, temperature: 0.5, top_p: 0.5, user: 'u' };
  const fieldsOf = ({ warnings }: Answer) => warnings?.map(({ field }) => field);

  test.each([{}, STREAM])('has the warnings of the provider that responded: %j', async (stream) => {
    const first = await ask('/responses', { ...body, ...stream });
    expect([fieldsOf(first), first.count]).toEqual([['metadata', 'top_p'], '2']);
    failFirstTarget();
    const second = await ask('/responses', { ...body, ...stream });
    expect(second.route).toMatch(/, steady\/m$/);
    expect([second.status, fieldsOf(second), second.count]).toEqual([200, ['metadata'], '1']);
    expect(second.warnings?.[0]?.message).toContain('steady');
    expect(JSON.parse(contract.sent.body)).toMatchObject({ temperature: 0.5, top_p: 0.5, user: 'u' });
  });

  test('to a provider of the same API has no warnings', async () => {
    failFirstTarget();
    const chat = { model: 'mixed', messages: [{ role: 'user', content: 'Hi' }], seed: 7 };
    const answer = await ask('/chat/completions', chat);
    expect([answer.status, answer.warnings, answer.count]).toEqual([200, undefined, null]);
    expect(answer.route).toMatch(/, steady\/m$/);
  });

  test('with a field that changes the result goes only to providers that support it', async () => {
    const chat = { model: 'mixed', messages: [{ role: 'user', content: 'Hi' }], logprobs: true };
    expect((await ask('/chat/completions', chat)).route).toBe('steady/m');
    const strict = { model: 'mixed', messages: [{ role: 'user', content: 'Hi' }], x_new: 1 };
    expect((await ask('/chat/completions', strict, STRICT)).route).toBe('steady/m');
  });
});

test('no value of a dropped field is in a warning, a header, or the log', async () => {
  const planted = 'planted-value-5e1f';
  const answer = await ask('/chat/completions', {
    model: CLAUDE,
    messages: [{ role: 'user', content: 'Hi' }],
    x_new: planted,
    metadata: { a: planted },
  });
  expect(answer.warnings?.map(({ field }) => field)).toEqual(['x_new', 'metadata']);
  expect(answer.text).not.toContain(planted);
  expect(contract.service.logs()).not.toContain(planted);
});

test('many unknown fields have at most 50 warnings with short names', async () => {
  const names = Array.from({ length: 400 }, (_, at) => `${at}_${'x'.repeat(1_000)}`);
  const answer = await ask('/chat/completions', {
    model: CLAUDE,
    messages: [{ role: 'user', content: 'Hi' }],
    ...Object.fromEntries(names.map((name) => [name, 1])),
  });
  expect([answer.status, answer.count, answer.warnings?.length]).toEqual([200, '50', 50]);
  expect(JSON.stringify(answer.warnings).length).toBeLessThan(40_000);
});
