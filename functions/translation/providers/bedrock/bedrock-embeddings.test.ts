import { describe, expect, it } from '@jest/globals';
import type { GatewayError } from '../../../kernel/errors/index.ts';
import { readJsonDocument } from '../../../kernel/json/index.ts';
import { EMBEDDINGS_PROTOCOL } from '../../protocols/openai-embeddings/embeddings-protocol.ts';
import { BedrockFailure, Translation } from '../../routing/index.ts';
import type { BedrockInvocation, BedrockInvokeCall } from '../../routing/provider.ts';
import { BedrockProvider } from './bedrock-provider.ts';

const TITAN = 'amazon.titan-embed-text-v2:0';
const V3 = 'cohere.embed-english-v3';
const V4 = 'arn:aws:bedrock:eu-central-1:1:inference-profile/eu.cohere.embed-v4:0';

type Reply = (call: BedrockInvokeCall, at: number) => BedrockInvocation | Promise<BedrockInvocation>;

/** As the model would: for each text the vector of its length. */
const reply: Reply = ({ body }) => {
  const { inputText, texts } = JSON.parse(body) as { inputText?: string; texts?: string[] };
  const answer =
    inputText === undefined ? { embeddings: texts?.map((text) => [text.length]) } : { embedding: [inputText.length] };
  return { requestId: 'r', text: JSON.stringify(answer), inputTokens: (inputText ?? texts?.join('') ?? '').length };
};

async function embed(model: string, fields: object, answer: Reply = reply) {
  const calls: BedrockInvokeCall[] = [];
  let running = 0;
  let most = 0;
  const runtime = {
    http: { send: () => Promise.reject(new Error('not called')) },
    converse: () => Promise.reject(new Error('not called')),
    converseStream: () => Promise.reject(new Error('not called')),
    invokeStream: () => Promise.reject(new Error('not called')),
    invoke: async (call: BedrockInvokeCall) => {
      running += 1;
      most = Math.max(most, running);
      const at = calls.push(call) - 1;
      await new Promise(setImmediate);
      running -= 1;
      return answer(call, at);
    },
  };
  const source = readJsonDocument(JSON.stringify({ model, ...fields }));
  const request = EMBEDDINGS_PROTOCOL.read(EMBEDDINGS_PROTOCOL.check(source));
  const provider = new BedrockProvider({
    name: 'bedrock',
    runtime,
    keyless: true,
    apiKey: async () => undefined,
    keyVariable: 'BEDROCK_API_KEY',
    ...{ headTimeoutMs: 1_000, idleTimeoutMs: 1_000 },
  });
  const signal = new AbortController().signal;
  const done = provider.complete({
    operation: 'openai-embeddings',
    source,
    request,
    model,
    translation: new Translation('bedrock'),
    signal,
  });
  const [json, error] = await done.then(
    (response) => [JSON.parse((response as { body: string }).body), undefined],
    (thrown: GatewayError) => [undefined, thrown],
  );
  return { json, error, calls, most, bodies: calls.map(({ body }) => JSON.parse(body)) };
}

describe('embeddings', () => {
  it('of Titan are one call for each text, eight at once after the first', async () => {
    const input = Array.from({ length: 20 }, (_, at) => 'x'.repeat(at + 1));
    const { json, bodies, most } = await embed(TITAN, { input, dimensions: 256, normalize: false, user: 'u' });
    expect(json.data.map((one: { embedding: number[] }) => one.embedding)).toEqual(input.map((text) => [text.length]));
    expect(json).toMatchObject({ object: 'list', model: TITAN, usage: { prompt_tokens: 210, total_tokens: 210 } });
    expect(json.data[19]).toMatchObject({ object: 'embedding', index: 19 });
    expect(bodies[0]).toEqual({ inputText: 'x', dimensions: 256, normalize: false });
    expect([bodies.length, most]).toEqual([20, 8]);
  });

  it('of Cohere are a call for each 96 texts', async () => {
    const { json, bodies } = await embed(V3, { input: Array(100).fill('ab'), input_type: 'search_query' });
    expect(bodies.map((one) => (one as { texts: string[] }).texts.length)).toEqual([96, 4]);
    expect(bodies[1]).toMatchObject({ input_type: 'search_query' });
    expect([json.data.length, json.data[99]]).toEqual([100, { object: 'embedding', index: 99, embedding: [2] }]);
  });

  it('of Cohere v4 have its name for dimensions, and vectors by type', async () => {
    const byType: Reply = () => ({
      requestId: 'r',
      text: JSON.stringify({ embeddings: { float: [[0.5, -1]] } }),
      inputTokens: undefined,
    });
    const { json, bodies } = await embed(V4, { input: 'ab', dimensions: 512, encoding_format: 'base64' }, byType);
    expect(bodies).toEqual([{ input_type: 'search_document', texts: ['ab'], output_dimension: 512 }]);
    const bytes = Buffer.from(json.data[0].embedding, 'base64');
    expect([bytes.readFloatLE(0), bytes.readFloatLE(4)]).toEqual([0.5, -1]);
    // Unknown is not 0: the gateway estimates.
    expect(json.usage).toBeUndefined();
  });

  it.each([
    ['model', 'amazon.nova-pro-v1:0', { input: 'a' }],
    ['model', 'amazon.titan-embed-image-v1', { input: 'a' }],
    ['input', TITAN, { input: [1, 2] }],
    ['input', TITAN, { input: [[1], [2]] }],
    ['input', TITAN, { input: Array(97).fill('a') }],
    ['dimensions', V3, { input: 'a', dimensions: 256 }],
    ['dimensions', 'amazon.titan-embed-text-v1', { input: 'a', dimensions: 256 }],
    ['texts', V3, { input: 'a', texts: 'another' }],
    ['inputText', TITAN, { input: 'a', inputText: 'another' }],
    ['truncate', V3, { input: 'a', truncate: ['END'] }],
    ['embedding_types', V3, { input: 'a', embedding_types: 'int8' }],
  ])('%s is refused where a model does not have it, before a call', async (param, model, fields) => {
    const { error, calls } = await embed(model, fields);
    expect([error?.code, error?.param, calls.length]).toEqual(['invalid_value', param, 0]);
  });
});

describe('a failure', () => {
  const throttled = () => Promise.reject(new BedrockFailure('ThrottlingException', 'slow down', 429));

  it('of the first call may be repeated, and nothing was billed', async () => {
    const { error, calls } = await embed(TITAN, { input: ['a', 'b', 'c'] }, throttled);
    expect([error?.status, error?.fallback, error?.isBilled, calls.length]).toEqual([429, 'after_retry', false, 1]);
  });

  it('of a later call counts, is not repeated, and stops the others', async () => {
    const input = Array(96).fill('a');
    const { error, calls } = await embed(TITAN, { input }, (call, at) => (at === 5 ? throttled() : reply(call, at)));
    expect([error?.status, error?.fallback, error?.isBilled]).toEqual([429, undefined, true]);
    expect(calls.length).toBeLessThan(30);
    expect(calls.at(-1)?.signal.aborted).toBe(true);
  });

  it.each([
    ['nothing', undefined],
    ['another object', { embedding: ['a'] }],
    ['too few vectors', { embeddings: [[1]] }],
    ['null', null],
  ])('%s is no response', async (_, answer) => {
    const { error } = await embed(V3, { input: ['a', 'b'] }, () => ({
      requestId: 'r',
      text: answer === undefined ? 'no JSON' : JSON.stringify(answer),
      inputTokens: 1,
    }));
    expect([error?.code, error?.isBilled, error?.fallback]).toEqual(['provider_error', true, undefined]);
  });
});
