import { describe, expect, it } from '@jest/globals';
import { readJsonDocument } from '../../../kernel/json/index.ts';
import { finish } from '../../../kernel/tasks/index.ts';
import { describeSkipped } from '../bodies/skipped.fixture.ts';
import type { Protocol } from '../protocol.ts';
import { modelEdits } from './gemini-calls.ts';
import { geminiCountProtocol } from './gemini-count-tokens.ts';
import { geminiBatchEmbedProtocol, geminiEmbedProtocol } from './gemini-embeddings.ts';

const COUNT = geminiCountProtocol('gemini-x');
const EMBED = geminiEmbedProtocol('gemini-x');
const BATCH = geminiBatchEmbedProtocol('gemini-x');

const check = <Body>(protocol: Protocol<Body>, body: unknown) => protocol.check(readJsonDocument(JSON.stringify(body)));
/** The texts of a body that are no names, by path, with who is taken for their author. */
const texts = <Body>(protocol: Protocol<Body>, body: unknown) =>
  finish(protocol.texts(check(protocol, body)))
    .texts.filter(({ name, isFixed }) => name !== 'member' && !isFixed)
    .map(({ path, author }) => `${path.join('.')} ${author}`);

const text = (one: string) => ({ parts: [{ text: one }] });
const IMAGE = { inline_data: { mime_type: 'image/png', data: 'AAAA' } };

describe('an invalid body is refused by its field', () => {
  it.each([
    [COUNT, 'contents', {}],
    [COUNT, 'contents', { contents: [] }],
    [COUNT, 'contents', { contents: [text('a')], generateContentRequest: { contents: [text('a')] } }],
    [COUNT, 'note', { note: 'Ignore all', generate_content_request: { contents: [text('a')] } }],
    [COUNT, 'generateContentRequest.contents', { generateContentRequest: {} }],
    [
      COUNT,
      'generateContentRequest.model',
      { generateContentRequest: { model: 'models/dear', contents: [text('a')] } },
    ],
    [COUNT, 'generateContentRequest', { generateContentRequest: {}, generate_content_request: {} }],
    [EMBED, 'content', {}],
    [EMBED, 'content.parts[0].text', { content: { parts: [{ text: 7 }] } }],
    [EMBED, 'model', { model: 'models/dear', content: text('a') }],
    [BATCH, 'requests', { requests: [] }],
    [BATCH, 'requests', { requests: Array.from({ length: 2049 }, () => ({ content: text('a') })) }],
    [BATCH, 'requests[1].content', { requests: [{ content: text('a') }, {}] }],
    [BATCH, 'requests[1].model', { requests: [{ content: text('a') }, { content: text('b'), model: 'models/dear' }] }],
  ] as [Protocol<unknown>, string, object][])('%#: %s', (protocol, param, body) =>
    expect(() => check(protocol, body)).toThrow(expect.objectContaining({ param })),
  );

  it('reads none of too many requests', () => {
    const unread = {
      get content(): object {
        throw new Error('read');
      },
    };
    const requests = Array.from({ length: 1_000_000 }, () => unread);
    expect(() => BATCH.check({ value: { requests } } as never)).toThrow("'requests': must be at most 2048");
  });
});

describe('every text is read', () => {
  it('of contents that are counted, and of a whole request, in either spelling', () => {
    expect(texts(COUNT, { contents: [text('a')], system_instruction: text('s') })).toEqual([
      'system_instruction.parts.0.text operator',
      'contents.0.parts.0.text user',
    ]);
    const whole = {
      contents: [text('a'), { role: 'model', ...text('b') }],
      systemInstruction: text('s'),
      labels: { x: 'y z' },
    };
    expect(texts(COUNT, { generate_content_request: whole })).toEqual([
      'generate_content_request.systemInstruction.parts.0.text operator',
      'generate_content_request.contents.0.parts.0.text user',
      'generate_content_request.contents.1.parts.0.text assistant',
      'generate_content_request.labels.x user',
    ]);
  });

  it('of contents to embed, with their titles and unknown fields; media are named', () => {
    const request = { content: { parts: [{ text: 'a b' }, IMAGE] }, title: 'c d', note: 'e f', taskType: 'CLUSTERING' };
    expect(texts(EMBED, { ...request, model: 'models/gemini-x' })).toEqual([
      'content.parts.0.text user',
      'title user',
      'note user',
    ]);
    const batch = { requests: [request, { ...request, model: 'gemini-x' }] };
    expect(texts(BATCH, batch)).toEqual(
      [0, 1].flatMap((at) => [
        `requests.${at}.content.parts.0.text user`,
        `requests.${at}.title user`,
        `requests.${at}.note user`,
      ]),
    );
    expect(finish(BATCH.texts(check(BATCH, batch))).skipped.map(describeSkipped)).toEqual([
      'requests[0].content.parts[1]: media',
      'requests[1].content.parts[1]: media',
    ]);
  });
});

describe('limits', () => {
  it('bound the tokens of a batch by all its texts', () => {
    const one = BATCH.boundInputTokens(
      check(BATCH, { requests: [{ content: text('x'.repeat(1_000)) }] }),
      undefined,
      'm',
    );
    const requests = Array.from({ length: 10 }, () => ({ content: text('x'.repeat(1_000)), title: 'y'.repeat(500) }));
    const ten = BATCH.boundInputTokens(check(BATCH, { requests }), undefined, 'm');
    expect(one).toBeGreaterThanOrEqual(1_000);
    expect(ten).toBeGreaterThanOrEqual(15_000);
  });

  it('count no other model than the path, but every other name of one', () => {
    const requests = [{ content: text('a'), model: 'models/gemini-x' }];
    expect(BATCH.furtherModels({ requests })).toEqual([]);
    expect(BATCH.furtherModels({ requests: [{ ...requests[0], fallback_model: 'dear' }] })).toMatchObject([
      { name: 'dear', param: 'requests[0].fallback_model' },
    ]);
    expect(COUNT.furtherModels({ generateContentRequest: { model: 'models/gemini-x', contents: [] } })).toEqual([]);
  });

  it('leave files and cached contents of other keys alone', () => {
    const namedIn = COUNT.namedIds as NonNullable<typeof COUNT.namedIds>;
    const named = {
      contents: [{ parts: [{ fileData: { fileUri: 'files/abc' } }] }],
      cachedContent: 'cachedContents/1',
    };
    expect(finish(namedIn({ generateContentRequest: named })).map(({ id }) => id)).toEqual([
      'files/abc',
      'cachedContents/1',
    ]);
  });
});

it("names the provider's model wherever the path's is named", () => {
  const requests = [{ model: 'models/alias' }, {}, { model: 'models/real' }];
  expect(modelEdits({ requests }, 'real')).toEqual([
    { kind: 'replace', path: ['requests', 0, 'model'], json: '"models/real"' },
  ]);
  expect(modelEdits({ model: 'alias', generate_content_request: { model: 'alias' } }, 'real')).toHaveLength(2);
});

describe('a response', () => {
  const read = <Body>(protocol: Protocol<Body>, json: string) =>
    protocol.format({} as never, {} as never, {} as never).readPiece(json);

  it.each([
    [COUNT, '{"totalTokens":3}', undefined],
    [COUNT, '{"totalTokens":"three"}', 'no token count'],
    [COUNT, '{"error":{"message":"x"}}', 'no token count'],
    [EMBED, '{"embedding":{"values":[0.1]}}', undefined],
    [EMBED, '{"embedding":[0.1]}', 'no embeddings'],
    [BATCH, '{"embeddings":[{"values":[0.1]}]}', undefined],
    [BATCH, '{}', 'no embeddings'],
  ] as [Protocol<unknown>, string, string | undefined][])('%#: %s', (protocol, json, fault) =>
    expect(read(protocol, json).fault).toBe(fault),
  );

  it('has usage only if Google reports it, and its texts are inspected', () => {
    expect(read(EMBED, '{"embedding":{},"usageMetadata":{"promptTokenCount":7}}').usage).toEqual({
      inputTokens: 7,
      outputTokens: 0,
    });
    expect(read(EMBED, '{"embedding":{}}').usage).toBeUndefined();
    expect(read(EMBED, '{"embedding":{"note":"some words"}}').slots).toMatchObject([{ text: 'some words' }]);
  });
});
