import { isObject } from '../../json/is-object.ts';
import type { JsonPath } from '../../json/json-splice.ts';
import type { FinishReason, Usage } from '../../model/chat.ts';
import type { TextSlot } from '../../pipeline/piece.ts';
import type { AnswerPiece } from '../answer-format.ts';
import { collectTexts, type IsFixed, isMoreThanName } from '../collect-texts.ts';
import { toParam } from '../first-fault.ts';

/** What the gateway reads of an answer's JSON, whole or chunk, in OpenAI's chat protocol. */
export interface ChatPiece extends AnswerPiece {
  /** The reasons by choice that this piece ends with. */
  readonly finished: readonly { readonly choice: number; readonly reason: FinishReason | string }[];
  /** Whether it has texts beside what the model says. */
  readonly besides: boolean;
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly created: number | undefined;
  /** A chunk that only reports usage: `choices` is empty. */
  readonly usageOnly: boolean;
  /** Where the finish reasons stand. */
  readonly finishPaths: readonly JsonPath[];
  /** The choices that the piece belongs to. */
  readonly choiceIndexes: readonly number[];
}

type Json = Record<string, unknown>;

const JSON_TEXT = { isJson: true } as const;
const READ_ONLY = { isReadOnly: true } as const;
/** Where providers put a model's reasoning in this protocol, which has no place for it: DeepSeek and vLLM, OpenRouter. */
const REASONING = ['reasoning_content', 'reasoning'] as const;

/** Names of the channels that nearly every chunk speaks in: made once, a look-up by them is a comparison of references. */
const CONTENT_CHANNELS = Array.from({ length: 8 }, (_, index) => `choices[${index}].content`);

/** Members of a message that are read by name, and those that hold no text or repeat it. */
const READ = new Set<string>([
  ...['content', 'refusal', 'tool_calls', 'function_call', 'audio', 'role', 'reasoning_details'],
  ...REASONING,
]);
/** A word as short as this is a switch that some server puts into every chunk. */
const MAX_SWITCH_CHARS = 16;
/** Names, switches and what is no text, in whatever else stands in a message. */
const OPAQUE = new Set(['type', 'id', 'data', 'signature', 'b64_json', 'file_id']);
const isFixed: IsFixed = (name) => OPAQUE.has(name);

/**
 * @param before how many pieces of the answer had texts beside what the model says (pages that it cites): those of each piece are
 *   texts of their own
 * @throws SyntaxError where the text is not JSON
 */
export function toChatPiece(json: string, before = 0): ChatPiece {
  const root: unknown = JSON.parse(json);
  const body: Json = isObject(root) ? root : {};
  const choices = Array.isArray(body.choices) ? body.choices : [];
  const slots: TextSlot[] = [];
  const beside: TextSlot[] = [];
  const echoes: JsonPath[] = [];
  const finished: { choice: number; reason: string }[] = [];
  const finishPaths: JsonPath[] = [];
  const choiceIndexes: number[] = [];
  choices.forEach((choice: unknown, at) => {
    if (!isObject(choice)) return;
    const index = typeof choice.index === 'number' ? choice.index : at;
    const holder = isObject(choice.delta) ? 'delta' : 'message';
    if (isObject(choice[holder])) {
      const path = ['choices', at, holder];
      addSlots(choice[holder], path, index, slots);
      addBeside(choice[holder], path, index, before, beside);
    }
    if (isObject(choice.logprobs)) echoes.push(['choices', at, 'logprobs']);
    choiceIndexes.push(index);
    // Some providers write an empty reason in every chunk but the last.
    if (typeof choice.finish_reason !== 'string' || choice.finish_reason === '') return;
    finished.push({ choice: index, reason: choice.finish_reason });
    finishPaths.push(['choices', at, 'finish_reason']);
  });
  const usageOnly = choices.length === 0 && isObject(body.usage);
  return {
    json,
    slots: beside.length === 0 ? slots : [...slots, ...beside],
    besides: beside.length > 0,
    echoes,
    ends: usageOnly || finished.length > 0,
    closes: finished.map(({ choice }) => `choices[${choice}].`).concat(beside.map(({ channel }) => channel)),
    divisible:
      slots.length === 1 && beside.length === 0 && finished.length === 0 && echoes.length === 0 && choices.length === 1,
    usage: toUsage(body.usage),
    finished,
    id: typeof body.id === 'string' ? body.id : undefined,
    model: typeof body.model === 'string' ? body.model : undefined,
    created: typeof body.created === 'number' ? body.created : undefined,
    usageOnly,
    finishPaths,
    choiceIndexes,
    fault: faultOf(body),
  };
}

function faultOf(body: Json): string | undefined {
  if (isObject(body.error)) return 'error in the place of an answer';
  return Array.isArray(body.choices) ? undefined : 'no chat completion';
}

function addSlots(holder: Json, path: JsonPath, choice: number, slots: TextSlot[]): void {
  const add = (value: unknown, at: JsonPath, name: string, kind?: Pick<TextSlot, 'isJson' | 'isReadOnly'>) => {
    if (typeof value !== 'string' || value === '') return;
    const known = name === 'content' ? CONTENT_CHANNELS[choice] : undefined;
    slots.push({ channel: known ?? `choices[${choice}].${name}`, text: value, path: [...path, ...at], ...kind });
  };
  add(holder.content, ['content'], 'content');
  add(holder.refusal, ['refusal'], 'refusal');
  for (const name of REASONING) add(holder[name], [name], name, READ_ONLY);
  if (Array.isArray(holder.content)) {
    holder.content.forEach((part: unknown, at) => {
      if (isObject(part)) add(part.text, ['content', at, 'text'], `content[${at}]`);
    });
  }
  const addName = (value: unknown, at: JsonPath, name: string) => {
    if (typeof value === 'string' && isMoreThanName(value)) add(value, at, name, READ_ONLY);
  };
  if (isObject(holder.function_call)) {
    addName(holder.function_call.name, ['function_call', 'name'], 'function_call.name');
    add(holder.function_call.arguments, ['function_call', 'arguments'], 'function_call.arguments', JSON_TEXT);
  }
  if (isObject(holder.audio)) add(holder.audio.transcript, ['audio', 'transcript'], 'audio.transcript');
  if (!Array.isArray(holder.tool_calls)) return;
  holder.tool_calls.forEach((call: unknown, at) => {
    if (!isObject(call)) return;
    const index = typeof call.index === 'number' ? call.index : at;
    const name = `tool_calls[${index}]`;
    const path = ['tool_calls', at] as const;
    if (isObject(call.function)) {
      addName(call.function.name, [...path, 'function', 'name'], `${name}.name`);
      add(call.function.arguments, [...path, 'function', 'arguments'], `${name}.arguments`, JSON_TEXT);
    }
    if (isObject(call.custom)) {
      addName(call.custom.name, [...path, 'custom', 'name'], `${name}.name`);
      add(call.custom.input, [...path, 'custom', 'input'], `${name}.input`);
    }
  });
}

/** The texts of what else stands in a message, such as pages that it cites. */
function addBeside(holder: Json, path: JsonPath, choice: number, before: number, slots: TextSlot[]): void {
  for (const name in holder) {
    if (READ.has(name) || holder[name] === null) continue;
    collectTexts({ [name]: holder[name] }, path, isFixed, (found, text, isName) => {
      const isSwitch = text.length <= MAX_SWITCH_CHARS && !isMoreThanName(text) && !text.includes(':');
      if (isSwitch || text.startsWith('data:')) return;
      const place = `choices[${choice}].${toParam(found.slice(path.length))}${before > 0 ? ` (${before + 1})` : ''}`;
      slots.push({ channel: place, text, path: found, ...(isName && READ_ONLY) });
    });
  }
}

/** Usage as OpenAI tells it; undefined where nothing does. */
export function toUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const count = (value: unknown) => (Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined);
  const inputTokens = count(usage.prompt_tokens);
  const outputTokens = count(usage.completion_tokens);
  const details = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const cachedInputTokens = count(details.cached_tokens);
  const cacheWriteInputTokens = count(details.cache_write_tokens);
  const reasoningTokens = isObject(usage.completion_tokens_details)
    ? count(usage.completion_tokens_details.reasoning_tokens)
    : undefined;
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(cacheWriteInputTokens !== undefined && { cacheWriteInputTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}
