import { isObject } from '../../functions/kernel/json/index.ts';
import type { Conversation } from './conversation.ts';
import { readSpans } from './read-spans.ts';

type Json = Readonly<Record<string, unknown>>;

/** Parts of messages that only Anthropic's API has. */
const ANTHROPIC_PARTS =
  /^(?:tool_use|tool_result|thinking|redacted_thinking|document|server_tool_use|\w+_tool_result)$/;
/** What a request needs besides a conversation. */
const REQUIRED = { model: 'unknown' };

/** The conversations of a log's record or of a list of messages: one of an API, or several in spans; undefined if it is none. */
export function conversationsIn(record: unknown): Conversation[] | undefined {
  if (Array.isArray(record)) return ofList(record);
  if (!isObject(record)) return undefined;
  const spans = readSpans(record);
  if (spans !== undefined) return spans;
  const conversation = ofMessages(record) ?? ofContents(record) ?? ofItems(record);
  return conversation && [conversation];
}

/** A list of messages with roles, and of items of the Responses API between them. */
function ofList(list: readonly unknown[]): Conversation[] | undefined {
  if (!isList(list) || !list.every((one) => isMessage(one) || isItem(one)) || !list.some(isMessage)) return undefined;
  const name = list.some(({ parts }) => Array.isArray(parts)) ? 'contents' : 'messages';
  const record = { [name]: list };
  const conversation = name === 'contents' ? ofContents(record) : (ofItems({ input: list }) ?? ofMessages(record));
  if (conversation === undefined) return undefined;
  return [{ ...conversation, names: [[conversation.api === 'openai-responses' ? 'input' : name, '']] }];
}

/** A request of Gemini. */
function ofContents({
  contents,
  tools,
  systemInstruction,
  system_instruction: system,
}: Json): Conversation | undefined {
  if (!isList(contents) || !contents.some(({ parts }) => Array.isArray(parts))) return undefined;
  return { api: 'gemini', body: { contents, tools, systemInstruction, system_instruction: system }, isComplete: true };
}

/** A list of messages, of chat completions or of Anthropic. */
export function ofMessages({ messages, tools, system }: Json): Conversation | undefined {
  if (!isList(messages)) return undefined;
  const isAnthropic = system !== undefined || messages.some(({ content }) => hasPart(content, ANTHROPIC_PARTS));
  if (!isAnthropic) return { api: 'openai-chat', body: { ...REQUIRED, messages, tools }, isComplete: true };
  return {
    api: 'anthropic-messages',
    body: { ...REQUIRED, max_tokens: 1, system: system ?? undefined, messages, tools: tools ?? undefined },
    isComplete: true,
  };
}

/** The items of a request and its response in the Responses API. */
function ofItems({
  input,
  output,
  instructions,
  tools,
  previous_response_id: previous,
}: Json): Conversation | undefined {
  const outputs = isList(output) ? output : [];
  const inputs = typeof input === 'string' && outputs.length > 0 ? [{ role: 'user', content: input }] : input;
  if (inputs !== undefined && !isList(inputs)) return undefined;
  const before = inputs ?? [];
  const items = [...before, ...outputs];
  if (!items.some((item) => typeof item.type === 'string' || hasPart(item.content, /^(?:in|out)put_/)))
    return undefined;
  return {
    api: 'openai-responses',
    body: { ...REQUIRED, input: items, instructions, tools },
    names: outputs.map((_, at) => [`input[${before.length + at}]`, `output[${at}]`]),
    ...(before.length > 0 && typeof previous !== 'string' && { isComplete: true }),
  };
}

function isMessage(one: Json): boolean {
  return typeof one.role === 'string' && ['content', 'parts', 'tool_calls'].some((name) => name in one);
}

function isItem(one: Json): boolean {
  return typeof one.type === 'string' && !('role' in one) && !('text' in one);
}

function hasPart(content: unknown, types: RegExp): boolean {
  return Array.isArray(content) && content.some((part: unknown) => isObject(part) && types.test(String(part.type)));
}

function isList(value: unknown): value is Json[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}
