import { isObject, type JsonPath } from '../../../kernel/json/index.ts';
import type { CallPart, CallRemoval, ResponseCalls, ResponsePiece } from '../../../kernel/model/index.ts';
import { callOf, type MessagesPiece } from './messages-response-reader.ts';

type Json = Record<string, unknown>;

/** Calls of a message or its events that the client executes. A text block replaces a removed one. */
export class MessagesCalls implements ResponseCalls {
  private readonly ids = new Set<string>();
  private readonly open = new Set<string>();
  /** Blocks of calls that the provider executes. */
  private readonly hosted = new Set<string>();

  read(piece: ResponsePiece): readonly CallPart[] {
    const { type, block, stops, json } = piece as MessagesPiece;
    const id = `content[${block}]`;
    switch (type) {
      case 'content_block_start':
        return this.blockOf((JSON.parse(json) as Json).content_block, id, ['content_block'], false);
      case 'content_block_delta':
        return this.deltaOf(JSON.parse(json) as Json, id);
      case 'content_block_stop':
        return this.open.delete(id) ? [{ id, field: fieldOf(id), path: [], ends: true }] : [];
      case 'message_delta':
        return stops ? this.takeOpen() : [];
      case 'message_start':
        return this.contentOf(Object((JSON.parse(json) as Json).message), ['message', 'content']);
      case 'message':
        return this.contentOf(JSON.parse(json) as Json, ['content']);
      default:
        return [];
    }
  }

  remove(piece: ResponsePiece, { parts, textOf }: CallRemoval): ResponsePiece[] {
    const { type, stops } = piece as MessagesPiece;
    const removed = parts.filter(({ id, path }) => path !== undefined && textOf(id) !== undefined);
    const [first] = removed;
    if (first !== undefined && type === 'content_block_start')
      return this.asText(piece as MessagesPiece, textOf(first.id) as string);
    if (first !== undefined && type === 'content_block_delta') return [];
    if (first !== undefined && type === 'content_block_stop') return [piece];
    if (first === undefined && !stops && type !== 'message') return [piece];
    const body = JSON.parse(piece.json) as Json;
    for (const { id, path = [] } of removed) {
      const [holder, at] = [path.slice(0, -1), path.at(-1) as number];
      const content = holder.reduce<unknown>((one, step) => (one as Json)[step], body) as unknown[];
      content[at] = { type: 'text', text: textOf(id) };
    }
    const end = (stops ? body.delta : body) as Json;
    const isLeft = [...this.ids].some((id) => textOf(id) === undefined);
    if (!isLeft && end.stop_reason === 'tool_use') end.stop_reason = 'end_turn';
    return [{ ...piece, json: JSON.stringify(body) }];
  }

  /** The events that begin a block with this text. */
  private asText(piece: MessagesPiece, text: string): ResponsePiece[] {
    const { index } = JSON.parse(piece.json) as Json;
    const start = { type: 'content_block_start', index, content_block: { type: 'text', text: '' } };
    const delta = { type: 'content_block_delta', index, delta: { type: 'text_delta', text } };
    const begun: MessagesPiece = { ...piece, json: JSON.stringify(start), slots: [] };
    const said: MessagesPiece = { ...begun, type: delta.type, json: JSON.stringify(delta) };
    return text === '' ? [begun] : [begun, said];
  }

  private contentOf({ content }: Json, path: JsonPath): CallPart[] {
    if (!Array.isArray(content)) return [];
    return content.flatMap((block, at) => this.blockOf(block, `content[${at}]`, [...path, at], true));
  }

  private blockOf(block: unknown, id: string, path: JsonPath, isWhole: boolean): CallPart[] {
    const by = isObject(block) ? callOf(block) : undefined;
    if (by === 'provider') this.hosted.add(id);
    if (!isObject(block) || by !== 'client') return [];
    const { name, input } = block;
    const hasInput = isWhole || (isObject(input) && Object.keys(input).length > 0);
    this.ids.add(id);
    if (!isWhole) this.open.add(id);
    return [
      {
        id,
        field: fieldOf(id),
        path,
        starts: true,
        name: typeof name === 'string' ? name : '',
        ...(typeof block.id === 'string' && { callId: block.id }),
        ...(hasInput && { whole: input }),
        ...(isWhole && { ends: true as const }),
      },
    ];
  }

  private deltaOf(body: Json, id: string): CallPart[] {
    const text = textIn(body);
    // Before the start of a block and after its end: some clients keep them for it.
    const isPart = this.open.has(id) || (text.text !== undefined && !this.hosted.has(id));
    return isPart ? [{ id, field: fieldOf(id), path: ['delta'], ...text }] : [];
  }

  private takeOpen(): CallPart[] {
    const ends = [...this.open].map((id): CallPart => ({ id, field: fieldOf(id), ends: true }));
    this.open.clear();
    return ends;
  }
}

function textIn({ delta }: Json): Pick<CallPart, 'text'> {
  const text = isObject(delta) ? delta.partial_json : undefined;
  return typeof text === 'string' ? { text } : {};
}

function fieldOf(id: string): string {
  return `${id}.input`;
}
