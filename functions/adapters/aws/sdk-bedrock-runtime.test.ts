import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEADLINE_MS } from '../../../test/support/eventually.ts';
import {
  COUNTS,
  exception,
  FakeBedrock,
  streamed,
  streamedThenException,
  textEvents,
  whole,
} from '../../../test/support/fake-bedrock.ts';
import type { GatewayError } from '../../kernel/errors/index.ts';
import { readJsonDocument } from '../../kernel/json/index.ts';
import { type ChatProvider, LiveProviders, loadApi, Translation } from '../../translation/index.ts';
import { UndiciHttpClient } from '../http/undici-http-client.ts';
import { SdkBedrockRuntime } from './sdk-bedrock-runtime.ts';

const CLAUDE = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0';
const CHAT = (await loadApi('openai-chat'))();

/** The call of a chat completion's request; `fields` over one user message. */
function chatCall(fields: object = {}, model = CLAUDE, signal = new AbortController().signal) {
  const messages = [{ role: 'user', content: 'Hello' }];
  const source = readJsonDocument(JSON.stringify({ model, messages, ...fields }));
  const request = CHAT.read(CHAT.check(source));
  return { operation: 'openai-chat', source, request, model, translation: new Translation('bedrock'), signal } as const;
}

const bedrock = new FakeBedrock();
let apiKey: string | undefined;
let credentials = async () => ({
  accessKeyId: 'AKID',
  secretAccessKey: 'planted-secret',
  sessionToken: 'planted-token',
});
let subject: ChatProvider;
/** For servers that do not respond, and that stop in a response. */
let impatient: Readonly<Record<'head' | 'idle', ChatProvider>>;

beforeAll(async () => {
  await bedrock.start();
  const withPatience = (headTimeoutMs: number, idleTimeoutMs: number) => {
    const runtime = new SdkBedrockRuntime({
      http: new UndiciHttpClient(),
      region: 'eu-central-1',
      credentials: () => credentials(),
      endpoint: bedrock.url,
      headTimeoutMs,
      idleTimeoutMs,
      errorBodyMs: 300,
    });
    const providers = new LiveProviders({
      ...{ http: new UndiciHttpClient(), publicHttp: new UndiciHttpClient() },
      bedrockRuntime: () => runtime,
      settings: async () => ({ BEDROCK_API_KEY: apiKey }),
      ...{ baseUrls: {}, echo: false, bedrock: true, timeoutMs: headTimeoutMs, onFault: () => {} },
    });
    return providers.get('bedrock') as ChatProvider;
  };
  subject = withPatience(DEADLINE_MS, DEADLINE_MS);
  impatient = { head: withPatience(300, DEADLINE_MS), idle: withPatience(DEADLINE_MS, 300) };
});
afterAll(() => bedrock.stop());

const failure = (run: Promise<unknown>) =>
  run.then(
    () => undefined,
    (error: GatewayError) => error,
  );

async function drain(run: ReturnType<ChatProvider['complete']>) {
  const answer = await run;
  if (answer.kind === 'translated-stream') for await (const _ of answer.deltas);
}

describe('a call of Converse over HTTP', () => {
  it("has AWS's path, JSON and signature", async () => {
    bedrock.answer(
      whole([{ text: 'Hi ' }, { reasoningContent: { reasoningText: { text: 'hm' } } }, { text: 'there' }]),
    );
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAECAw==' } };
    const answer = await subject.complete(chatCall({ messages: [{ role: 'user', content: [image] }], max_tokens: 9 }));
    expect(answer).toEqual({
      kind: 'translated',
      completion: {
        id: 'aws-1',
        model: CLAUDE,
        choices: [{ index: 0, text: 'Hi there', reasoning: 'hm', finishReason: 'stop' }],
        usage: { inputTokens: COUNTS.inputTokens, outputTokens: COUNTS.outputTokens },
      },
    });
    expect(bedrock.last).toMatchObject({
      path: `/model/${encodeURIComponent(CLAUDE)}/converse`,
      json: {
        messages: [{ role: 'user', content: [{ image: { format: 'png', source: { bytes: 'AAECAw==' } } }] }],
        inferenceConfig: { maxTokens: 9 },
      },
      headers: { 'x-amz-security-token': 'planted-token' },
    });
    expect(bedrock.last.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-central-1\/bedrock\/aws4_request, /,
    );
  });

  it('names a model by its ARN', async () => {
    bedrock.answer(whole([{ text: 'Hi' }]));
    const arn = 'arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/a1b2';
    await subject.complete(chatCall({}, arn));
    expect(bedrock.last.path).toBe(`/model/${encodeURIComponent(arn)}/converse`);
  });

  it('passes tool calls with any arguments', async () => {
    const input = { big: 9007199254740991, half: 0.5, list: [null, 'é'], deep: { a: true } };
    bedrock.answer(whole([{ toolUse: { toolUseId: 't1', name: 'f', input } }], 'tool_use'));
    expect(await subject.complete(chatCall())).toMatchObject({
      completion: {
        choices: [
          {
            text: null,
            finishReason: 'tool_calls',
            toolCalls: [{ id: 't1', name: 'f', arguments: JSON.stringify(input) }],
          },
        ],
      },
    });
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['guardrail_intervened', 'content_filter'],
    ['content_filtered', 'content_filter'],
    ['not_known_yet', 'stop'],
  ])('that ended with %s reports %s', async (reason, finishReason) => {
    bedrock.answer(whole([{ text: 'Hi' }], reason));
    expect(await subject.complete(chatCall())).toMatchObject({ completion: { choices: [{ finishReason }] } });
  });

  it('with a Bedrock API key sends it, and a new key once it changes', async () => {
    for (const key of ['first-planted-key', 'second-planted-key']) {
      apiKey = key;
      bedrock.answer(whole([{ text: 'Hi' }]), streamed(textEvents('Hi')));
      await subject.complete(chatCall());
      expect(bedrock.last.headers.authorization).toBe(`Bearer ${key}`);
      await drain(subject.complete(chatCall({ stream: true })));
      expect(bedrock.last.headers.authorization).toBe(`Bearer ${key}`);
    }
    apiKey = undefined;
  });
});

describe('a stream over HTTP', () => {
  it('arrives event by event', async () => {
    bedrock.answer(streamed(textEvents('Hi', ' there')));
    const answer = await subject.complete(chatCall({ stream: true }));
    const said: string[] = [];
    if (answer.kind === 'translated-stream')
      for await (const batch of answer.deltas)
        said.push(...batch.map((one) => (one.type === 'text' ? one.text : one.type)));
    expect(said).toEqual(['start', 'Hi', ' there', 'finish', 'usage']);
    expect(bedrock.last.path).toBe(`/model/${encodeURIComponent(CLAUDE)}/converse-stream`);
  });

  it.each([
    ['is cut', streamed(textEvents('Hi').slice(0, 2), 'cut'), 'provider_error'],
    ['ends early', streamed(textEvents('Hi').slice(0, 2)), 'provider_error'],
    ['falls silent', streamed(textEvents('Hi').slice(0, 2), 'silence'), 'provider_timeout'],
    [
      'ends in an exception',
      streamedThenException(textEvents('Hi').slice(0, 2), 'throttlingException'),
      'rate_limit_exceeded',
    ],
  ])('that %s is a failure without a fallback', async (_name, script, code) => {
    bedrock.answer(script);
    const provider = code === 'provider_timeout' ? impatient.idle : subject;
    const error = await failure(drain(provider.complete(chatCall({ stream: true }))));
    expect(error).toMatchObject({ code, fallback: undefined });
  });

  it('is closed when its reader stops', async () => {
    bedrock.answer(streamed(textEvents('Hi').slice(0, 2), 'silence'));
    const abort = new AbortController();
    const answer = await subject.complete(chatCall({ stream: true }, CLAUDE, abort.signal));
    if (answer.kind !== 'translated-stream') throw new Error('no stream');
    const read = (async () => {
      for await (const batch of answer.deltas) if (batch.some(({ type }) => type === 'text')) abort.abort();
    })();
    expect(await failure(read)).toMatchObject({ code: 'provider_error', internal: 'aborted' });
  });
});

describe('an AWS error', () => {
  it.each<[string, ReturnType<typeof exception>, object]>([
    [
      'throttling: retry after the time that it names',
      exception(429, 'ThrottlingException', 'Too many requests', { 'retry-after': '2' }),
      {
        status: 429,
        code: 'rate_limit_exceeded',
        message: 'Too many requests',
        fallback: 'after_retry',
        headers: { 'retry-after': '2' },
      },
    ],
    ['a quota', exception(400, 'ServiceQuotaExceededException'), { status: 429, fallback: 'after_retry' }],
    [
      'an invalid request: with its text',
      exception(400, 'ValidationException', 'The maximum tokens you requested exceeds the model limit'),
      {
        status: 400,
        code: 'invalid_value',
        message: 'The maximum tokens you requested exceeds the model limit',
        fallback: undefined,
      },
    ],
    [
      'an unknown model',
      exception(400, 'ValidationException', 'The provided model identifier is invalid.'),
      { status: 404, code: 'model_not_found', param: 'model' },
    ],
    ['a removed model', exception(404, 'ResourceNotFoundException'), { status: 404, code: 'model_not_found' }],
    [
      'missing permissions',
      exception(403, 'AccessDeniedException', 'User: arn:aws:private'),
      { status: 502, fallback: 'now' },
    ],
    ['invalid credentials', exception(403, 'UnrecognizedClientException'), { status: 502, fallback: 'now' }],
    ['expired credentials', exception(400, 'ExpiredTokenException'), { status: 502, fallback: 'now' }],
    [
      'time: it may be billed',
      exception(408, 'ModelTimeoutException'),
      { status: 504, fallback: 'now', headers: { 'x-should-retry': 'false' } },
    ],
    [
      'a model that is being loaded',
      exception(429, 'ModelNotReadyException'),
      { status: 502, fallback: 'after_retry' },
    ],
    ['a model that failed', exception(424, 'ModelErrorException'), { status: 502, fallback: 'after_retry' }],
    ['itself', exception(500, 'InternalServerException'), { status: 502, fallback: 'after_retry' }],
    ['everybody', exception(503, 'ServiceUnavailableException'), { status: 502, fallback: 'after_retry' }],
    ['by a proxy', (response) => void response.writeHead(502).end('<html>'), { status: 502, fallback: 'after_retry' }],
    [
      'nothing, and is no answer',
      (response) => void response.writeHead(200).end('<html>'),
      { status: 502, fallback: undefined },
    ],
    [
      'nothing, and is another',
      (response) => void response.writeHead(200).end('{}'),
      { status: 502, fallback: undefined },
    ],
    [
      'to continue',
      (response) => {
        response.writeHead(200, { 'content-length': '99' }).write('{"output":');
        setTimeout(() => response.destroy(), 20);
      },
      { status: 502, fallback: undefined },
    ],
    [
      'and never ends its text',
      (response) => {
        response.writeHead(500, { 'content-type': 'application/json' }).write('{"message":"');
        const drip = setInterval(() => response.write(' '), 20);
        response.once('close', () => clearInterval(drip));
      },
      { status: 502, fallback: 'after_retry' },
    ],
    [
      'and stops in its text',
      (response) => void response.writeHead(429, { 'x-amzn-errortype': 'ThrottlingException' }).write('{"message":"'),
      { status: 429, fallback: 'after_retry' },
    ],
    ['to respond at all', () => {}, { status: 504, fallback: 'now' }],
  ])('%s', async (name, script, expected) => {
    for (const stream of [false, true]) {
      bedrock.answer(script);
      const provider = name === 'to respond at all' ? impatient.head : subject;
      const error = await failure(drain(provider.complete(chatCall({ stream }))));
      // A body without frames is read as a stream that ended early.
      expect(error).toMatchObject(expected);
      expect(bedrock.requests).toHaveLength(1);
      const shown = JSON.stringify([error?.message, error?.internal, error?.headers]);
      expect(shown).not.toMatch(/private|planted|internal\.amazon/);
    }
  });

  it('for a key makes its source reread', async () => {
    apiKey = 'planted-key';
    bedrock.answer(exception(403, 'AccessDeniedException'));
    expect(await failure(subject.complete(chatCall()))).toMatchObject({
      status: 502,
      fallback: 'after_new_credentials',
    });
    apiKey = undefined;
  });

  it('is local: there are no credentials', async () => {
    const working = credentials;
    credentials = async () => {
      throw Object.assign(new Error('Could not load credentials from any providers'), {
        name: 'CredentialsProviderError',
      });
    };
    apiKey = 'planted-key';
    bedrock.answer(whole([{ text: 'Hi' }]));
    await subject.complete(chatCall());
    // A different client than that of the key, so it looks up credentials.
    apiKey = undefined;
    expect(await failure(subject.complete(chatCall()))).toMatchObject({
      message: 'The provider bedrock is not configured here: set BEDROCK_API_KEY, or AWS_REGION and AWS credentials.',
      fallback: 'now',
    });
    credentials = working;
  });
});
