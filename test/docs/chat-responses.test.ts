import { describe, expect, test } from '@jest/globals';
import { ALL_RULES } from '../../functions/inspection/detectors/index.ts';
import { Inspector } from '../../functions/inspection/inspector/index.ts';
import { toGatewayError } from '../../functions/kernel/errors/index.ts';
import { openAiError } from '../../functions/kernel/http/index.ts';
import { readJsonDocument } from '../../functions/kernel/json/index.ts';
import { createKeySchema } from '../../functions/kernel/model/index.ts';
import { runChat } from '../../functions/pipeline/index.ts';
import { pipelineDeps } from '../../functions/pipeline/pipeline-deps.fixture.ts';
import { runningRequest } from '../../functions/pipeline/running-request.fixture.ts';
import { DEFAULT_ROUTES, ModelRouter } from '../../functions/translation/index.ts';
import { CHAT_PROTOCOL } from '../../functions/translation/protocols/openai-chat/chat-protocol.ts';
import {
  chatCompletionChunkSchema,
  chatCompletionSchema,
  errorResponseSchema,
} from '../../functions/translation/protocols/openai-chat/chat-response-schema.ts';
import { EchoProvider } from '../../functions/translation/providers/echo/echo-provider.ts';

/** Real responses of the pipeline, checked against the documented schemas. */
const clock = { now: () => 1_795_231_800_000, monotonic: () => performance.now() };
const STATES = { requests: { admitted: true, remaining: 9, fullInMs: 3600, nextInMs: 0 }, tokens: undefined };
const providers = new Map([['echo', new EchoProvider()]]);
const deps = pipelineDeps(clock, {
  limiter: {
    admit: async (keyId) => {
      if (keyId.length > 0) return { admitted: true, states: STATES, reservation: undefined };
      return { admitted: false, states: STATES, refusal: { limit: 'requests', retryInMs: 3600, resetAtMs: 0 } };
    },
    peek: async () => STATES,
  },
  inspector: new Inspector(ALL_RULES),
  providers,
  router: new ModelRouter({
    ...{ routes: async () => DEFAULT_ROUTES, providers, random: Math.random },
    clock,
  }),
});

async function run(body: object, { keyId = 'key_1', policy = {} } = {}): Promise<unknown[]> {
  const settings = createKeySchema.parse({ name: 'test', policy });
  const stored = { state: 'active' as const, last4: 'aaaa', createdAt: '2026-11-21T09:00:00.000Z', secretHash: '' };
  const request = runningRequest({
    requestId: 'req_1',
    route: '/v1/chat/completions',
    key: { ...settings, ...stored, id: keyId },
    clock,
    startedAt: clock.monotonic(),
    tracking: { sessionId: 's', endUserId: null, environment: null, appVersion: null, tags: {} },
  });
  const texts: string[] = [];
  try {
    const document = readJsonDocument(JSON.stringify(body));
    for await (const batch of runChat(request, document, CHAT_PROTOCOL, deps)) texts.push(...batch);
  } catch (error) {
    return [openAiError(toGatewayError(error), 'req_1')];
  }
  return texts.map((text) => JSON.parse(text));
}

const say = (content: string, fields: object = {}) => ({
  model: 'echo',
  messages: [{ role: 'user', content }],
  ...fields,
});
const stream = { stream: true, stream_options: { include_usage: true } };

describe('a response fits its documented schema', () => {
  test.each([
    ['a completion', say('Hello'), {}],
    ['a flagged completion', say('SVC-TEST-FLAG-7f3a'), {}],
    ['a refusal', say('SVC-TEST-BLOCK-7f3a'), { policy: { onBlock: 'refusal' } }],
    ['a moderated completion', say('I will kill you', { moderation: 'score' }), {}],
  ])('%s', async (_name, body, options) => {
    const [completion] = await run(body, options);
    expect(chatCompletionSchema.safeParse(completion).error).toBeUndefined();
  });

  test.each([
    ['a stream', say('Hello there', stream), {}],
    ['a moderated stream', say('I will kill you', { ...stream, moderation: 'score' }), {}],
    ['a redacted stream', say('SVC-TEST-REDACT-7f3a', stream), {}],
    ['a streamed refusal', say('SVC-TEST-BLOCK-7f3a', stream), { policy: { onBlock: 'refusal' } }],
  ])('%s', async (_name, body, options) => {
    const chunks = await run(body, options);
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) expect(chatCompletionChunkSchema.safeParse(chunk).error).toBeUndefined();
  });

  test.each([
    ['a blocked request', say('SVC-TEST-BLOCK-7f3a'), {}, 'content_filter'],
    ['an exceeded limit', say('Hello'), { keyId: '' }, 'rate_limit_exceeded'],
    ['an unknown model', { ...say('Hello'), model: 'none' }, {}, 'model_not_found'],
  ])('%s', async (_name, body, options, code) => {
    const [error] = await run(body, options);
    expect(errorResponseSchema.safeParse(error).error).toBeUndefined();
    expect(error).toMatchObject({ error: { code } });
  });
});
