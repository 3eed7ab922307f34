import type { JsonPath } from '../../../kernel/json/index.ts';
import {
  type Author,
  type RequestText,
  type RequestTexts,
  type Skipped,
  turnsAgo,
} from '../../../kernel/model/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import { Places } from '../bodies/request-places.ts';
import { fieldsOutsideMessages, outsideMessages, RequestTextReader } from '../bodies/request-texts.ts';
import type { OpenAiChatRequest, OpenAiMessage } from './chat-request-schema.ts';

/** The strings of a chat completion request that are not plain text. */
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
 * Every string of the request that could carry an instruction, in order: messages, parts, tool calls, tool results, tool definitions, and
 * strings of unknown fields. Trust follows the role.
 */
export function* chatRequestTexts(body: OpenAiChatRequest): Steps<RequestTexts> {
  // No model reads the gateway's field `moderation`.
  const { model: _m, moderation: _f, messages, tools, response_format, ...others } = body;
  // The operator of the calling application writes tool and response schemas.
  return yield* chatTexts(messages, { tools, response_format }, others);
}

/** Such as `messages[0..3]`, and the names of the other fields that hold texts. */
export function chatCoverage({ messages }: OpenAiChatRequest, texts: readonly RequestText[]): string[] {
  const last = messages.length - 1;
  return [last === 0 ? 'messages[0]' : `messages[0..${last}]`, ...fieldsOutsideMessages(texts)];
}

/** The texts of a conversation, of its operator's definitions, and of other fields. */
export function* chatTexts(
  messages: readonly OpenAiMessage[],
  operators: object,
  others: object = {},
): Steps<RequestTexts> {
  const reader = new RequestTextReader(CHAT_PLACES);
  const skipped: Skipped[] = [];
  const ages = turnsAgo(messages.map(({ role }) => role));
  for (const [at, message] of messages.entries()) {
    const author = authorOf(message);
    yield* reader.read(message, ['messages', at], {
      author,
      message: at,
      turnsAgo: ages[at] as number,
      seals: author === 'assistant',
      isContent: (place) => place.startsWith('messages[].content'),
    });
    skipped.push(...mediaOf(message, at));
  }
  yield* reader.read(operators, [], outsideMessages('definition'));
  yield* reader.read(others, [], outsideMessages('user'));
  return { texts: reader.texts, skipped };
}

/** The path of the last text of the operator's first message; undefined if there is none. */
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
    part.type === 'text' || part.type === 'refusal' || part.type === 'thinking'
      ? []
      : [
          {
            path: ['messages', at, 'content', index],
            what: part.type === 'image_url' ? 'image' : part.type === 'file' ? 'file' : 'audio',
          },
        ],
  );
}
