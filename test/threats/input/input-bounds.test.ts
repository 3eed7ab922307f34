import { describe, expect, test } from '@jest/globals';
import { readJsonDocument } from '../../../functions/kernel/json/index.ts';
import { finish } from '../../../functions/kernel/tasks/index.ts';
import type { ProtocolName } from '../../../functions/translation/protocols/protocol.ts';
import { protocolOf } from '../../support/protocol-of.ts';

const BYTES = 50_000;
const TEXT = 'x'.repeat(BYTES);
const CONTEXT = 128_000;
const URL = 'https://example.com/film.mp4';

/** The input tokens that are reserved for a body. */
async function bound(name: ProtocolName, body: object): Promise<number> {
  const protocol = await protocolOf(name);
  return protocol.boundInputTokens(protocol.check(readJsonDocument(JSON.stringify(body))), CONTEXT, 'm');
}

const saying = (part: object, more: object = {}) => ({
  model: 'm',
  messages: [{ role: 'user', content: [part], ...more }],
});
const asking = (part: object, more: object = {}) => ({
  model: 'm',
  input: [{ role: 'user', content: [part], ...more }],
});
const telling = (part: object, more: object = {}) => ({ ...saying(part, more), max_tokens: 9 });
const parts = (part: object, more: object = {}) => ({ contents: [{ role: 'user', parts: [part], ...more }] });
const CHAT = saying({ type: 'text', text: 'a' });
const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } };
const SOURCE = { type: 'base64', media_type: 'image/png', data: 'aGk=' };
const INLINE = { inlineData: { mimeType: 'image/png', data: 'aGk=' } };
const COMPLETION = { model: 'm', prompt: 'a' };
const EMBEDDING = { model: 'm', input: 'a' };
const RERANK = { model: 'm', query: 'a', documents: ['a'] };
const ONE = { content: { parts: [{ text: 'a' }] } };

/** Bodies by protocol, from what a client adds to them. */
const WITH: readonly (readonly [ProtocolName, string, (more: object) => object])[] = [
  ['openai-chat', 'the body', (more) => ({ ...CHAT, ...more })],
  ['openai-chat', 'a message', (more) => saying({ type: 'text', text: 'a' }, more)],
  ['openai-chat', 'a picture', (more) => saying({ ...IMAGE, ...more })],
  ['openai-chat', "a picture's address", (more) => saying({ ...IMAGE, image_url: { ...IMAGE.image_url, ...more } })],
  [
    'openai-chat',
    'audio',
    (more) => saying({ type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' }, ...more }),
  ],
  ['openai-completions', 'the body', (more) => ({ ...COMPLETION, ...more })],
  ['openai-embeddings', 'the body', (more) => ({ ...EMBEDDING, ...more })],
  ['rerank', 'the body', (more) => ({ ...RERANK, ...more })],
  ['rerank', 'a document', (more) => ({ ...RERANK, documents: [{ text: 'a', ...more }] })],
  ['openai-responses', 'the body', (more) => ({ ...EMBEDDING, ...more })],
  ['openai-responses', 'an item', (more) => asking({ type: 'input_text', text: 'a' }, more)],
  ['openai-responses', 'a picture', (more) => asking({ type: 'input_image', image_url: URL, ...more })],
  [
    'openai-responses',
    'audio',
    (more) => asking({ type: 'input_audio', input_audio: { data: 'a', format: 'wav' }, ...more }),
  ],
  ['anthropic-messages', 'the body', (more) => ({ ...telling({ type: 'text', text: 'a' }), ...more })],
  ['anthropic-messages', 'a message', (more) => telling({ type: 'text', text: 'a' }, more)],
  ['anthropic-messages', 'a picture', (more) => telling({ type: 'image', source: SOURCE, ...more })],
  [
    'anthropic-messages',
    'a result',
    (more) => telling({ type: 'tool_result', tool_use_id: 't', content: [], ...more }),
  ],
  ['gemini', 'the body', (more) => ({ ...parts({ text: 'a' }), ...more })],
  ['gemini', 'a content', (more) => parts({ text: 'a' }, more)],
  ['gemini', 'a picture', (more) => parts({ ...INLINE, ...more })],
  ['gemini-embed-content', 'the body', (more) => ({ ...ONE, ...more })],
  ['gemini-embed-content', 'its content', (more) => ({ content: { ...ONE.content, ...more } })],
  ['gemini-batch-embed-contents', 'the body', (more) => ({ requests: [ONE], ...more })],
  ['gemini-batch-embed-contents', 'a request', (more) => ({ requests: [{ ...ONE, ...more }] })],
  ['openai-images', 'the body', (more) => ({ model: 'm', prompt: 'a', ...more })],
  ['openai-speech', 'the body', (more) => ({ model: 'm', input: 'a', voice: 'alloy', ...more })],
];

describe('the input that a limit reserves has each byte of text', () => {
  test.each(WITH)('%s: in members that we do not know of %s, and in their names', async (name, _, bodyOf) => {
    const none = await bound(name, bodyOf({}));
    for (const more of [{ note: TEXT }, { note: { list: [{ text: TEXT }] } }, { [TEXT]: 1 }]) {
      expect((await bound(name, bodyOf(more))) - none).toBeGreaterThanOrEqual(BYTES);
    }
  });

  test('with each prompt or document that a server may put it before', async () => {
    const repeated = [
      ['openai-completions', { model: 'm', prompt: ['a', 'b', 'c'], suffix: TEXT }],
      ['openai-completions', { model: 'm', prompt: ['a', 'b', 'c'], prompt_template: TEXT }],
      ['openai-embeddings', { model: 'm', input: ['a', 'b', 'c'], instruction: TEXT }],
      ['rerank', { ...RERANK, documents: ['a', 'b', 'c'], instruction: TEXT }],
    ] as const;
    for (const [name, body] of repeated) expect(await bound(name, body)).toBeGreaterThanOrEqual(3 * BYTES);
  });

  test('and settings of the API once, however many prompts', async () => {
    const many = Array.from({ length: 1_000 }, () => 'a');
    const embedding = { model: 'm', input: many, encoding_format: 'base64', user: 'one' };
    const completion = { model: 'm', prompt: many, max_tokens: 5, stop: ['x'], user: 'one' };
    expect(await bound('openai-embeddings', embedding)).toBeLessThan(1_200);
    expect(await bound('openai-completions', completion)).toBeLessThan(1_200);
  });
});

describe('what a provider reads from an address is the whole context', () => {
  const film = { fileData: { fileUri: URL } };
  const media = { inlineData: { mimeType: 'video/mp4', data: 'aGk=' } };
  const result = (part: object) => parts({ functionResponse: { name: 'f', response: {}, parts: [part] } });

  test.each<[ProtocolName, string, object]>([
    ['openai-chat', 'the body', { ...CHAT, mcp_servers: [{ type: 'url', url: URL }] }],
    ['openai-responses', 'a part', asking({ type: 'input_video', video_url: URL })],
    ['openai-responses', 'a part', asking({ type: 'media', source: { url: 'data:video/mp4;base64,aGk=' } })],
    [
      'openai-responses',
      'a result',
      {
        model: 'm',
        input: [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_video', video_url: URL }] }],
      },
    ],
    ['anthropic-messages', 'a block', telling({ type: 'video', source: { type: 'url', url: URL } })],
    [
      'anthropic-messages',
      'a result',
      telling({
        type: 'tool_result',
        tool_use_id: 't',
        content: [{ type: 'audio', source: { type: 'url', url: URL } }],
      }),
    ],
    ['gemini', 'a result', result(film)],
    ['gemini', 'a result', result(media)],
    ['gemini', 'the system instruction', { ...parts({ text: 'a' }), systemInstruction: { parts: [film] } }],
    [
      'gemini-embed-content',
      'a result',
      { content: { parts: [{ functionResponse: { name: 'f', response: {}, parts: [film] } }] } },
    ],
  ])('%s: in %s', async (name, _, body) => {
    expect(await bound(name, body)).toBeGreaterThanOrEqual(CONTEXT);
  });

  test('but not an address in a text', async () => {
    expect(await bound('openai-responses', asking({ type: 'input_text', text: URL }))).toBeLessThan(1_000);
    const call = { type: 'tool_use', id: 't', name: 'f', input: { url: URL } };
    expect(await bound('anthropic-messages', telling(call))).toBeLessThan(1_000);
    const shell = { type: 'shell_call_output', call_id: 'c', output: [{ stdout: URL, stderr: '' }] };
    expect(await bound('openai-responses', { model: 'm', input: [shell] })).toBeLessThan(1_000);
  });

  test('and a picture in the result of a computer call is a picture', async () => {
    const output = { type: 'computer_screenshot', image_url: URL };
    const input = [{ type: 'computer_call_output', call_id: 'c', output }];
    expect(await bound('openai-responses', { model: 'm', input })).toBeGreaterThanOrEqual(48_000);
  });

  test('and so is audio in another field than the file', async () => {
    const form = { file: { filename: 'a.wav', bytes: 9 }, model: 'whisper-1' };
    for (const more of [{ url: URL }, { audio_url: URL }, { source: ['data:audio/wav;base64,aGk='] }]) {
      const protocol = await protocolOf('openai-transcriptions');
      const body = protocol.check(readJsonDocument(JSON.stringify({ ...form, ...more })));
      expect(protocol.boundInputTokens(body, CONTEXT, 'm')).toBe(CONTEXT);
      expect(protocol.unseenUsage?.(body, 'm').inputTokens).toBeGreaterThan(CONTEXT);
      const { skipped } = finish(protocol.texts(body));
      expect(skipped).toContainEqual({ path: [Object.keys(more)[0]], what: 'audio' });
    }
    const spoken = { prompt: URL, known_speaker_references: ['data:audio/wav;base64,(99 characters)'] };
    expect(await bound('openai-transcriptions', { ...form, ...spoken })).toBeLessThan(1_000);
  });
});
