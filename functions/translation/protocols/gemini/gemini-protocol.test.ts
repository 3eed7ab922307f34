import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readJsonDocument } from '../../../kernel/json/index.ts';
import type { ChatDelta, SecurityInfo } from '../../../kernel/model/index.ts';
import { finish } from '../../../kernel/tasks/index.ts';
import { describeSkipped } from '../bodies/skipped.fixture.ts';
import { geminiProtocol } from './gemini-protocol.ts';
import { GeminiResponseFormat } from './gemini-response-format.ts';
import { geminiOthers, toGeminiPiece } from './gemini-response-reader.ts';

const protocol = geminiProtocol('gemini-2.5-flash', false);
const check = (body: unknown) => protocol.check(readJsonDocument(JSON.stringify(body)));
const say = (text: string) => ({ contents: [{ role: 'user', parts: [{ text }] }] });

describe('an invalid request is refused and the error names the field', () => {
  it.each([
    ['contents', 'missing_field', {}],
    ['contents', 'invalid_value', { contents: [] }],
    ['contents[0].parts', 'missing_field', { contents: [{ role: 'user' }] }],
    ['contents[0].parts[0].text', 'invalid_value', { contents: [{ parts: [{ text: 7 }] }] }],
    ['generationConfig.maxOutputTokens', 'invalid_value', { ...say('a'), generationConfig: { maxOutputTokens: 0 } }],
    ['generationConfig.temperature', 'invalid_value', { ...say('a'), generation_config: { temperature: 3 } }],
  ])('%s, %s', (param, code, body) => expect(() => check(body)).toThrow(expect.objectContaining({ code, param })));
});

describe('request texts', () => {
  const MARK = 'MARK IT';
  const texts = (body: object) =>
    finish(protocol.texts(check(body))).texts.filter(({ name, isFixed }) => name !== 'member' && !isFixed);

  it('are all strings, in either spelling, with trust by author', () => {
    const body = {
      system_instruction: { parts: [{ text: MARK }] },
      contents: [
        { role: 'user', parts: [{ text: MARK }, { inline_data: { mime_type: 'image/png', data: 'AAAA' } }] },
        { role: 'model', parts: [{ functionCall: { name: 'f', args: { deep: [{ x: MARK }] } } }] },
        { role: 'user', parts: [{ function_response: { name: 'f', response: { page: MARK } } }] },
        { role: 'model', parts: [{ text: MARK, thought: true, thoughtSignature: 'c2lnbmVkIGJ5IEdvb2dsZQ==' }] },
      ],
      tools: [{ function_declarations: [{ name: 'f', description: MARK }] }],
      generationConfig: { stopSequences: [MARK] },
      labels: { anything: MARK },
    };
    expect(texts(body).map(({ path, author, isReadOnly }) => [path.join('.'), author, isReadOnly ?? false])).toEqual([
      ['system_instruction.parts.0.text', 'operator', false],
      ['contents.0.parts.0.text', 'user', false],
      ['contents.1.parts.0.functionCall.name', 'assistant', false],
      ['contents.1.parts.0.functionCall.args.deep.0.x', 'assistant', false],
      ['contents.2.parts.0.function_response.name', 'tool', false],
      ['contents.2.parts.0.function_response.response.page', 'tool', false],
      ['contents.3.parts.0.text', 'assistant', true],
      ['tools.0.function_declarations.0.name', 'definition', false],
      ['tools.0.function_declarations.0.description', 'definition', false],
      ['generationConfig.stopSequences.0', 'definition', false],
      ['labels.anything', 'user', false],
    ]);
    expect(finish(protocol.texts(check(body))).skipped.map(describeSkipped)).toEqual(['contents[0].parts[1]: media']);
  });

  it('are found anywhere in the request', () => {
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        fc.constant(MARK),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'url', 'data', 'id'), tie('node'), { maxKeys: 3 }),
      ),
    })).node;
    const count = (given: unknown): number =>
      given === MARK
        ? 1
        : typeof given === 'object' && given !== null
          ? Object.values(given).reduce<number>((sum, item) => sum + count(item), 0)
          : 0;
    fc.assert(
      fc.property(value, value, (args, unknown) => {
        const body = { contents: [{ parts: [{ functionCall: { name: 'f', args: { args } } }] }], unknown };
        expect(texts(body).filter(({ text }) => text === MARK)).toHaveLength(count(body));
      }),
    );
  });
});

describe('reading into ChatRequest', () => {
  it('takes media of a result, and notes what is incomplete', () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'aQ==' } };
    const { messages, others } = protocol.read(
      check({
        contents: [
          { role: 'model', parts: [{ functionCall: { name: 'w' } }] },
          {
            role: 'user',
            parts: [
              { functionResponse: { name: 'w', response: {}, parts: [image, { inlineData: { data: 'aQ==' } }] } },
            ],
          },
        ],
      }),
    );
    expect(messages[1]?.parts).toMatchObject([{ type: 'text' }, { type: 'image', url: 'data:image/png;base64,aQ==' }]);
    expect(others).toMatchObject([{ path: 'contents[1].parts[0].functionResponse.parts[1]', meaning: 'essential' }]);
  });

  it('creates one message per tool result, and calls with matching ids', () => {
    const { messages, tools, toolChoice, maxOutputTokens, others } = protocol.read(
      check({
        systemInstruction: { parts: [{ text: 'Be kind.' }] },
        contents: [
          { role: 'user', parts: [{ text: 'Weather?' }] },
          { role: 'model', parts: [{ functionCall: { name: 'w', args: { a: 1 } } }, { functionCall: { name: 'w' } }] },
          {
            role: 'user',
            parts: [
              { functionResponse: { name: 'w', response: { r: 1 } } },
              { functionResponse: { name: 'w', response: { r: 2 } } },
            ],
          },
        ],
        tools: [
          { functionDeclarations: [{ name: 'w', parameters: { type: 'OBJECT', properties: {} } }] },
          { googleSearch: {} },
        ],
        toolConfig: { functionCallingConfig: { mode: 'ANY' } },
        generationConfig: { maxOutputTokens: 9, topK: 4 },
      }),
    );
    expect(
      messages.map(({ role, toolCallId, toolCalls }) => [role, toolCallId ?? toolCalls?.map(({ id }) => id)]),
    ).toEqual([
      ['system', undefined],
      ['user', undefined],
      ['assistant', ['call_1', 'call_2']],
      ['tool', 'call_1'],
      ['tool', 'call_2'],
    ]);
    expect(tools).toEqual([{ name: 'w', parameters: { type: 'object', properties: {} } }]);
    expect([toolChoice, maxOutputTokens]).toEqual(['required', 9]);
    expect(others).toEqual([
      { path: 'generationConfig.topK', meaning: 'top_k', value: 4 },
      { path: 'tools[1].googleSearch', meaning: 'hint', value: {} },
    ]);
  });
});

describe('a response', () => {
  const chunk = (parts: object[], fields: object = {}) =>
    JSON.stringify({ candidates: [{ content: { parts, role: 'model' }, index: 0, ...fields }] });

  it('exposes the texts that the model wrote; thoughts are read-only', () => {
    const json = chunk([
      { text: 'Hm', thought: true },
      { text: 'Hi' },
      { functionCall: { name: 'f', args: { q: 'x y' } } },
    ]);
    const piece = toGeminiPiece(json);
    expect(piece.slots.map(({ channel, text, isReadOnly }) => [channel, text, isReadOnly ?? false])).toEqual([
      ['candidates[0].thought', 'Hm', true],
      ['candidates[0].text', 'Hi', false],
      ['candidates[0].parts[2].functionCall.name', 'f', false],
      ['candidates[0].parts[2].functionCall.args.q', 'x y', false],
      ['candidates[0].parts[2].functionCall.args (name)', 'q', false],
    ]);
    expect([piece.ends, toGeminiPiece(chunk([], { finishReason: 'STOP' })).ends]).toEqual([false, true]);
  });

  it('exposes other texts: grounding pages, searches, the finish message', () => {
    const groundingMetadata = {
      webSearchQueries: ['café'],
      groundingChunks: [{ web: { uri: 'https://x', title: 'T' } }],
    };
    const json = chunk([{ text: 'Hi' }], { groundingMetadata, safetyRatings: [{ category: 'HARM' }] });
    const others = geminiOthers();
    toGeminiPiece(json, others);
    expect(toGeminiPiece(json, others).slots.map(({ channel, text }) => [channel, text])).toEqual([
      ['candidates[0].text', 'Hi'],
      ['candidates[0].groundingMetadata.webSearchQueries[0] (2)', 'café'],
      ['candidates[0].groundingMetadata.groundingChunks[0].web.uri (2)', 'https://x'],
      ['candidates[0].groundingMetadata.groundingChunks[0].web.title (2)', 'T'],
    ]);
    expect(toGeminiPiece(json).divisible).toBe(false);
  });

  it('exposes all arguments of a call, long numbers included, under any member name', () => {
    const args = { data: 'word', id: 'other', card: 4111111111111111, owed: -4111111111111112, small: 7 };
    expect(toGeminiPiece(chunk([{ functionCall: { name: 'f', args } }])).slots.map(({ text }) => text)).toEqual([
      'f',
      'word',
      'other',
      '4111111111111111',
      '-4111111111111112',
      'data',
      'id',
      'card',
      'owed',
      'small',
    ]);
  });

  it('is invalid if it is an error or has no known member', () => {
    expect(toGeminiPiece('{"error":{"code":500}}').fault).toMatch(/error/);
    expect(toGeminiPiece('{}').fault).toBe('no candidates');
    expect(toGeminiPiece('{"promptFeedback":{"blockReason":"SAFETY"}}').fault).toBeUndefined();
  });

  const svc = { threat_score: 0 } as never;
  const format = () => new GeminiResponseFormat({ choiceCount: 2 }, { requestId: 'req_abc', created: 1, model: 'm' });

  it('of another protocol becomes chunks: calls in one piece, usage with the end', () => {
    const deltas: ChatDelta[] = [
      { type: 'start', id: 'x', model: 'gpt' },
      { type: 'text', choice: 0, text: 'Hi' },
      { type: 'tool_call', choice: 0, index: 0, id: 'c1', name: 'f' },
      { type: 'tool_arguments', choice: 0, index: 0, text: '{"a"' },
      { type: 'tool_arguments', choice: 0, index: 0, text: ':1}' },
      { type: 'finish', choice: 0, reason: 'tool_calls' },
      { type: 'usage', usage: { inputTokens: 3, outputTokens: 4, reasoningTokens: 1 } },
    ];
    const subject = format();
    const chunks = [...deltas.flatMap((delta) => subject.encode(delta)), ...subject.encodeEnd()].map((json) =>
      JSON.parse(json),
    );
    const head = { modelVersion: 'gpt', responseId: 'abc' };
    expect(chunks).toEqual([
      { candidates: [{ content: { parts: [{ text: 'Hi' }], role: 'model' }, index: 0 }], ...head },
      {
        candidates: [
          {
            content: { parts: [{ functionCall: { id: 'c1', name: 'f', args: { a: 1 } } }], role: 'model' },
            finishReason: 'STOP',
            index: 0,
          },
        ],
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 3, totalTokenCount: 7, thoughtsTokenCount: 1 },
        ...head,
      },
    ]);
  });

  it('ends with SAFETY and svc when blocked, without the finish reason of the cut piece', () => {
    const subject = format();
    const released = subject.release(toGeminiPiece(chunk([{ text: 'a' }], { finishReason: 'STOP' })), true, () => svc);
    expect(released).toBe(chunk([{ text: 'a' }]));
    expect(subject.ended).toBe(false);
    const [end] = subject.blockedEnd(svc, {}).map((json) => JSON.parse(json));
    expect(end).toMatchObject({ candidates: [{ finishReason: 'SAFETY', index: 0 }], svc: { threat_score: 0 } });
  });
});

it('a prompt that Google blocked ends the stream, with svc', () => {
  const subject = new GeminiResponseFormat({ choiceCount: 1 }, { requestId: 'req_1', created: 1, model: 'm' });
  const svc = { action: 'allow' } as unknown as SecurityInfo;
  const piece = subject.readPiece('{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":3}}');
  expect([piece.fault, piece.ends, subject.ended]).toEqual([undefined, true, false]);
  expect(JSON.parse(subject.release(piece, false, () => svc) as string)).toMatchObject({ svc, promptFeedback: {} });
  expect(subject.ended).toBe(true);
  const unblocked = subject.readPiece('{"promptFeedback":{},"usageMetadata":{}}');
  expect(unblocked.ends).toBe(false);
});
