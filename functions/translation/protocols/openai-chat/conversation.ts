import * as z from 'zod';
import type { JsonPath } from '../../../kernel/json/index.ts';
import type { Author, RequestText, RequestTexts, ToolCall } from '../../../kernel/model/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import { Places } from '../bodies/request-places.ts';
import { outsideMessages, RequestTextReader } from '../bodies/request-texts.ts';
import { textInput } from '../bodies/text-tools.ts';
import { chatRequestSchema, responseMessageSchema } from './chat-request-schema.ts';
import { CHAT_PLACES, chatTexts } from './chat-request-texts.ts';
import { fromOpenAiConversation, type OpenAiConversation } from './from-chat-request.ts';

/** Messages and tools as in chat completions, and the text or message of a response, for requests that call no model. */
export const conversationSchema = z.object({
  messages: chatRequestSchema.shape.messages,
  tools: chatRequestSchema.shape.tools,
  output: z.union([z.string(), responseMessageSchema], { error: 'must be a string or a message of the assistant' }),
});

interface Conversation extends Pick<OpenAiConversation, 'messages'> {
  readonly tools?: readonly object[] | null | undefined;
}

/** The texts of a conversation to inspect, or of one text in the field `input`, and the parts that are not inspected. */
export function* conversationTexts(
  given: Conversation | { readonly input: string; readonly author: Author },
): Steps<RequestTexts> {
  if ('messages' in given) return yield* chatTexts(given.messages, { tools: given.tools });
  const reader = new RequestTextReader(CHAT_PLACES);
  yield* reader.read(given.input, ['input'], outsideMessages(given.author));
  return { texts: reader.texts, skipped: [] };
}

/** A text of a response. */
interface OutputText extends Pick<RequestText, 'path' | 'text' | 'isReadOnly'> {
  /** The client executes the call whose argument it is. */
  readonly call?: 'client';
}

/** A tool call of a response. */
interface OutputCall extends Pick<ToolCall, 'id' | 'name' | 'arguments'> {
  /** The place of its arguments: `output.tool_calls[0].function.arguments`. */
  readonly field: string;
}

/** A response, and the conversation before it. */
interface GivenOutput extends Omit<RequestTexts, 'texts'> {
  readonly texts: readonly OutputText[];
  readonly calls: readonly OutputCall[];
  readonly before: ReturnType<typeof fromOpenAiConversation>;
}

/** Reads the field `output`, a text or a message, and the messages and tools beside it. */
export function* readOutput({
  output = '',
  messages = [],
  tools,
}: z.infer<ReturnType<typeof conversationSchema.partial>>): Steps<GivenOutput> {
  const before = fromOpenAiConversation({ messages, tools });
  if (typeof output === 'string')
    return { texts: [{ path: ['output'], text: output }], calls: [], skipped: [], before };
  const { texts, skipped } = yield* chatTexts([output], {});
  const [{ toolCalls = [] } = {}] = fromOpenAiConversation({ messages: [output] }).messages;
  return {
    texts: texts.filter(({ name }) => name === undefined).map(toOutputText),
    skipped: skipped.map(({ path, what }) => ({ path: inOutput(path), what })),
    calls: toolCalls.map(({ id, name, arguments: args }, at) => ({
      id,
      name,
      arguments: output.tool_calls?.[at]?.type === 'custom' ? textInput(args) : args,
      field: placeOf(output, at),
    })),
    before,
  };
}

function toOutputText({ path, text, isReadOnly }: RequestText): OutputText {
  const isOfCall = path[2] === 'tool_calls' || path[2] === 'function_call';
  return { path: inOutput(path), text, ...(isReadOnly && { isReadOnly }), ...(isOfCall && { call: 'client' }) };
}

/** The place in `output` of a place in the only message. */
function inOutput([, , ...rest]: JsonPath): JsonPath {
  return ['output', ...rest];
}

/** The place of the arguments of a message's call. */
function placeOf({ tool_calls: calls }: z.infer<typeof responseMessageSchema>, at: number): string {
  const call = calls?.[at];
  if (call === undefined) return 'output.function_call.arguments';
  return `output.tool_calls[${at}].${call.type === 'custom' ? 'custom.input' : 'function.arguments'}`;
}

const PLACES = { conversation: CHAT_PLACES, other: new Places({}) };

/**
 * Refuses member names of a parsed body that code may mistake for an object's prototype, and in a conversation other spellings of the APIs'
 * names; free JSON in its places may have any names. @throws GatewayError
 */
export function refuseNames(value: unknown, body: keyof typeof PLACES): void {
  PLACES[body].refuseNames(value, body === 'conversation');
}
