import { describe, expect, it } from '@jest/globals';
import type { HttpRequest } from '../../../kernel/http/index.ts';
import { readJsonDocument } from '../../../kernel/json/index.ts';
import { RESPONSES_PROTOCOL } from '../../protocols/openai-responses/responses-protocol.ts';
import { type ChatCall, Translation } from '../../routing/index.ts';
import { toAnthropicRequest } from '../anthropic/to-anthropic-request.ts';
import { toGeminiRequest } from '../gemini/to-gemini-request.ts';
import { OpenAiProvider } from './openai-provider.ts';
import { readResponsesStream } from './openai-streams.ts';
import { COMMON_DIALECT, OPENAI_DIALECT } from './to-openai-request.ts';

const EVENTS = [
  '{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","output":[]}}',
  '{"type":"response.output_text.delta","sequence_number":1,"delta":"é: \\"type\\":\\"response.completed\\""}',
  '{"type":"response.completed","sequence_number":2,"response":{"id":"resp_1","output":[]}}',
];
const named = (events: readonly string[]) =>
  events.map((json) => `event: ${JSON.parse(json).type}\ndata: ${json}\n\n`).join('');
const unnamed = (events: readonly string[]) => events.map((json) => `data: ${json}\n\n`).join('');

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function readAll(text: string, size = 1_000): Promise<string[]> {
  const all: string[] = [];
  for await (const batch of readResponsesStream('openai', inPieces(text, size))) all.push(...batch);
  return all;
}

describe('a streamed response', () => {
  it('has the same events, up to the final one, for each split of its bytes', async () => {
    for (const text of [named(EVENTS), unnamed(EVENTS), `${named(EVENTS)}data: [DONE]\n\n`]) {
      for (let size = 1; size < 80; size += 1) expect(await readAll(text, size)).toEqual(EVENTS);
    }
  });

  it.each(['response.completed', 'response.incomplete', 'response.failed', 'error'])('ends with %s', async (type) => {
    const last = JSON.stringify({ type, sequence_number: 1 });
    expect(await readAll(named([EVENTS[0] as string, last, EVENTS[1] as string]))).toEqual([EVENTS[0], last]);
  });

  it('fails without a final event', async () => {
    for (const text of [named(EVENTS.slice(0, 2)), unnamed(EVENTS.slice(0, 2)), '']) {
      await expect(readAll(text)).rejects.toMatchObject({ code: 'provider_error' });
    }
  });
});

function callOf(body: object, more: Partial<ChatCall> = {}): ChatCall {
  const source = readJsonDocument(JSON.stringify({ model: 'gpt-x', input: 'Hi', ...body }));
  const request = RESPONSES_PROTOCOL.read(RESPONSES_PROTOCOL.check(source));
  return {
    operation: 'openai-responses',
    source,
    request,
    model: 'gpt-x',
    translation: new Translation('openai'),
    signal: new AbortController().signal,
    ...more,
  };
}

function provider(answer: string, dialect = OPENAI_DIALECT) {
  const requests: HttpRequest[] = [];
  const http = {
    async send(request: HttpRequest) {
      requests.push(request);
      return { status: 200, headers: {}, body: inPieces(answer, 7) };
    },
  };
  const options = { name: 'p', http, dialect, apiKey: async () => 'k', keyVariable: 'P', baseUrl: 'http://p/v1' };
  return { requests, provider: new OpenAiProvider({ ...options, headTimeoutMs: 1, idleTimeoutMs: 1 }) };
}

describe('a provider', () => {
  it('with the Responses API gets the body unchanged, limited if a limit needs it', async () => {
    const { requests, provider: openai } = provider('{"object":"response"}');
    const call = callOf({ x: 1 });
    expect(await openai.complete(call)).toEqual({ kind: 'native', body: '{"object":"response"}' });
    await openai.complete({ ...call, imposedMaxTokens: 9 });
    const bounded = callOf({ max_output_tokens: 5 });
    await openai.complete({ ...bounded, imposedMaxTokens: 5 });
    expect(requests.map(({ url, body }) => [url, body])).toEqual([
      ['http://p/v1/responses', call.source.text],
      ['http://p/v1/responses', call.source.text.replace('"x":1', '"x":1,"max_output_tokens":9')],
      ['http://p/v1/responses', bounded.source.text],
    ]);
    expect(openai.isNative('openai-responses')).toBe(true);
  });

  it('with chats alone gets a chat completion, with shared fields under its names', async () => {
    const completion = {
      id: 'c',
      model: 'm',
      choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }],
    };
    const { requests, provider: groq } = provider(JSON.stringify(completion), COMMON_DIALECT);
    const format = { type: 'json_schema', name: 's', schema: { type: 'object' }, strict: true };
    const call = callOf({
      instructions: 'Be kind.',
      text: { format, verbosity: 'low' },
      reasoning: { effort: 'low' },
      metadata: { a: 'b' },
      max_output_tokens: 5,
    });
    const answer = await groq.complete(call);
    expect(answer).toMatchObject({ kind: 'translated', completion: { choices: [{ text: 'Hi' }] } });
    expect(requests[0]?.url).toBe('http://p/v1/chat/completions');
    expect(JSON.parse(requests[0]?.body as string)).toEqual({
      model: 'gpt-x',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hi' },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 's', schema: { type: 'object' }, strict: true } },
      reasoning_effort: 'low',
      max_tokens: 5,
    });
    expect(call.translation.warnings.map(({ field }) => field)).toEqual(['metadata', 'text.verbosity']);
    expect([groq.serves.has('openai-responses'), groq.isNative('openai-responses')]).toEqual([true, false]);
  });

  it('of another API gets the fields that it supports, and rejects what changes the result', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const format = { type: 'json_schema', name: 's', schema };
    const { request } = callOf({ text: { format }, reasoning: { effort: 'low' } });
    const translation = new Translation('x');
    expect(toGeminiRequest(request, 'gemini-2.5-flash', translation)).toMatchObject({
      generationConfig: { responseJsonSchema: schema, thinkingConfig: { thinkingBudget: 1_024 } },
    });
    expect(toAnthropicRequest(request, 'claude-opus-5', translation)).toMatchObject({
      output_config: { effort: 'low', format: { type: 'json_schema' } },
    });
    expect(translation.warnings).toEqual([]);
    expect(() => toAnthropicRequest(request, 'claude-opus-4-1', translation)).toThrow(
      expect.objectContaining({ param: 'text.format' }),
    );
  });
});
