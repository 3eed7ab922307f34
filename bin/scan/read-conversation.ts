import { isObject } from '../../functions/kernel/json/index.ts';
import type { Conversation } from './conversation.ts';
import { readSpans } from './read-spans.ts';

type Json = Readonly<Record<string, unknown>>;

/** Parts of messages that only Anthropic's API has. */
const ANTHROPIC_PARTS =
  /^(?:tool_use|tool_result|thinking|redacted_thinking|document|server_tool_use|\w+_tool_result)$/;
/** What a request needs besides a conversation. */
const REQUIRED = { model: 'unknown' };

/** The conversations of a log's record: one of an API, or several in spans; undefined if it is none. */
export function conversationsIn(record: unknown): Conversation[] | undefined {
  if (!isObject(record)) return undefined;
  const spans = readSpans(record);
  if (spans !== undefined) return spans;
  const conversation = ofMessages(record) ?? ofItems(record);
  return conversation && [conversation];
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

function hasPart(content: unknown, types: RegExp): boolean {
  return Array.isArray(content) && content.some((part: unknown) => isObject(part) && types.test(String(part.type)));
}

function isList(value: unknown): value is Json[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}
