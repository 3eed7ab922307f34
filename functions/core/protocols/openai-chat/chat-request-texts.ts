import type { JsonPath } from '../../base/edits.ts';
import {
  type Author,
  type RequestText,
  type RequestTexts,
  type Skipped,
  turnsAgo,
} from '../../inspect/requests/request-text.ts';
import { Places } from '../bodies/request-places.ts';
import { fieldsOutsideMessages, outsideMessages, RequestTextReader } from '../bodies/request-texts.ts';
import type { OpenAiChatRequest, OpenAiMessage } from './chat-request-schema.ts';

/** What the strings of a chat completion request are, where they are not plain text. */
export const CHAT_PLACES = new Places({
  fixed: 'role type detail format id tool_call_id file_id signature encrypted_content data',
  names: 'name filename',
  free: `metadata messages[].parsed messages[].tool_calls[].function.parsed_arguments`,
  schemas: `tools[].function.parameters functions[].parameters response_format.json_schema.schema`,
  json: 'messages[].tool_calls[].function.arguments messages[].function_call.arguments',
  media: `messages[].content[].image_url.url messages[].content[].input_audio.data messages[].content[].file.file_data
    messages[].annotations[].url_citation.url`,
  unread: 'stop stop[]',
  sealed: `messages[].encrypted_content messages[].content[].encrypted_content messages[].reasoning_details[].data
    messages[].reasoning_details[].signature`,
});

/**
 * Every string of the request that could carry an instruction, in order: all messages and parts, tool calls and results,
 * tool definitions, and the strings of fields that the gateway does not know. Trust follows the role.
 */
export function chatRequestTexts(body: OpenAiChatRequest): RequestTexts {
  // Nobody reads our own field but us.
  const { model: _m, moderation: _f, messages, tools, response_format, ...others } = body;
  // Tool and answer schemas are written by the operator of the calling application.
  return chatTexts(messages, { tools, response_format }, others);
}

/** `messages[0..3]`, and the names of the fields beside them that hold texts. */
export function chatCoverage({ messages }: OpenAiChatRequest, texts: readonly RequestText[]): string[] {
  const last = messages.length - 1;
  return [last === 0 ? 'messages[0]' : `messages[0..${last}]`, ...fieldsOutsideMessages(texts)];
}

/** The texts of a conversation, of what its operator defines beside it, and of other fields. */
export function chatTexts(messages: readonly OpenAiMessage[], operators: object, others: object = {}): RequestTexts {
  const reader = new RequestTextReader(CHAT_PLACES);
  const skipped: Skipped[] = [];
  const ages = turnsAgo(messages.map(({ role }) => role));
  messages.forEach((message, at) => {
    const author = authorOf(message);
    reader.read(message, ['messages', at], {
      author,
      message: at,
      turnsAgo: ages[at] as number,
      seals: author === 'assistant',
      isContent: (place) => place.startsWith('messages[].content'),
    });
    skipped.push(...mediaOf(message, at));
  });
  reader.read(operators, [], outsideMessages('definition'));
  reader.read(others, [], outsideMessages('user'));
  return { texts: reader.texts, skipped };
}

/** The last text of the first message of the operator; undefined where there is none. */
export function promptTextPath({ messages }: OpenAiChatRequest): JsonPath | undefined {
  const at = messages.findIndex((message) => authorOf(message) === 'operator');
  const content = messages[at]?.content;
  if (typeof content === 'string') return ['messages', at, 'content'];
  const part = content?.findLastIndex(({ type }) => type === 'text') ?? -1;
  return part < 0 ? undefined : ['messages', at, 'content', part, 'text'];
}

function authorOf({ role }: OpenAiMessage): Author {
  if (role === 'system' || role === 'developer') return 'operator';
  return role === 'function' ? 'tool' : role;
}

function mediaOf(message: OpenAiMessage, at: number): Skipped[] {
  if (!Array.isArray(message.content)) return [];
  return message.content.flatMap((part, index) =>
    part.type === 'text' || part.type === 'refusal'
      ? []
      : [
          {
            path: ['messages', at, 'content', index],
            what: part.type === 'image_url' ? 'image' : part.type === 'file' ? 'file' : 'audio',
          },
        ],
  );
}
