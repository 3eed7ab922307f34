import { isObject, type JsonPath, spliceJson } from '../../../kernel/json/index.ts';
import type { CallPart, CallRemoval, ResponseCalls, ResponsePiece } from '../../../kernel/model/index.ts';
import { endsResponse } from './responses-events.ts';
import { responseOfItem, toItemId } from './responses-items.ts';
import { callOf } from './responses-piece-texts.ts';
import type { ResponsesPiece } from './responses-response-reader.ts';

type Json = Record<string, unknown>;
type UnansweredCall = NonNullable<ResponsePiece['unanswered']>['calls'][number];

/** The member of each kind of call that holds its arguments. `arguments` and `input` grow in events. */
const ARGUMENTS = ['arguments', 'input', 'action', 'operation', 'actions'] as const;
const GROWING: ReadonlyMap<string, string> = new Map([
  ['response.function_call_arguments.delta', 'delta'],
  ['response.function_call_arguments.done', 'arguments'],
  ['response.custom_tool_call_input.delta', 'delta'],
  ['response.custom_tool_call_input.done', 'input'],
]);

/** Calls of a response or its events: output items that the client executes, or that run once it approves them. A message replaces a removed one. */
export class ResponsesCalls implements ResponseCalls {
  private readonly responseId: string;
  /** Fields by id. */
  private readonly fields = new Map<string, string>();
  /** Events that were left out. */
  private dropped = 0;

  /** @param responseId the gateway's own, for the ids of messages */
  constructor(responseId: string) {
    this.responseId = responseId;
  }

  read(piece: ResponsePiece): readonly CallPart[] {
    const { type, json } = piece as ResponsesPiece;
    const member = GROWING.get(type);
    if (member !== undefined) return this.growing(JSON.parse(json) as Json, member);
    switch (type) {
      case 'response.output_item.added':
      case 'response.output_item.done': {
        const { item, output_index: at } = JSON.parse(json) as Json;
        return this.itemOf(item, at, ['item'], type.endsWith('done'));
      }
      case '':
        return this.outputOf(JSON.parse(json) as Json, ['output']);
    }
    if (!endsResponse(type)) return [];
    return this.outputOf(Object((JSON.parse(json) as Json).response), ['response', 'output']);
  }

  /**
   * The response at the provider still has the call, so its id must not be used to read it. A client may continue from it, with an output
   * that says that the call was not run.
   */
  remove(piece: ResponsePiece, removal: CallRemoval): ResponsePiece[] {
    const { type } = piece as ResponsesPiece;
    const calls = unansweredIn(piece, removal);
    const pieces = this.withoutCalls(piece, removal).map((one) => this.renumbered(one as ResponsesPiece));
    if (pieces.length === 0) this.dropped += 1;
    if (type !== '' && !endsResponse(type)) return pieces;
    return pieces.map(({ issuedIds = [], ...rest }) => {
      const body = JSON.parse(rest.json) as Json;
      const { id } = Object(type === '' ? body : body.response) as Json;
      const isIssued = typeof id === 'string' && issuedIds.includes(id);
      return {
        ...rest,
        issuedIds: issuedIds.filter((one) => one !== id),
        ...(isIssued && calls.length > 0 && { unanswered: { id, calls } }),
      };
    });
  }

  /** Events after those that were left out have lower numbers. */
  private renumbered(piece: ResponsesPiece): ResponsesPiece {
    if (this.dropped === 0 || piece.sequence === undefined) return piece;
    const sequence = piece.sequence - this.dropped;
    const edit = { kind: 'replace', path: ['sequence_number'], json: String(sequence) } as const;
    return { ...piece, sequence, json: spliceJson(piece.json, [edit]) };
  }

  private withoutCalls(piece: ResponsePiece, { parts, textOf }: CallRemoval): ResponsePiece[] {
    const removed = parts.filter(({ id, path }) => path !== undefined && textOf(id) !== undefined);
    const [first] = removed;
    if (first === undefined) return [piece];
    const { type, repeats } = piece as ResponsesPiece;
    const body = JSON.parse(piece.json) as Json;
    if (type !== '' && !endsResponse(type))
      return first.starts ? this.asMessage(piece as ResponsesPiece, body, textOf(first.id) as string) : [];
    for (const { id, path = [] } of removed) {
      const output = (type === '' ? body : (body.response as Json)).output as Json[];
      const at = path.at(-1) as number;
      output[at] = this.messageFor(output[at] as Json, at, textOf(id) as string);
    }
    const isRemoved = (of: JsonPath) => removed.some(({ path = [] }) => path.every((step, at) => of[at] === step));
    const left: ResponsesPiece = {
      ...(piece as ResponsesPiece),
      json: JSON.stringify(body),
      repeats: repeats.filter(({ path }) => !isRemoved(path)),
    };
    return [left];
  }

  private growing(body: Json, member: string): CallPart[] {
    const id = `output[${body.output_index}]`;
    const text = body[member];
    if (typeof text !== 'string') return [];
    // Of a call that has not begun: some clients keep it for the call that does.
    const field = this.fields.get(id) ?? `${id}.arguments`;
    return [{ id, field, path: [], ...(member === 'delta' ? { text } : { whole: text }) }];
  }

  private outputOf({ output }: Json, path: JsonPath): CallPart[] {
    return Array.isArray(output) ? output.flatMap((item, at) => this.itemOf(item, at, [...path, at], true)) : [];
  }

  private itemOf(item: unknown, at: unknown, path: JsonPath, isWhole: boolean): CallPart[] {
    if (!isObject(item) || callOf(item.type).call !== 'client') return [];
    const id = `output[${at}]`;
    const first = item.type === 'custom_tool_call' ? 'input' : 'arguments';
    const member = [first, ...ARGUMENTS].find((name) => item[name] !== undefined) ?? first;
    const starts = !this.fields.has(id);
    const field = `${id}.${member}`;
    this.fields.set(id, field);
    return [
      {
        id,
        field,
        path,
        name: typeof item.name === 'string' ? item.name : String(item.type).replace(/_call$/, ''),
        ...(starts && { starts }),
        ...(typeof item.call_id === 'string' && { callId: item.call_id }),
        ...(item[member] !== undefined && item[member] !== '' && { whole: item[member] }),
        ...(isWhole && { ends: true as const }),
      },
    ];
  }

  /** A message that replaces an item. The gateway keeps it under its id, since the provider does not know it. */
  private messageFor({ id }: Json, at: number, text: string): Message {
    const isOurs = typeof id === 'string' && responseOfItem(id) !== undefined;
    const own = isOurs ? `msg_${id.replace(/^[a-z]+_/, '')}` : toItemId('msg', this.responseId, at);
    const content: Message['content'] = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
    return { id: own, type: 'message', status: 'completed', role: 'assistant', content };
  }

  /** The events of a message instead of the first event of an item. Events after it are numbered anew. */
  private asMessage(piece: ResponsesPiece, { output_index, item }: Json, text: string): ResponsePiece[] {
    if (text === '') return [];
    const message = this.messageFor(item as Json, output_index as number, text);
    const [part] = message.content;
    const place = { item_id: message.id, output_index, content_index: 0 };
    const empty = { ...part, text: '' };
    const events: Json[] = [
      { type: 'response.output_item.added', output_index, item: { ...message, status: 'in_progress', content: [] } },
      { type: 'response.content_part.added', ...place, part: empty },
      { type: 'response.output_text.delta', ...place, delta: text, logprobs: [] },
      { type: 'response.output_text.done', ...place, text, logprobs: [] },
      { type: 'response.content_part.done', ...place, part },
      { type: 'response.output_item.done', output_index, item: message },
    ];
    return events.map(({ type, ...fields }): ResponsesPiece => {
      const json = JSON.stringify({ type, sequence_number: piece.sequence, ...fields });
      return { ...piece, type: type as string, json, slots: [], repeats: [], echoes: [] };
    });
  }
}

interface Message extends Json {
  readonly id: string;
  readonly content: readonly [Json];
}

/** The calls that are removed from a whole response; empty if one of them is of a kind whose output is not known. */
function unansweredIn({ json }: ResponsePiece, { parts, textOf }: CallRemoval): UnansweredCall[] {
  const removed = parts.filter(({ id, path }) => path !== undefined && textOf(id) !== undefined);
  if (removed.length === 0) return [];
  const body = JSON.parse(json) as Json;
  const calls = removed.map(({ path = [], callId }): UnansweredCall | undefined => {
    const item = path.reduce<unknown>((one, step) => Object(one)[step], body);
    const { type } = Object(item) as Json;
    const isKnown = type === 'function_call' || type === 'custom_tool_call';
    return callId !== undefined && isKnown ? { callId, type } : undefined;
  });
  return calls.every((call) => call !== undefined) ? calls : [];
}
