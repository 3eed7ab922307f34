import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eventFrames, exceptionFrame, type StreamEvent } from '../../../../test/support/bedrock-frames.ts';
import { SdkBedrockRuntime } from '../../../adapters/aws/sdk-bedrock-runtime.ts';
import type { GatewayError } from '../../../kernel/errors/index.ts';
import type { ChatDelta } from '../../../kernel/model/index.ts';
import { Translation } from '../../routing/index.ts';
import { BedrockProvider } from './bedrock-provider.ts';
import { CLAUDE, chatCall } from './chat-request.fixture.ts';
import { fromConverse, readConverseStream } from './from-converse.ts';
import { signsReasoning } from './plain-reasoning.ts';

const BEDROCK = { provider: 'bedrock', keyVariable: 'BEDROCK_API_KEY' };
let pieces: readonly Uint8Array[] = [];

/** AWS's own client over pieces of bytes, as a connection may give them. */
const subject = new BedrockProvider({
  name: 'bedrock',
  keyVariable: 'BEDROCK_API_KEY',
  runtime: new SdkBedrockRuntime({
    http: {
      async send() {
        const headers = { 'content-type': 'application/vnd.amazon.eventstream', 'x-amzn-requestid': 'aws-1' };
        const given = pieces;
        const body = (async function* () {
          yield* given;
        })();
        return { status: 200, headers, body };
      },
    },
    region: 'eu-central-1',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    endpoint: 'http://bedrock.example',
    headTimeoutMs: 1_000,
    idleTimeoutMs: 1_000,
  }),
  keyless: true,
  apiKey: async () => undefined,
  headTimeoutMs: 1_000,
  idleTimeoutMs: 1_000,
});

/** The steps that the pieces give, and how they end. */
async function read(
  given: readonly Uint8Array[],
  model = CLAUDE,
): Promise<{ deltas: ChatDelta[]; failure?: GatewayError }> {
  pieces = given;
  const deltas: ChatDelta[] = [];
  try {
    const answer = await subject.complete(chatCall({ stream: true }, model));
    if (answer.kind !== 'translated-stream') throw new Error('no stream');
    for await (const batch of answer.deltas) deltas.push(...batch);
    return { deltas };
  } catch (error) {
    return { deltas, failure: error as GatewayError };
  }
}

const start: StreamEvent = ['messageStart', { role: 'assistant' }];
const stop = (stopReason: string): StreamEvent => ['messageStop', { stopReason }];
const delta = (contentBlockIndex: number, value: object): StreamEvent => [
  'contentBlockDelta',
  { contentBlockIndex, delta: value },
];
const text = (index: number, value: string) => delta(index, { text: value });
const input = (index: number, value: string) => delta(index, { toolUse: { input: value } });
const tool = (contentBlockIndex: number, toolUseId: string, name: string): StreamEvent => [
  'contentBlockStart',
  { contentBlockIndex, start: { toolUse: { toolUseId, name } } },
];
const end = (contentBlockIndex: number): StreamEvent => ['contentBlockStop', { contentBlockIndex }];
const usage = (fields: object): StreamEvent => ['metadata', { usage: fields, metrics: { latencyMs: 1 } }];

const STARTED: ChatDelta = { type: 'start', id: 'aws-1', model: CLAUDE };
const says = (value: string): ChatDelta => ({ type: 'text', choice: 0, text: value });
const calls = (index: number, id: string, name: string): ChatDelta => ({
  type: 'tool_call',
  choice: 0,
  index,
  id,
  name,
});
const writes = (index: number, value: string): ChatDelta => ({ type: 'tool_arguments', choice: 0, index, text: value });
const finish = (reason: 'stop' | 'tool_calls' | 'content_filter' | 'length'): ChatDelta => ({
  type: 'finish',
  choice: 0,
  reason,
});

const COUNTS = { inputTokens: 7, outputTokens: 5, totalTokens: 12 };
const COUNTED: ChatDelta = { type: 'usage', usage: { inputTokens: 7, outputTokens: 5 } };

const GOLDEN: readonly (readonly [name: string, events: readonly StreamEvent[], deltas: readonly ChatDelta[]])[] = [
  [
    'text',
    [start, text(0, 'Grüße, '), text(0, '世界 🌍'), end(0), stop('end_turn'), usage(COUNTS)],
    [STARTED, says('Grüße, '), says('世界 🌍'), finish('stop'), COUNTED],
  ],
  [
    'parallel tool calls, one without arguments',
    [
      start,
      text(0, 'Let me see.'),
      end(0),
      tool(1, 't1', 'weather'),
      input(1, '{"city":'),
      input(1, '"Köln"}'),
      end(1),
      tool(2, 't2', 'clock'),
      input(2, ''),
      end(2),
      stop('tool_use'),
      usage(COUNTS),
    ],
    [
      STARTED,
      says('Let me see.'),
      calls(0, 't1', 'weather'),
      writes(0, '{"city":'),
      writes(0, '"Köln"}'),
      calls(1, 't2', 'clock'),
      writes(1, '{}'),
      finish('tool_calls'),
      COUNTED,
    ],
  ],
  [
    'signed reasoning; citations and unknown events are dropped',
    [
      start,
      delta(0, { reasoningContent: { text: 'The user wants' } }),
      delta(0, { reasoningContent: { signature: 'c2ln' } }),
      end(0),
      text(1, 'Yes'),
      delta(1, { citation: { title: 'A book' } }),
      delta(1, { somethingNew: {} }),
      ['anotherEvent', { a: 1 }],
      end(1),
      stop('max_tokens'),
      usage({ ...COUNTS, cacheReadInputTokens: 100, cacheWriteInputTokens: 20 }),
    ],
    [
      STARTED,
      { type: 'reasoning', choice: 0, text: 'The user wants' },
      { type: 'signed', choice: 0, block: { reasoningText: { text: 'The user wants', signature: 'c2ln' } } },
      says('Yes'),
      finish('length'),
      {
        type: 'usage',
        usage: { inputTokens: 127, outputTokens: 5, cachedInputTokens: 100, cacheWriteInputTokens: 20 },
      },
    ],
  ],
  [
    'a guardrail intervention, without usage',
    [start, text(0, 'I may not'), end(0), stop('guardrail_intervened')],
    [STARTED, says('I may not'), finish('content_filter')],
  ],
];

it.each(['malformed_model_output', 'malformed_tool_use'])('a response that ended with %s fails', async (reason) => {
  const streamed = await read(eventFrames([start, text(0, 'I call'), end(0), stop(reason)]));
  expect(streamed).toMatchObject({ deltas: [STARTED, says('I call')], failure: { code: 'provider_error' } });
  const content = [{ text: 'I call' }];
  const answer = { output: { message: { role: 'assistant', content } }, stopReason: reason, usage: COUNTS };
  expect(() =>
    fromConverse(
      { requestId: 'aws-1', answer },
      { ...BEDROCK, model: CLAUDE, apiKey: undefined },
      new Translation('bedrock'),
    ),
  ).toThrow('The provider bedrock failed.');
});

/** Where a frame's parts begin and end: lengths, their checksum, headers, body, checksum; and the bytes beside. */
function splits(frames: readonly Uint8Array[]): number[] {
  let begin = 0;
  const all = frames.flatMap((frame) => {
    const body = frame.indexOf('{'.charCodeAt(0));
    const within = [1, 3, 4, 5, 7, 8, 9, 11, 12, 13, body - 1, body, body + 1, frame.length - 4, frame.length - 1];
    begin += frame.length;
    return [...within.map((at) => begin - frame.length + at), begin];
  });
  return all.slice(0, -1);
}

describe.each(GOLDEN)('a stream of %s', (_name, events, deltas) => {
  const bytes = Buffer.concat(eventFrames(events));

  it('is translated delta by delta', async () => expect(await read(eventFrames(events))).toEqual({ deltas }));

  it('has the same deltas for each split of its bytes', async () => {
    expect(await read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual({ deltas });
    for (const at of splits(eventFrames(events))) {
      expect(await read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual({ deltas });
    }
  });

  it('fails if it is cut before its end, and returns a prefix of its deltas', async () => {
    const whole = eventFrames(events.filter(([type]) => type !== 'metadata')).reduce(
      (sum, { length }) => sum + length,
      0,
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole - 1 }), async (at) => {
        const got = await read([bytes.subarray(0, at)]);
        expect(got.failure).toMatchObject({ code: 'provider_error', fallback: undefined });
        expect(deltas.slice(0, got.deltas.length)).toEqual(got.deltas);
      }),
      { numRuns: 60 },
    );
  });

  it('reports a throttling exception at any place as what it means as a response', async () => {
    const frames = eventFrames(events.slice(0, -2));
    for (let at = 1; at <= frames.length; at += 1) {
      const { failure } = await read([
        ...frames.slice(0, at),
        exceptionFrame('throttlingException', 'Too many tokens'),
      ]);
      expect(failure).toMatchObject({ status: 429, message: 'Too many tokens', fallback: undefined });
      expect(failure?.internal).toMatch(/^bedrock: throttlingException in the stream$/i);
    }
  });

  it.each(['modelStreamErrorException', 'internalServerException', 'notKnownYetException'])(
    'fails without the text of %s at any place',
    async (type) => {
      const frames = eventFrames(events.slice(0, -2));
      for (let at = 1; at <= frames.length; at += 1) {
        const { failure } = await read([...frames.slice(0, at), exceptionFrame(type, 'private detail')]);
        expect(failure).toMatchObject({ code: 'provider_error', status: 502, fallback: undefined });
        expect(failure?.internal).toMatch(new RegExp(`^bedrock: ${type} in the stream$`, 'i'));
        expect(JSON.stringify([failure?.message, failure?.internal])).not.toContain('private');
      }
    },
  );
});

describe('reasoning without a signature', () => {
  const thinks = (value: unknown) => delta(0, { reasoningContent: { text: value } });
  const events = [start, thinks('The user'), thinks(' wants'), end(0), text(1, 'Yes'), end(1), stop('end_turn')];
  const thoughts = ['The user', ' wants'].map((each): ChatDelta => ({ type: 'reasoning', choice: 0, text: each }));

  it.each([
    ...['us.deepseek.r1-v1:0', 'deepseek.v3.2', 'openai.gpt-oss-120b-1:0'],
    'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.deepseek.r1-v1:0',
    'arn:aws-us-gov:bedrock:us-gov-west-1::foundation-model/openai.gpt-oss-120b-1:0',
  ])('of %s comes as it is written', async (model) => {
    const { deltas } = await read(eventFrames([...events, usage(COUNTS)]), model);
    expect(deltas.slice(1, -2)).toEqual([...thoughts, says('Yes')]);
  });

  it.each([
    [true, CLAUDE],
    [true, `arn:aws:bedrock:eu-central-1:123456789012:inference-profile/eu.${CLAUDE}`],
    [true, 'arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/a1b2'],
    [true, 'arn:aws:bedrock:eu-central-1:123456789012:provisioned-model/a1b2'],
    [false, 'us.deepseek.r1-v1:0'],
    [false, 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.deepseek.r1-v1:0'],
  ])('is needed back with its signature: %s for %s', (expected, model) => {
    expect(signsReasoning(model)).toBe(expected);
  });

  it.each([
    [false, {}],
    [true, { service_tier: 'priority' }],
    [true, { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://x' } }] }] }],
  ])('is needed back from the store: %s for a request of Messages with %j', (expected, more) => {
    const value = { model: CLAUDE, max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }], ...more };
    const call = { operation: 'anthropic-messages', source: { value, text: '' } } as never;
    expect(subject.signs(CLAUDE, call)).toBe(expected);
    expect(subject.signs(CLAUDE, { operation: 'openai-chat', source: { value, text: '' } } as never)).toBe(true);
    expect(subject.signs('arn:aws:bedrock:eu-central-1:1:application-inference-profile/a', call)).toBe(true);
  });

  it('that is no text is no error', async () => {
    const { deltas } = await read(
      eventFrames([start, thinks(7), text(1, 'Yes'), stop('end_turn'), usage(COUNTS)]),
      'deepseek.v3.2',
    );
    expect(deltas.slice(1, -2)).toEqual([says('Yes')]);
  });

  it.each<[string, object, string | undefined]>([
    ['plain', { reasoningText: { text: 'The user wants' } }, 'The user wants'],
    ['signed', { reasoningText: { text: 'The user wants', signature: 'c2ln' } }, 'The user wants'],
    ['no text', { reasoningText: { text: 7 } }, undefined],
    ['encrypted', { redactedContent: new Uint8Array(3) }, undefined],
  ])('in a whole response: %s', (_, reasoningContent, expected) => {
    const output = { message: { role: 'assistant', content: [{ reasoningContent }, { text: 'Yes' }] } };
    const { choices } = fromConverse(
      { requestId: 'aws-1', answer: { output, stopReason: 'end_turn' } },
      { ...BEDROCK, model: 'deepseek.v3.2', apiKey: undefined },
      new Translation('bedrock'),
    );
    expect(choices).toMatchObject([{ text: 'Yes' }]);
    expect(choices[0]?.reasoning).toBe(expected);
  });
});

it('the ids of a response do not hold the key of its call', async () => {
  const call = { ...BEDROCK, model: CLAUDE, apiKey: 'planted-bedrock-key-1' };
  const [requestId, toolUseId] = [call.apiKey, `tool-${call.apiKey}`];
  const content = [{ toolUse: { toolUseId, name: 'f' } }];
  const whole = fromConverse(
    { requestId, answer: { output: { message: { content } } } },
    call,
    new Translation('bedrock'),
  );
  const events = (async function* () {
    yield { messageStart: {} };
    yield { contentBlockStart: { contentBlockIndex: 0, start: { toolUse: { toolUseId, name: 'f' } } } };
    yield { messageStop: {} };
  })();
  const deltas: ChatDelta[] = [];
  for await (const batch of readConverseStream({ requestId, events }, call, new Translation('bedrock')))
    deltas.push(...batch);
  for (const made of [whole, deltas]) {
    expect(JSON.stringify(made)).toContain('tool-[REDACTED_PROVIDER_KEY]');
    expect(JSON.stringify(made)).not.toContain(call.apiKey);
  }
});

it.each([
  ['throttlingException', { status: 429, fallback: 'after_retry', message: 'detail' }],
  ['serviceUnavailableException', { status: 502, fallback: 'after_retry' }],
  ['modelStreamErrorException', { status: 502, fallback: 'after_retry' }],
  ['validationException', { status: 400, fallback: undefined, message: 'detail' }],
  ['notKnownYetException', { status: 502, fallback: undefined }],
])('a stream that begins with %s had no answer: others may be asked', async (type, expected) => {
  expect((await read([exceptionFrame(type, 'detail')])).failure).toMatchObject(expected);
});

describe('an invalid stream', () => {
  const corrupt = eventFrames([start, text(0, 'Hi')]).map((frame, at) => {
    const bytes = Uint8Array.from(frame);
    if (at === 1) bytes.set([(bytes[60] as number) ^ 1], 60);
    return bytes;
  });
  it.each<[string, readonly Uint8Array[]]>([
    ['empty', []],
    ['without a start', eventFrames([text(0, 'Hi')])],
    ['with two starts', eventFrames([start, start])],
    ['with a frame whose checksum is wrong', corrupt],
    ['no frames at all', [Buffer.from('<html>')]],
  ])('%s', async (_name, given) => {
    const { failure } = await read(given);
    expect(failure).toMatchObject({ code: 'provider_error', status: 502 });
  });
});

describe('without credentials', () => {
  const refuse = async () => {
    throw new Error('asked');
  };
  const calls = { converse: refuse, converseStream: refuse, invoke: refuse, invokeStream: refuse };
  const refusing = { ...calls, http: { send: refuse } };
  it('no call is made', async () => {
    const keyless = new BedrockProvider({
      name: 'bedrock',
      keyVariable: 'BEDROCK_API_KEY',
      runtime: refusing,
      keyless: false,
      apiKey: async () => undefined,
      headTimeoutMs: 1_000,
      idleTimeoutMs: 1_000,
    });
    await expect(keyless.complete(chatCall())).rejects.toMatchObject({
      code: 'provider_error',
      message: 'The provider bedrock is not configured here: set BEDROCK_API_KEY, or AWS_REGION and AWS credentials.',
      fallback: 'now',
    });
  });

  it.each(['a b', 'é', 'a?b', 'a%2Fb'])('%s is not a model name', async (model) => {
    const asking = new BedrockProvider({
      name: 'bedrock',
      keyVariable: 'BEDROCK_API_KEY',
      runtime: refusing,
      keyless: true,
      apiKey: async () => undefined,
      headTimeoutMs: 1_000,
      idleTimeoutMs: 1_000,
    });
    await expect(asking.complete(chatCall({}, model))).rejects.toMatchObject({ code: 'invalid_value' });
  });
});
