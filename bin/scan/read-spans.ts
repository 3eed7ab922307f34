import { isObject } from '../../functions/kernel/json/index.ts';
import type { Conversation } from './conversation.ts';

type Json = Readonly<Record<string, unknown>>;

/** Attributes of a model call: https://github.com/open-telemetry/semantic-conventions-genai */
const SYSTEM = 'gen_ai.system_instructions';
const INPUT = 'gen_ai.input.messages';
const OUTPUT = 'gen_ai.output.messages';
const TOOLS = 'gen_ai.tool.definitions';

/**
 * The conversations of OpenTelemetry spans: of one span, or of a line of OTLP's JSON, whose attributes are lists of typed values. Instrumentations
 * record them as attributes of the span or of its event. Undefined for what is no span; empty if no model call has its messages.
 */
export function readSpans(record: Json): Conversation[] | undefined {
  const isSpan = isObject(record.attributes) || Array.isArray(record.attributes);
  const spans = Array.isArray(record.resourceSpans) ? record.resourceSpans.flatMap(spansOf) : isSpan ? [record] : [];
  const holders = spans.flatMap((span) => [span, ...listIn(span, 'events')]);
  const attributes = holders.map((holder) => attributesOf(holder.attributes));
  if (!attributes.some((named) => Object.keys(named).some((name) => name.startsWith('gen_ai.')))) {
    return Array.isArray(record.resourceSpans) ? [] : undefined;
  }
  return attributes.filter((named) => INPUT in named || OUTPUT in named).map(toConversation);
}

function spansOf(resource: unknown): Json[] {
  return listIn(resource, 'scopeSpans').flatMap((scope) => listIn(scope, 'spans'));
}

function listIn(holder: unknown, name: string): Json[] {
  const list = isObject(holder) ? holder[name] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function attributesOf(attributes: unknown): Json {
  if (!Array.isArray(attributes)) return isObject(attributes) ? attributes : {};
  return Object.fromEntries(attributes.filter(isObject).map(({ key, value }) => [String(key), plainValue(value)]));
}

/** A value of OTLP's JSON: `{"stringValue": "a"}`. */
function plainValue(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { arrayValue, kvlistValue } = value;
  if (isObject(arrayValue)) return Array.isArray(arrayValue.values) ? arrayValue.values.map(plainValue) : [];
  if (isObject(kvlistValue)) return attributesOf(kvlistValue.values ?? []);
  return Object.values(value)[0];
}

/** A list in an attribute: of values, or as the JSON that spans have where values cannot be structured. */
function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  try {
    const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : [value];
    return Array.isArray(parsed) ? parsed : [parsed];
  } catch {
    // Truncated JSON is a text.
    return [{ role: 'user', parts: [{ type: 'text', content: value }] }];
  }
}

/** The messages of a span as those of chat completions, with the names of their places. */
function toConversation(attributes: Json): Conversation {
  const messages: object[] = [];
  const names: [string, string][] = [];
  const add = (message: object, ...own: [member: string, name: string][]) => {
    names.push(...own.map(([member, name]): [string, string] => [`messages[${messages.length}].${member}`, name]));
    messages.push(message);
  };
  if (SYSTEM in attributes) addMessage({ role: 'system', parts: listOf(attributes[SYSTEM]) }, SYSTEM, '', add);
  for (const attribute of [INPUT, OUTPUT]) {
    if (!(attribute in attributes)) continue;
    for (const [at, message] of listOf(attributes[attribute]).entries())
      addMessage(isObject(message) ? message : {}, `${attribute}[${at}]`, '.parts', add);
  }
  const tools = TOOLS in attributes ? listOf(attributes[TOOLS]).filter(isObject) : [];
  names.push(...tools.map((_, at): [string, string] => [`tools[${at}].function`, `${TOOLS}[${at}]`]));
  return {
    api: 'openai-chat',
    body: {
      model: 'unknown',
      messages,
      tools: tools.map(({ type: _, ...own }) => ({ type: 'function', function: own })),
    },
    names,
    ...(INPUT in attributes && { isComplete: true }),
  };
}

type Add = (message: object, ...names: [member: string, name: string][]) => void;

/** Adds a message, and one for each result of a call in it. */
function addMessage({ role, parts }: Json, place: string, member: string, add: Add): void {
  const content: object[] = [];
  const calls: object[] = [];
  const own: [string, string][] = [];
  for (const [at, part] of listOf(parts ?? [])
    .filter(isObject)
    .entries()) {
    const name = `${place}${member}[${at}]`;
    if (part.type === 'tool_call_response') {
      const { id, response = part.result } = part;
      add({ role: 'tool', tool_call_id: textOf(id), content: textOf(response) }, ['content', `${name}.response`]);
    } else if (part.type === 'tool_call') {
      own.push([`tool_calls[${calls.length}].function`, name]);
      calls.push({
        id: textOf(part.id),
        function: { name: textOf(part.name), arguments: textOf(part.arguments ?? {}) },
      });
    } else if ('uri' in part || 'file_id' in part || part.type === 'blob') {
      content.push({ type: 'image_url', image_url: { url: textOf(part.uri ?? '') } });
    } else {
      const isText = 'content' in part;
      own.push([`content[${content.length}].text`, isText ? `${name}.content` : name]);
      content.push({ type: 'text', text: textOf(isText ? part.content : part) });
    }
  }
  if (content.length + calls.length === 0) return;
  add({ role, ...(content.length > 0 && { content }), ...(calls.length > 0 && { tool_calls: calls }) }, ...own);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
