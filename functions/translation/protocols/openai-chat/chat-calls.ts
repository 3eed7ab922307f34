import { isObject, type JsonPath } from '../../../kernel/json/index.ts';
import type { CallPart, CallRemoval, ResponseCalls, ResponsePiece } from '../../../kernel/model/index.ts';
import { indexIn } from '../bodies/response-places.ts';
import type { ChatPiece } from './chat-response-reader.ts';

type Json = Record<string, unknown>;

interface KnownCall {
  readonly id: string;
  readonly field: string;
  /** Its index in `tool_calls`; undefined for `function_call`. */
  readonly index: number | undefined;
  /** The client's id of the call. */
  readonly callId: unknown;
  readonly type: unknown;
}

/** The calls of one choice, in order. */
class Choice {
  readonly calls: KnownCall[] = [];
  readonly open = new Set<KnownCall>();
  hasText = false;

  /** The call at an index. A server that numbers all calls 0 begins a new one with each new id and name. */
  at(
    index: number | undefined,
    { id: callId, type }: Json,
    isNamed: boolean,
    place: string,
    field: string,
  ): { call: KnownCall; starts: boolean } {
    const known = this.calls.findLast((call) => call.index === index);
    const isSame = known !== undefined && (!callId || !known.callId || callId === known.callId || !isNamed);
    if (isSame) return { call: known, starts: false };
    const id = known === undefined ? place : `${place} ${this.calls.length}`;
    const call = { id, field: `${place}.${field}`, index, callId, type };
    this.calls.push(call);
    this.open.add(call);
    return { call, starts: true };
  }

  /** The type of the last call at an index: its later pieces have none. */
  typeAt(index: number): unknown {
    return this.calls.findLast((call) => call.index === index)?.type;
  }

  takeOpen(): CallPart[] {
    const ends = [...this.open].map(({ id, field }): CallPart => ({ id, field, ends: true }));
    this.open.clear();
    return ends;
  }
}

const MENTIONS = /"(?:tool_calls|function_call)"/;
const CONTENT = /^choices\[(\d+)\]\.content/;
/** Finish reasons that announce calls. */
const OF_CALLS = new Set<unknown>(['tool_calls', 'function_call']);

/**
 * Calls of a chat completion or its chunks. A message has one content beside its list of calls, so the text of a removed call is added to
 * `content`. Clients fill their list by `index`: later calls move up.
 */
export class ChatCalls implements ResponseCalls {
  private readonly choices = new Map<number, Choice>();

  read(piece: ResponsePiece): readonly CallPart[] {
    const { finished, json, slots } = piece as ChatPiece;
    for (const { channel } of slots) {
      const at = CONTENT.exec(channel)?.[1];
      if (at !== undefined) this.choice(Number(at)).hasText = true;
    }
    const parts = MENTIONS.test(json) ? this.partsOf(JSON.parse(json)) : [];
    return [...parts, ...finished.flatMap(({ choice }) => this.choice(choice).takeOpen())];
  }

  remove(piece: ResponsePiece, { parts, textOf }: CallRemoval): ResponsePiece[] {
    if (!MENTIONS.test(piece.json)) return [piece];
    const body = JSON.parse(piece.json) as { choices: Json[]; usage?: unknown };
    const removed = parts.filter(({ id, path }) => path !== undefined && textOf(id) !== undefined);
    for (const { id, starts, path = [] } of removed) {
      const [, at, holder] = path as [string, number, string];
      const choice = body.choices[at] as Json;
      this.removeAt(choice, holder, path, starts ? (textOf(id) as string) : '');
    }
    for (const [at, choice] of body.choices.entries()) if (isObject(choice)) this.finish(choice, at, textOf);
    const isEmpty = body.choices.every((choice) => isObject(choice) && saysNothing(choice)) && body.usage == null;
    return isEmpty && body.choices.length > 0 ? [] : [{ ...piece, json: JSON.stringify(body) }];
  }

  private partsOf({ choices }: Json): CallPart[] {
    if (!Array.isArray(choices)) return [];
    return choices.flatMap((choice: unknown, at) => {
      if (!isObject(choice)) return [];
      const index = indexIn(choice, at);
      return (['delta', 'message'] as const).flatMap((holder) => {
        const message = choice[holder];
        if (!isObject(message)) return [];
        const parts = this.partsIn(message, index, ['choices', at, holder]);
        // A whole message has all of its calls.
        return holder === 'message' ? [...parts, ...this.choice(index).takeOpen()] : parts;
      });
    });
  }

  private partsIn(message: Json, index: number, path: JsonPath): CallPart[] {
    const choice = this.choice(index);
    const place = `choices[${index}].message`;
    const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
    const parts = calls.flatMap((call: unknown, at): CallPart[] => {
      if (!isObject(call)) return [];
      const own = indexIn(call, at);
      const type = call.type ?? choice.typeAt(own);
      const { member, name, args } = contentOf(call, type);
      const isNamed = typeof name === 'string' && name !== '';
      const known = choice.at(own, call, isNamed, `${place}.tool_calls[${own}]`, member);
      const nameOfType = known.starts && member === type ? type : undefined;
      // What goes on as a call of another type is another call to some clients.
      const isOther = args != null && !known.call.field.endsWith(`.${member}`);
      return [
        toPart({ ...known, starts: known.starts || isOther }, [...path, 'tool_calls', at], name ?? nameOfType, args),
      ];
    });
    if (!isObject(message.function_call)) return parts;
    const { name, arguments: args } = message.function_call;
    const known = choice.at(undefined, {}, true, `${place}.function_call`, 'arguments');
    return [...parts, toPart(known, [...path, 'function_call'], name, args)];
  }

  private choice(index: number): Choice {
    const known = this.choices.get(index) ?? new Choice();
    this.choices.set(index, known);
    return known;
  }

  private removeAt(choice: Json, holder: string, path: JsonPath, text: string): void {
    const message = choice[holder] as Json;
    const [, , , list, at] = path;
    if (list === 'function_call') delete message.function_call;
    else delete (message.tool_calls as unknown[])[at as number];
    if (text === '') return;
    const known = this.choice(indexIn(choice, path[1] as number));
    if (Array.isArray(message.content)) message.content.push({ type: 'text', text });
    else message.content = `${message.content ?? ''}${known.hasText ? '\n\n' : ''}${text}`;
    known.hasText = true;
  }

  /** Completes a choice of a piece from which calls were removed, or in which calls follow removed ones. */
  private finish(choice: Json, at: number, textOf: CallRemoval['textOf']): void {
    const { calls } = this.choice(indexIn(choice, at));
    const isKept = ({ id }: KnownCall) => textOf(id) === undefined;
    const kept = new Set(calls.filter(isKept).map(({ index }) => index));
    const gone = [...new Set(calls.map(({ index }) => index))].filter((index) => !kept.has(index));
    for (const holder of ['delta', 'message']) {
      const message = choice[holder];
      if (!isObject(message) || !Array.isArray(message.tool_calls)) continue;
      const left = message.tool_calls.filter((call) => call !== undefined);
      for (const call of left)
        if (isObject(call) && typeof call.index === 'number')
          call.index -= gone.filter((one) => one !== undefined && one < (call.index as number)).length;
      if (left.length > 0) message.tool_calls = left;
      else delete message.tool_calls;
    }
    if (kept.size === 0 && OF_CALLS.has(choice.finish_reason)) choice.finish_reason = 'stop';
  }
}

/**
 * Name and arguments of a call, or of the next piece of one. One of a type that we do not know may run a tool as well: its type names the member
 * that holds them. Without a type it is no such call: providers put other objects beside a function, such as Gemini's `extra_content`.
 */
function contentOf(
  call: Json,
  type: unknown,
): { readonly member: string; readonly name: unknown; readonly args: unknown } {
  const { function: called, custom } = call;
  const isFunction = isObject(called) && type !== 'custom';
  if (isObject(custom) && !isFunction) return { member: 'custom.input', name: custom.name, args: custom.input };
  if (isObject(called)) return { member: 'function.arguments', name: called.name, args: called.arguments };
  if (typeof type !== 'string' || type === 'function' || type === 'custom')
    return { member: 'function.arguments', name: undefined, args: undefined };
  const { name, arguments: args, input = args, ...rest } = Object(call[type] ?? withoutPlace(call)) as Json;
  const hasRest = Object.keys(rest).length > 0;
  return { member: type, name, args: input ?? (hasRest ? rest : undefined) };
}

function withoutPlace({ id: _id, index: _index, type: _type, ...rest }: Json): Json {
  return rest;
}

function toPart(
  { call: { id, field, callId }, starts }: { readonly call: KnownCall; readonly starts: boolean },
  path: JsonPath,
  name: unknown,
  args: unknown,
): CallPart {
  return {
    id,
    field,
    path,
    ...(starts && { starts }),
    ...(typeof callId === 'string' && callId !== '' && { callId }),
    ...(typeof name === 'string' && name !== '' && { name }),
    ...(typeof args === 'string' ? { text: args } : args != null && { whole: args }),
  };
}

function saysNothing({ delta, message, finish_reason: reason }: Json): boolean {
  const isFinished = typeof reason === 'string' && reason !== '';
  return !isFinished && message === undefined && isObject(delta) && Object.keys(delta).length === 0;
}
