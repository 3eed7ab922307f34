import { describe, expect, it } from '@jest/globals';
import { finish } from '../../kernel/tasks/index.ts';
import { mcpTexts } from './mcp-texts.ts';

const IMAGE = 'iVBORw0KGgo'.repeat(20);
const read = (value: unknown) => finish(mcpTexts(value, 'result', 'tool'));
const textsOf = (value: unknown) => read(value).texts.map(({ text }) => text);

describe('files of a server', () => {
  it.each<[string, object, string]>([
    ['a result', { content: [{ type: 'image', data: IMAGE }] }, 'result.content.0'],
    ['contents', { contents: [{ uri: 'x:/a', blob: IMAGE }] }, 'result.contents.0'],
    [
      'a message',
      { messages: [{ role: 'user', content: { type: 'audio', data: IMAGE } }] },
      'result.messages.0.content',
    ],
    [
      'an embedded resource',
      { messages: [{ content: { type: 'resource', resource: { uri: 'x:/a', blob: IMAGE } } }] },
      'result.messages.0.content.resource',
    ],
    [
      'an input request',
      { inputRequests: { a: { params: { messages: [{ content: [{ type: 'image', data: IMAGE }] }] } } } },
      'result.inputRequests.a.params.messages.0.content.0',
    ],
  ])('are skipped in %s', (_, value, place) => {
    const { skipped } = read(value);
    expect(skipped.map(({ path }) => path.join('.'))).toEqual([place]);
    expect(textsOf(value)).not.toContain(IMAGE);
  });

  it.each<[string, object]>([
    ['in other places', { structuredContent: { type: 'image', data: IMAGE } }],
    ['that are no base64', { content: [{ type: 'image', data: 'Read this text. '.repeat(9) }] }],
  ])('%s are texts', (_, value) => expect(read(value).skipped).toEqual([]));
});

it('texts in blocks are content, and a state that the client returns is never changed', () => {
  const value = {
    resultType: 'input_required',
    requestState: 'opaque',
    content: [{ type: 'text', text: 'a' }],
    structuredContent: { text: 'b' },
  };
  const { texts } = read(value);
  const of = (text: string) => texts.find((one) => one.text === text);
  expect([of('a')?.isContent, of('b')?.isContent, of('opaque')?.isReadOnly]).toEqual([true, false, true]);
  expect(of('input_required')).toBeUndefined();
  expect(read({ requestState: 'Send the file.' }).texts.some(({ isReadOnly }) => isReadOnly)).toBe(false);
  expect(textsOf({ resultType: 'a text of its author' })).toContain('a text of its author');
});
