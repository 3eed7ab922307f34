import { describe, expect, it } from '@jest/globals';
import type { ChatMessage, ContentPart } from '../../../kernel/model/index.ts';
import { Translation } from '../../routing/index.ts';
import { errorOf, message } from './chat-request.fixture.ts';
import { toAnthropicConversation } from './to-anthropic-messages.ts';

const toConversation = (messages: readonly ChatMessage[]) => toAnthropicConversation(messages, new Translation('acme'));

const block = (value: string) => ({ type: 'text', text: value });
const toolAnswer = (id: string, ...parts: (string | ContentPart)[]): ChatMessage => ({
  ...message('tool', ...parts),
  toolCallId: id,
});
const calling = (...calls: { id: string; arguments: string }[]): ChatMessage => ({
  role: 'assistant',
  parts: [],
  toolCalls: calls.map((call) => ({ ...call, name: 'look' })),
});

describe('system messages', () => {
  it('moves system and developer messages to `system`, in order, those between turns too', () => {
    const conversation = toConversation([
      message('system', 'one', 'two'),
      message('user', 'hi'),
      message('developer', 'three'),
      message('assistant', 'hello'),
      message('system', 'four'),
      message('user', 'bye'),
    ]);
    expect(conversation.system).toEqual(['one', 'two', 'three', 'four'].map(block));
    expect(conversation.messages).toEqual([
      { role: 'user', content: [block('hi')] },
      { role: 'assistant', content: [block('hello')] },
      { role: 'user', content: [block('bye')] },
    ]);
  });

  it('refuses anything but text in them', () => {
    const image: ContentPart = { type: 'image', url: 'https://example.com/a.png' };
    expect(errorOf(() => toConversation([message('system', 'a', image), message('user', 'b')]))).toMatchObject({
      code: 'invalid_value',
      param: 'messages[0].content[1]',
    });
  });
});

describe('user content', () => {
  const blocksOf = (...parts: ContentPart[]) => toConversation([{ role: 'user', parts }]).messages[0]?.content;
  const refused = (part: ContentPart) =>
    errorOf(() => toConversation([message('system', 'x'), { role: 'user', parts: [part] }]));

  it('gives an image by https address as a url source', () => {
    expect(blocksOf({ type: 'image', url: 'https://example.com/a.png', detail: 'low' })).toEqual([
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
    ]);
  });

  it.each([
    ['data:image/png;base64,iVBORw0KGgo=', 'image/png', 'iVBORw0KGgo='],
    ['DATA:image/JPEG;name=a.jpg;Base64,/9j/4A==', 'image/jpeg', '/9j/4A=='],
  ])('gives an image by data URL as a base64 source: %s', (url, mediaType, data) => {
    expect(blocksOf({ type: 'image', url })).toEqual([
      { type: 'image', source: { type: 'base64', media_type: mediaType, data } },
    ]);
  });

  it.each([
    'http://example.com/a.png',
    'file:///etc/passwd',
    'data:image/svg+xml;base64,PHN2Zz4=',
    'data:image/png,raw',
    'data:;base64,AAAA',
    'data:image/png;base64',
  ])('refuses an image from %s', (url) => {
    expect(refused({ type: 'image', url })).toMatchObject({
      code: 'invalid_value',
      param: 'messages[1].content[0]',
    });
  });

  it('gives a PDF as a document', () => {
    expect(blocksOf({ type: 'file', filename: 'a.pdf', data: 'data:application/pdf;base64,JVBERi0=' })).toEqual([
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
        title: 'a.pdf',
      },
    ]);
  });

  it.each<[string, ContentPart]>([
    ['audio', { type: 'audio', data: 'UklGRg==', format: 'wav' }],
    ['a file by id', { type: 'file', fileId: 'file-123' }],
    ['a file of another kind', { type: 'file', data: 'data:text/csv;base64,YSxi' }],
    ['a file that is not base64', { type: 'file', data: 'JVBERi0=' }],
  ])('refuses %s', (_name, part) => {
    expect(refused(part)).toMatchObject({ code: 'invalid_value', param: 'messages[1].content[0]' });
  });

  it('drops blank texts and the name of a message', () => {
    const conversation = toConversation([
      { ...message('user', '', 'hi', ' \n'), name: 'ann' },
      message('assistant', ''),
    ]);
    expect(conversation.messages).toEqual([{ role: 'user', content: [block('hi')] }]);
  });

  it('refuses a conversation that has nothing left', () => {
    expect(errorOf(() => toConversation([message('system', 'x'), message('user', '')]))).toMatchObject({
      code: 'invalid_value',
      param: 'messages',
    });
  });
});

describe('assistant messages', () => {
  it('gives text, refusal and tool calls as blocks, in this order', () => {
    const said: ChatMessage = {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'Looking.' },
        { type: 'refusal', text: 'Not that.' },
      ],
      toolCalls: [
        { id: 'call_1', name: 'look', arguments: '{"at":["x",1]}' },
        { id: 'call_2', name: 'list', arguments: '' },
      ],
    };
    expect(toConversation([said]).messages).toEqual([
      {
        role: 'assistant',
        content: [
          block('Looking.'),
          block('Not that.'),
          { type: 'tool_use', id: 'call_1', name: 'look', input: { at: ['x', 1] } },
          { type: 'tool_use', id: 'call_2', name: 'list', input: {} },
        ],
      },
    ]);
  });

  it.each(['{"a":', 'null', '[1]', '"text"', '7'])('refuses %s as tool arguments', (value) => {
    const calls = calling({ id: 'a', arguments: '{}' }, { id: 'b', arguments: value });
    const error = errorOf(() => toConversation([message('user', 'hi'), calls]));
    expect(error).toMatchObject({
      code: 'invalid_value',
      param: 'messages[1].tool_calls[1].function.arguments',
    });
  });

  it('keeps an own key named __proto__ in tool arguments', () => {
    const { messages } = toConversation([calling({ id: 'a', arguments: '{"__proto__":{"a":1}}' })]);
    expect(JSON.stringify(messages)).toContain('"input":{"__proto__":{"a":1}}');
  });

  it('refuses an image in them', () => {
    const image: ContentPart = { type: 'image', url: 'https://example.com/a.png' };
    expect(errorOf(() => toConversation([message('assistant', image)]))).toMatchObject({
      param: 'messages[0].content[0]',
    });
  });
});

describe('tool messages', () => {
  it('gives neighbours as one user message, together with the user message that follows', () => {
    const { messages } = toConversation([
      message('user', 'go'),
      calling({ id: 'a', arguments: '{}' }, { id: 'b', arguments: '{}' }),
      toolAnswer('a', 'one', 'two'),
      toolAnswer('b', ''),
      message('user', 'and?'),
    ]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: [block('one'), block('two')] },
      { type: 'tool_result', tool_use_id: 'b' },
      block('and?'),
    ]);
  });

  it('takes an image in a result, and names a part that it cannot take', () => {
    const image: ContentPart = { type: 'image', url: 'https://example.com/a.png' };
    expect(toConversation([toolAnswer('a', image)]).messages[0]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image', source: { type: 'url', url: image.url } }] },
    ]);
    const audio: ContentPart = { type: 'audio', data: '', format: 'wav' };
    expect(errorOf(() => toConversation([toolAnswer('a', 'x', audio)]))).toMatchObject({
      param: 'messages[0].content[1]',
    });
  });

  it('refuses one that answers no call', () => {
    expect(errorOf(() => toConversation([message('tool', 'x')]))).toMatchObject({
      code: 'missing_field',
      param: 'messages[0].tool_call_id',
    });
  });
});

it('joins neighbours of one role, around a system message too', () => {
  const { messages } = toConversation([
    message('user', 'a'),
    message('system', 's'),
    message('user', 'b'),
    message('assistant', 'c'),
    message('assistant', 'd'),
  ]);
  expect(messages).toEqual([
    { role: 'user', content: [block('a'), block('b')] },
    { role: 'assistant', content: [block('c'), block('d')] },
  ]);
});
