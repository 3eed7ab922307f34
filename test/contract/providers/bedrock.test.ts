import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { testOfLocalRun } from '../../stores/local-run.ts';
import { eventually } from '../../support/eventually.ts';
import {
  exception,
  FakeBedrock,
  invoked,
  invokedInStream,
  refusalOfInvoke,
  streamed,
  streamedThenException,
  textEvents,
  whole,
} from '../../support/fake-bedrock.ts';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';
import { Contract, saying } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';
import { expectGoodOrder, toMessageStream } from '../messages/messages-reply.ts';
import { expectError } from '../reply.ts';

const NOVA = 'amazon.nova-pro-v1:0';
const PROFILE = 'arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/a1b2';
const ROUTES = [{ models: 'claude-of-finance', targets: [{ provider: 'bedrock', model: PROFILE }] }];
const CLAUDE = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0';
/** Must not be in a response or the log. */
const SECRET = `planted/aws/${'w8Kp2'.repeat(6)}`;
const AWS = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'AKIDPLANTED', AWS_SECRET_ACCESS_KEY: SECRET };

const bedrock = new FakeBedrock();
const contract = new Contract(
  (providers) =>
    startLocalProcess(providers, {
      ...WITHOUT_EVENTS,
      ...AWS,
      SVC_ROUTES: JSON.stringify(ROUTES),
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock.url,
      // Whatever is left before is left for another reason than its silence.
    }),
  {},
);
beforeAll(async () => {
  await bedrock.start();
  await contract.start();
});
afterAll(async () => {
  await contract.stop();
  bedrock.stop();
});
beforeEach(() => bedrock.answer(whole([{ text: 'Hi there' }])));

describe('Amazon Bedrock with AWS’s credentials of the environment', () => {
  test.each([
    [NOVA, NOVA],
    [CLAUDE, CLAUDE],
    [`bedrock/${NOVA}`, NOVA],
    ['bedrock/ours', 'ours'],
    [
      'arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/a1b2',
      'arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/a1b2',
    ],
  ])('answers %s', async (model, id) => {
    const { status, json, headers } = await contract.chat(saying('Hello', model));
    expect([status, json.choices[0].message.content, headers.get('x-svc-route')]).toEqual([
      200,
      'Hi there',
      `bedrock/${id}`,
    ]);
    expect(json.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 });
    expect(json.svc.action).toBe('allow');
    expect(bedrock.last.path).toBe(`/model/${encodeURIComponent(id)}/converse`);
  });

  test('streams', async () => {
    bedrock.answer(streamed(textEvents('Hi', ' there')));
    const { status, content, finishReason, done, chunks } = await contract.stream({
      ...saying('Hello', CLAUDE),
      stream_options: { include_usage: true },
    });
    expect([status, content, finishReason, done]).toEqual([200, 'Hi there', 'stop', true]);
    expect(chunks.at(-1).usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 5 });
  });

  test('serves callers of Anthropic’s API, tools included', async () => {
    bedrock.answer(
      streamed([
        ['messageStart', { role: 'assistant' }],
        ['contentBlockStart', { contentBlockIndex: 0, start: { toolUse: { toolUseId: 't1', name: 'weather' } } }],
        ['contentBlockDelta', { contentBlockIndex: 0, delta: { toolUse: { input: '{"city":"Oslo"}' } } }],
        ['contentBlockStop', { contentBlockIndex: 0 }],
        ['messageStop', { stopReason: 'tool_use' }],
        ['metadata', { usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 }, metrics: { latencyMs: 1 } }],
      ]),
    );
    const body = {
      ...saying('Weather?', NOVA),
      max_tokens: 100,
      stream: true,
      tools: [{ name: 'weather', input_schema: { type: 'object' } }],
    };
    const stream = await toMessageStream(await contract.fetch('/messages', JSON.stringify(body)));
    expectGoodOrder(stream);
    expect(stream.blocks).toEqual(['{"city":"Oslo"}']);
    expect(bedrock.last.json).toMatchObject({
      inferenceConfig: { maxTokens: 100 },
      toolConfig: { tools: [{ toolSpec: { name: 'weather' } }] },
    });
  });

  test('gets no blocked request, and its responses are inspected', async () => {
    expectError(await contract.chat(saying('SVC-TEST-BLOCK-7f3a', NOVA)), 'content_filter', 'messages[0].content');
    expect(bedrock.requests).toEqual([]);
    bedrock.answer(streamed(textEvents('All is well. ', 'SVC-TEST-', 'BLOCK-7f3a', ' and more')));
    const { content, finishReason, text } = await contract.stream(saying('Hello', NOVA));
    expect([content.trim(), finishReason]).toEqual(['All is well.', 'content_filter']);
    expect(text).not.toContain('7f3a');
  });

  test('is disconnected if its response is blocked, and the gateway continues', async () => {
    bedrock.answer(streamed(textEvents('All is well. ', 'SVC-TEST-BLOCK-7f3a').slice(0, 3), 'silence'));
    const { content, finishReason, done } = await contract.stream(saying('Hello', NOVA));
    expect([content.trim(), finishReason, done]).toEqual(['All is well.', 'content_filter', true]);
    await eventually(() => bedrock.open === 0);
    bedrock.answer(whole([{ text: 'Hi there' }]));
    expect((await contract.chat(saying('Hello', NOVA))).status).toBe(200);
  });

  test('lacks some fields: a warning names those that tune the response, an error all others', async () => {
    const { status, json } = await contract.chat({ ...saying('Hello', NOVA), seed: 7 });
    expect([status, json.svc.warnings]).toMatchObject([200, [{ code: 'field_dropped', field: 'seed' }]]);
    expect(JSON.stringify(bedrock.last.json)).not.toContain('seed');
    bedrock.answer(whole([{ text: 'Hi there' }]));
    expectError(await contract.chat({ ...saying('Hello', NOVA), logprobs: true }), 'invalid_value', 'logprobs');
    expect(bedrock.requests).toEqual([]);
  });

  test('is retried after throttling, and then responds', async () => {
    bedrock.answer(exception(429, 'ThrottlingException'), whole([{ text: 'Hi' }]));
    const { status, headers } = await contract.chat(saying('Hello', NOVA));
    expect([status, headers.get('x-svc-route')]).toEqual([200, `bedrock/${NOVA};429, bedrock/${NOVA}`]);
  });

  test('that refuses our credentials is a 502 at once', async () => {
    bedrock.answer(exception(403, 'AccessDeniedException', 'User: arn:aws:iam::1:role/private is not authorized'));
    const reply = await contract.chat(saying('Hello', NOVA));
    expectError(reply, 'provider_error');
    expect([bedrock.requests.length, reply.text.includes('private')]).toEqual([1, false]);
  });

  test('that fails in the middle of a stream ends it with an error and no [DONE]', async () => {
    bedrock.answer(streamedThenException(textEvents('Hi there. ').slice(0, 2), 'modelStreamErrorException'));
    const { status, done, chunks } = await contract.stream(saying('Hello', NOVA));
    expect([status, done]).toEqual([200, false]);
    expect(chunks.at(-1).error).toMatchObject({ code: 'provider_error' });
  });

  test('costs as in the table of prices', async () => {
    await contract.chat(saying('Hello', NOVA), { headers: { 'x-app-version': 'priced' } });
    const reply = await contract.settled(
      () => contract.analytics(`/summary?model=${encodeURIComponent(NOVA)}`),
      ({ json }) => json?.costUsd > 0,
    );
    expect(reply.json.costUsd).toBeGreaterThan(0);
  });

  test('is listed with its models, and shown on the first screen', async () => {
    const { json } = await contract.call('/models', undefined);
    const ids = json.data.filter(({ owned_by }: { owned_by: string }) => owned_by === 'bedrock');
    expect(ids.map(({ id }: { id: string }) => id)).toContain(NOVA);
    expect(contract.service.logs()).toMatch(/providers +echo, openai, anthropic, bedrock\n/);
  });

  test('exposes no credentials', async () => {
    expect(contract.service.logs()).not.toMatch(/planted\/aws|AKIDPLANTED/);
  });
});

describe('without AWS’s credentials in the environment', () => {
  const bare = new Contract(
    (providers) =>
      startLocalProcess(providers, {
        ...WITHOUT_EVENTS,
        BEDROCK_REGION: 'eu-central-1',
        AWS_EC2_METADATA_SERVICE_ENDPOINT: bedrock.url,
      }),
    {},
  );
  beforeAll(() => bare.start());
  afterAll(() => bare.stop());

  testOfLocalRun('Bedrock is reported as not configured, and no call is made', async () => {
    const reply = await bare.chat(saying('Hello', NOVA));
    expectError(reply, 'provider_error');
    expect(reply.json.error.message).toContain('set BEDROCK_API_KEY, or AWS_REGION and AWS credentials.');
    expect(bedrock.requests).toEqual([]);
    const { json } = await bare.call('/models', undefined);
    expect(json.data.filter(({ owned_by }: { owned_by: string }) => owned_by === 'bedrock')).toEqual([]);
    expect(bare.service.logs()).not.toMatch(/providers .*bedrock/);
  });
});

describe('A request of the Messages API for Claude', () => {
  const said = 'Hi  there';
  const message = `{"id":"msg_bdrk_1","type":"message","role":"assistant", "model":"claude-sonnet-4-5","content":[{"type":"thinking","thinking":"Hm.","signature":"c2lnbmVk"},{"type":"text","text":${JSON.stringify(said)}}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":5}}`;
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' };
  const body = {
    model: CLAUDE,
    max_tokens: 4096,
    thinking: { type: 'enabled', budget_tokens: 1024 },
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: [thinking, { type: 'text', text: 'Yes?' }] },
      { role: 'user', content: 'Hello again' },
    ],
  };
  const ask = (fields: object, headers = {}) =>
    contract.call('/messages', JSON.stringify({ ...body, ...fields }), { headers: { ...JSON_TYPE, ...headers } });
  const JSON_TYPE = { 'content-type': 'application/json' };
  const sent = () => {
    const { path, json, headers } = bedrock.last;
    expect(refusalOfInvoke(json, path)).toBeUndefined();
    return { path: decodeURIComponent(path), json, headers };
  };

  test('reaches it unchanged by InvokeModel, signed, and so does its response', async () => {
    bedrock.answer(invoked(message));
    const reply = await ask({ metadata: null, service_tier: 'auto' }, { 'anthropic-beta': 'context-1m-2025-08-07' });
    expect(reply.text.replace(/,"svc":\{.*\}\}$/, '}')).toBe(message);
    const { path, json, headers } = sent();
    const { model: _, ...rest } = body;
    expect([path, json]).toEqual([
      `/model/${CLAUDE}/invoke`,
      { ...rest, anthropic_version: 'bedrock-2023-05-31', anthropic_beta: ['context-1m-2025-08-07'] },
    ]);
    expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 .*\/bedrock\/aws4_request/);
    expect(reply.headers.get('x-svc-warnings')).toBeNull();
  });

  test('reaches an application inference profile so, if the request names a Claude model', async () => {
    bedrock.answer(invoked(message));
    expect((await ask({ model: 'claude-of-finance' })).json.content).toHaveLength(2);
    expect(sent().path).toBe(`/model/${PROFILE}/invoke`);
    bedrock.answer(whole([{ text: 'Hi there' }]));
    expect((await ask({ model: PROFILE })).status).toBe(200);
    expect(decodeURIComponent(bedrock.last.path)).toBe(`/model/${PROFILE}/converse`);
  });

  test('is streamed event by event', async () => {
    const events = [
      { type: 'message_start', message: { ...JSON.parse(message), content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2lnbmVk' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } },
      { type: 'message_stop', 'amazon-bedrock-invocationMetrics': { inputTokenCount: 9 } },
    ].map((event) => JSON.stringify(event));
    bedrock.answer(invokedInStream(events));
    const { text } = await ask({ stream: true });
    const got = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
    expect(got.map((json) => json.replace(/,"svc":\{.*\}\}$/, '}'))).toEqual(events);
    expect(sent().path).toBe(`/model/${CLAUDE}/invoke-with-response-stream`);
  });

  test.each([
    ['a member that InvokeModel lacks', { inference_geo: 'us' }],
    ["a tool of Anthropic's servers", { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
  ])('is translated to Converse if it has %s', async (_, fields) => {
    const { status } = await ask(fields);
    expect([status, decodeURIComponent(bedrock.last.path)]).toEqual([200, `/model/${CLAUDE}/converse`]);
  });

  test('has its effort and its schema with it', async () => {
    const format = { type: 'json_schema', schema: { type: 'object', properties: {}, additionalProperties: false } };
    const asked = { model: 'eu.anthropic.claude-sonnet-4-6', output_config: { effort: 'low', format } };
    bedrock.answer(invoked(message));
    expect((await ask({ ...asked, thinking: { type: 'adaptive' } })).json.content[0]).toEqual(thinking);
    expect(sent()).toMatchObject({
      path: '/model/eu.anthropic.claude-sonnet-4-6/invoke',
      json: { output_config: asked.output_config, thinking: { type: 'adaptive' } },
    });
    const refusal = refusalOfInvoke(asked, CLAUDE);
    bedrock.answer(exception(400, 'ValidationException', refusal), whole([{ text: 'Hi there' }]));
    expect((await ask({ output_config: { effort: 'low' } })).status).toBe(200);
    expect(bedrock.requests.map(({ path }) => path.replace(/.*\//, ''))).toEqual(['invoke', 'converse']);
  });

  test('is translated to Converse if the model refuses a feature, and any other refusal is passed on', async () => {
    bedrock.answer(exception(400, 'ValidationException', 'invalid beta flag'), whole([{ text: 'Hi there' }]));
    expect((await ask({}, { 'anthropic-beta': 'effort-2025-11-24' })).status).toBe(200);
    expect(bedrock.requests.map(({ path }) => path.replace(/.*\//, ''))).toEqual(['invoke', 'converse']);
    bedrock.answer(exception(400, 'ValidationException', 'max_tokens: too large'));
    expect((await ask({})).status).toBe(400);
    expect(bedrock.requests.length).toBe(1);
  });

  test('gets a warning for a version that Bedrock does not know, which is not sent', async () => {
    bedrock.answer(invoked(message));
    const { json } = await ask({}, { 'anthropic-beta': 'fast-mode-2026-02-01,context-1m-2025-08-07' });
    expect(json.svc.warnings).toMatchObject([{ code: 'field_dropped', field: 'anthropic-beta' }]);
    expect(sent().json.anthropic_beta).toEqual(['context-1m-2025-08-07']);
  });

  test('fails with its stream: an exception, a cut, an end before its last event', async () => {
    const start = JSON.stringify({ type: 'message_start', message: JSON.parse(message) });
    for (const then of ['end', 'cut', { exception: 'modelStreamErrorException' }] as const) {
      bedrock.answer(invokedInStream([start], then));
      const { text } = await ask({ stream: true });
      expect(text).toContain('"type":"error"');
      expect(text).not.toContain('message of AWS');
    }
  });

  test("comes from Bedrock's own clients too, with its reasoning", async () => {
    bedrock.answer(invoked(message));
    const base = contract.service.baseUrl.replace(/\/v1$/, '');
    const response = await fetch(`${base}/model/${encodeURIComponent(CLAUDE)}/converse`, {
      method: 'POST',
      headers: { authorization: `Bearer ${contract.key}`, ...JSON_TYPE },
      body: JSON.stringify({
        messages: [
          { role: 'user', content: [{ text: 'Hello' }] },
          {
            role: 'assistant',
            content: [
              { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2lnbmVk' } } },
              { text: 'Yes?' },
            ],
          },
          { role: 'user', content: [{ text: 'Hello again' }] },
        ],
      }),
    });
    expect(JSON.parse(await response.text()).output.message.content).toEqual([
      { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2lnbmVk' } } },
      { text: said },
    ]);
    expect(sent().json.messages).toMatchObject([{}, { content: [thinking, { type: 'text', text: 'Yes?' }] }, {}]);
  });
});
