import { isObject, type JsonPath } from '../../../kernel/json/index.ts';
import type { CallPart, CallRemoval, ResponseCalls, ResponsePiece } from '../../../kernel/model/index.ts';
import type { GeminiPiece } from './gemini-response-reader.ts';
import { PartialArgs } from './partial-args.ts';

type Json = Record<string, unknown>;

interface OpenCall {
  readonly id: string;
  readonly field: string;
  readonly args: PartialArgs;
}

const MENTIONS = /"functionCall"/;

/** Calls of a response or its chunks: parts with `functionCall`. A text part replaces a removed one. */
export class GeminiResponseCalls implements ResponseCalls {
  private count = 0;
  /** Calls whose arguments continue in the next chunk, by candidate. */
  private readonly open = new Map<number, OpenCall>();
  /** The arguments of the last call, by candidate: some clients add later ones without a name. */
  private readonly last = new Map<number, PartialArgs>();

  read(piece: ResponsePiece): readonly CallPart[] {
    const { json, finished } = piece as GeminiPiece;
    const parts = MENTIONS.test(json) ? this.partsOf(JSON.parse(json) as Json) : [];
    return [...parts, ...finished.flatMap((candidate) => this.takeOpen(candidate))];
  }

  remove(piece: ResponsePiece, { parts, textOf }: CallRemoval): ResponsePiece[] {
    const removed = parts.filter(({ id, path }) => path !== undefined && textOf(id) !== undefined);
    if (removed.length === 0) return [piece];
    const body = JSON.parse(piece.json) as Json & { candidates: Json[] };
    for (const { id, path = [], starts } of removed) {
      const list = (path.slice(0, -1) as (string | number)[]).reduce<unknown>(
        (one, step) => Object(one)[step],
        body,
      ) as Json[];
      const at = path.at(-1) as number;
      const { functionCall: _, ...rest } = list[at] as Json;
      const text = starts ? (textOf(id) as string) : '';
      if (text === '') delete list[at];
      else list[at] = { ...rest, text };
    }
    for (const candidate of body.candidates) {
      const content: unknown = Object(candidate).content;
      if (isObject(content) && Array.isArray(content.parts))
        content.parts = content.parts.filter((part) => part !== undefined);
    }
    return [{ ...piece, json: JSON.stringify(body) }];
  }

  private partsOf({ candidates }: Json): CallPart[] {
    if (!Array.isArray(candidates)) return [];
    return candidates.flatMap((candidate: unknown, at) => {
      const { content, index = at } = Object(candidate) as Json;
      const list = isObject(content) && Array.isArray(content.parts) ? content.parts : [];
      return list.flatMap((part: unknown, place) => {
        const call = isObject(part) ? part.functionCall : undefined;
        const path = ['candidates', at, 'content', 'parts', place];
        return isObject(call) ? this.partOf(call, Number(index), path) : [];
      });
    });
  }

  private partOf(call: Json, candidate: number, path: JsonPath): CallPart[] {
    const { name, args, partialArgs, willContinue } = call;
    const isNamed = typeof name === 'string' && name !== '';
    const known = isNamed ? undefined : this.open.get(candidate);
    const ended = known === undefined ? this.takeOpen(candidate) : [];
    const field = `candidates[${candidate}].parts[${path.at(-1)}].functionCall.args`;
    const before = isNamed ? undefined : this.last.get(candidate);
    const own = known ?? { id: `calls[${this.count++}]`, field, args: before ?? new PartialArgs() };
    own.args.add(args, partialArgs);
    this.last.set(candidate, own.args);
    const goesOn = willContinue === true;
    if (goesOn) this.open.set(candidate, own);
    else this.open.delete(candidate);
    const part: CallPart = {
      id: own.id,
      field: own.field,
      path,
      ...(typeof call.id === 'string' && { callId: call.id }),
      ...(known === undefined && { starts: true as const, name: isNamed ? name : '' }),
      ...(!goesOn && { whole: own.args.value, ends: true as const }),
    };
    return [...ended, part];
  }

  private takeOpen(candidate: number): CallPart[] {
    const call = this.open.get(candidate);
    this.open.delete(candidate);
    return call === undefined ? [] : [{ id: call.id, field: call.field, whole: call.args.value, ends: true }];
  }
}
