import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { testOfLocalRun } from '../../stores/local-run.ts';
import { eventually } from '../../support/eventually.ts';
import {
  exception,
  FakeBedrock,
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
      ...saying('Weather?', CLAUDE),
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
