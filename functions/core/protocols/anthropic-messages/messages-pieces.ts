import type { JsonPath } from '../../json/json-splice.ts';
import type { Usage } from '../../model/chat.ts';
import type { TextSlot } from '../../pipeline/piece.ts';
import type { AnswerPiece } from '../answer-format.ts';
import { collectTexts, type IsFixed } from '../collect-texts.ts';
import { AnthropicUsage, fromAnthropicUsage, mergeAnthropicUsage } from './anthropic-usage.ts';

/** What the gateway reads of an answer of the Messages API, whole or one event. */
export interface MessagesPiece extends AnswerPiece {
  /** `message` for a whole answer; else the event's. */
  readonly type: string;
  /** The content block that the event belongs to. */
  readonly block: number | undefined;
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
const OPAQUE = new Set([
  'type',
  'id',
  'tool_use_id',
  'signature',
  'data',
  'encrypted_content',
  'encrypted_index',
  'name',
]);
const isFixed: IsFixed = (name) => OPAQUE.has(name);

/** Reads the pieces of one answer, in order: the counts of a stream's later events complete those of its earlier ones. */
export class MessagesPieceReader {
  private usage: AnthropicUsage;

  /** @throws SyntaxError where the text is not JSON */
  read(json: string): MessagesPiece {
    const root: unknown = JSON.parse(json);
    const body: Json = isObject(root) ? root : {};
    const type = typeof body.type === 'string' ? body.type : '';
    const index = typeof body.index === 'number' ? body.index : undefined;
    const slots = slotsOf(type, body, index ?? 0);
    return {
      json,
      type,
      block: index,
      slots,
      echoes: [],
      ends: type === 'message_delta' || type === 'message_stop',
      divisible: type === 'content_block_delta' && slots.length === 1,
      ...(type === 'content_block_stop' && { closes: [`content[${index}].`] }),
      usage: this.usageOf(type, body),
      fault: faultOf(type, body),
    };
  }

  private usageOf(type: string, body: Json): Usage | undefined {
    const holder = type === 'message_start' && isObject(body.message) ? body.message : body;
    if (!isObject(holder.usage)) return undefined;
    this.usage = mergeAnthropicUsage(this.usage, AnthropicUsage.parse(holder.usage));
    return fromAnthropicUsage(this.usage);
  }
}

function faultOf(type: string, body: Json): string | undefined {
  if (type === 'error' || isObject(body.error)) return 'error in the place of an answer';
  if (type === '') return 'no message';
  return type === 'message' && !Array.isArray(body.content) ? 'no content in a message' : undefined;
}

function slotsOf(type: string, body: Json, index: number): TextSlot[] {
  if (type === 'content_block_delta' && isObject(body.delta)) return deltaSlots(body.delta, index);
  const slots: TextSlot[] = [];
  if (type === 'content_block_start') addBlock(body.content_block, ['content_block'], index, slots);
  if (type === 'message' && Array.isArray(body.content)) {
    body.content.forEach((block: unknown, at) => {
      addBlock(block, ['content', at], at, slots);
    });
  }
  return slots;
}

function deltaSlots(delta: Json, index: number): TextSlot[] {
  const kind = DELTAS[String(delta.type)];
  const text = kind && delta[kind.field];
  if (kind === undefined || typeof text !== 'string' || text === '') return [];
  return [{ channel: `content[${index}].${kind.channel}`, text, path: ['delta', kind.field], ...kind.kind }];
}

function addBlock(block: unknown, path: JsonPath, index: number, slots: TextSlot[]): void {
  if (!isObject(block)) return;
  const isReadOnly = block.type === 'thinking' || block.type === 'redacted_thinking';
  collectTexts(block, path, isFixed, (found, text, isName) => {
    // Names of members cannot be changed in place.
    const kind = isReadOnly || isName ? ({ isReadOnly: true } as const) : {};
    const inside = found.slice(path.length);
    const name = inside.length === 1 ? String(inside[0]) : inside.map((step) => `[${JSON.stringify(step)}]`).join('');
    slots.push({ channel: `content[${index}].${isName ? 'name of ' : ''}${name}`, text, path: found, ...kind });
  });
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
