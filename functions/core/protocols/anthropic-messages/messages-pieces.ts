import { isObject } from '../../json/is-object.ts';
import type { JsonPath } from '../../json/json-splice.ts';
import type { Usage } from '../../model/chat.ts';
import type { TextSlot } from '../../pipeline/piece.ts';
import type { AnswerPiece } from '../answer-format.ts';
import { collectTexts, type IsFixed, type TakeText } from '../collect-texts.ts';
import { toParam } from '../first-fault.ts';
import { AnthropicUsage, fromAnthropicUsage, mergeAnthropicUsage } from './anthropic-usage.ts';
import { isFixedInBlock, isFree } from './fixed-members.ts';

/** What the gateway reads of an answer of the Messages API, whole or one event. */
export interface MessagesPiece extends AnswerPiece {
  /** `message` for a whole answer; else the event's. */
  readonly type: string;
  /** The content block that the event belongs to. */
  readonly block: number | undefined;
  /** Whether it holds the stop reason of a stream. */
  readonly stops: boolean;
}

type Json = Record<string, unknown>;

/** Where a delta of each kind has its text, and what that is. */
const DELTAS: Readonly<
  Record<string, { field: string; channel: string; kind: Pick<TextSlot, 'isJson' | 'isReadOnly'> }>
> = {
  text_delta: { field: 'text', channel: 'text', kind: {} },
  input_json_delta: { field: 'partial_json', channel: 'input', kind: { isJson: true } },
  thinking_delta: { field: 'thinking', channel: 'thinking', kind: { isReadOnly: true } },
};
/** Of a called tool only the input is read. */
const isFixed: IsFixed = (name, path, object) => {
  return isFixedInBlock(name, path, object) || (name === 'name' && isFixedInBlock('id', path, object));
};

/** Reads the pieces of one answer, in order: the counts of a stream's later events complete those of its earlier ones. */
export class MessagesPieceReader {
  private usage: AnthropicUsage;
  /** How many came: each has texts of its own. */
  private citations = 0;

  /** @throws SyntaxError where the text is not JSON */
  read(json: string): MessagesPiece {
    const root: unknown = JSON.parse(json);
    const body: Json = isObject(root) ? root : {};
    const type = typeof body.type === 'string' ? body.type : '';
    const index = typeof body.index === 'number' ? body.index : undefined;
    const delta = isObject(body.delta) ? body.delta : undefined;
    const cites = type === 'content_block_delta' && delta?.type === 'citations_delta';
    const citation = cites ? `content[${index}].citations[${this.citations++}]` : undefined;
    const slots = slotsOf(type, body, index ?? 0, citation);
    return {
      json,
      type,
      block: index,
      slots,
      echoes: [],
      ends: type === 'message_delta' || type === 'message_stop',
      stops: type === 'message_delta' && typeof delta?.stop_reason === 'string',
      divisible: type === 'content_block_delta' && kindOf(delta) !== undefined,
      ...(type === 'content_block_stop' && { closes: [`content[${index}].`] }),
      ...(citation !== undefined && { closes: [citation] }),
      usage: this.usageOf(type, body),
      fault: faultOf(type, body),
    };
  }

  private usageOf(type: string, body: Json): Usage | undefined {
    const starts = type === 'message_start' && isObject(body.message);
    const holder = starts ? (body.message as Json) : body;
    if (!isObject(holder.usage)) return undefined;
    const usage = AnthropicUsage.parse(holder.usage);
    // The output count at the start is provisional; the true one comes with message_delta.
    const known = starts ? { ...usage, output_tokens: undefined, output_tokens_details: undefined } : usage;
    this.usage = mergeAnthropicUsage(this.usage, known);
    return fromAnthropicUsage(this.usage);
  }
}

function slotsOf(type: string, body: Json, index: number, citation: string | undefined): TextSlot[] {
  const slots: TextSlot[] = [];
  const block = `content[${index}]`;
  switch (type) {
    case 'message':
      addContent(body, [], slots);
      break;
    case 'message_start':
      if (isObject(body.message)) addContent(body.message, ['message'], slots);
      break;
    case 'content_block_start':
      addBlock(body.content_block, ['content_block'], block, slots);
      break;
    case 'content_block_delta':
      if (citation !== undefined) addTexts((body.delta as Json).citation, ['delta', 'citation'], citation, slots);
      else addDelta(body.delta, block, slots);
      break;
    case 'message_delta':
      if (isObject(body.delta)) addStopDetails(body.delta, ['delta'], slots);
      break;
    default:
      // What a newer API sends passes, and is read like the rest.
      addTexts(body, [], type, slots);
  }
  return slots;
}

function addDelta(delta: unknown, block: string, slots: TextSlot[]): void {
  if (!isObject(delta)) return;
  const kind = kindOf(delta);
  if (kind === undefined) {
    addTexts(delta, ['delta'], `${block}.${delta.type}`, slots);
    return;
  }
  const text = delta[kind.field];
  if (typeof text !== 'string' || text === '') return;
  slots.push({ channel: `${block}.${kind.channel}`, text, path: ['delta', kind.field], ...kind.kind });
}

function kindOf(delta: Json | undefined) {
  const type = String(delta?.type);
  return Object.hasOwn(DELTAS, type) ? DELTAS[type] : undefined;
}

function faultOf(type: string, body: Json): string | undefined {
  if (type === 'error' || isObject(body.error)) return 'error in the place of an answer';
  if (type === '') return 'no message';
  return type === 'message' && !Array.isArray(body.content) ? 'no content in a message' : undefined;
}

function addContent(message: Json, path: JsonPath, slots: TextSlot[]): void {
  if (Array.isArray(message.content)) {
    message.content.forEach((block: unknown, at) => {
      addBlock(block, [...path, 'content', at], `content[${at}]`, slots);
    });
  }
  addStopDetails(message, path, slots);
}

/** Why the model refused, in words. */
function addStopDetails({ stop_details }: Json, path: JsonPath, slots: TextSlot[]): void {
  addTexts(stop_details, [...path, 'stop_details'], 'stop_details', slots);
}

function addBlock(block: unknown, path: JsonPath, name: string, slots: TextSlot[]): void {
  if (!isObject(block)) return;
  addTexts(block, path, name, slots, block.type === 'thinking' || block.type === 'redacted_thinking');
}

/** Every text in a value that stands at `path`; channels are named for their place in it: `content[0].input.city`. */
function addTexts(value: unknown, path: JsonPath, name: string, slots: TextSlot[], isReadOnly = false): void {
  const take: TakeText = (found, text, isName) => {
    // Names of members cannot be changed in place.
    const kind = isReadOnly || isName ? ({ isReadOnly: true } as const) : {};
    const inside = found.slice(path.length);
    const field = `${typeof inside[0] === 'string' ? '.' : ''}${toParam(inside)}`;
    slots.push({ channel: `${name}${field}${isName ? ' (name)' : ''}`, text, path: found, ...kind });
  };
  collectTexts(value, path, isFixed, take, isFree);
}
