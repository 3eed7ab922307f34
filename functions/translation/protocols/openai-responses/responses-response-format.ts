import { isObject, type JsonEdit, type JsonPath, spliceJson } from '../../../kernel/json/index.ts';
import type {
  ChatCompletion,
  ChatDelta,
  ChatRequest,
  ModerationReport,
  ResponsePiece,
  SecurityInfo,
  Usage,
} from '../../../kernel/model/index.ts';
import { REFUSAL, withMember, withSvc } from '../bodies/response-json.ts';
import { NAMED_EVENTS } from '../bodies/stream-framing.ts';
import type { Bodies, ResponseFormat, ResponseIdentity, StreamFraming } from '../protocol.ts';
import { ResponsesCalls } from './responses-calls.ts';
import {
  encodeResponse,
  type ResponseHead,
  ResponsesEncoder,
  responseHead,
  toResponseObject,
  toResponsesUsageField,
} from './responses-encoder.ts';
import { holdsResponse } from './responses-events.ts';
import type { RepeatedTexts } from './responses-known-texts.ts';
import { type ResponsesPiece, ResponsesPieceReader } from './responses-response-reader.ts';
import type { ResponsesRequest } from './responses-schema.ts';

/** Events are named and numbered from 0. An error has the documented format, and `error` too, where clients look for it. */
export const RESPONSES_FRAMING: StreamFraming = {
  ...NAMED_EVENTS,
  error: (body, sent) => {
    const { error } = body as { error: { code: unknown; message: unknown; param: unknown } };
    const { code, message, param } = error;
    return { type: 'error', sequence_number: sent, code, message, param, ...body };
  },
};

/** OpenAI's responses: `svc` and `moderation` are at the top of a whole response, and of the response in the event that ends a stream. */
export class ResponsesResponseFormat implements ResponseFormat {
  readonly calls: ResponsesCalls;
  private readonly request: ChatRequest;
  private readonly bodies: Bodies<ResponsesRequest>;
  private readonly head: ResponseHead;
  private readonly moderation: ResponseIdentity['moderation'];
  protected readonly reader: ResponsesPieceReader;
  private readonly encoder: ResponsesEncoder;
  private readonly released = new ReleasedResponse();
  /** The number of the last event sent. */
  protected last = -1;
  /** Difference between the gateway's and the provider's event numbers, from events that were split. */
  private shift = 0;
  private stopped = false;

  constructor(
    request: ChatRequest,
    head: ResponseIdentity,
    bodies: Bodies<ResponsesRequest>,
    repeats: RepeatedTexts = {},
  ) {
    this.request = request;
    this.bodies = bodies;
    this.head = responseHead(head, bodies.asked);
    this.moderation = head.moderation;
    this.encoder = new ResponsesEncoder(this.head);
    this.calls = new ResponsesCalls(head.requestId.slice('req_'.length));
    const { store, conversation, background } = bodies.asked;
    // Conversations and background responses are stored by the provider, whatever the value of `store`.
    const isStored = store !== false || conversation != null || background === true;
    this.reader = new ResponsesPieceReader(isStored, [bodies.asked, bodies.sent], repeats);
  }

  readPiece(json: string): ResponsesPiece {
    return this.reader.read(json);
  }

  encodeWhole(completion: ChatCompletion): string {
    return JSON.stringify(encodeResponse(completion, this.head));
  }

  encode(delta: ChatDelta): string[] {
    return this.encoder.encode(delta).map((event) => JSON.stringify(event));
  }

  encodeEnd(): string[] {
    return this.encoder.end().map((event) => JSON.stringify(event));
  }

  /** Text before the block stays; partial tool calls are removed. */
  cutWhole(json: string, empty: boolean): string {
    const { output_text: _, ...body } = JSON.parse(json) as Record<string, unknown> & { output: unknown[] };
    const output = empty ? [] : body.output.filter(isObject).flatMap(cutMessage);
    return JSON.stringify({ ...body, ...INCOMPLETE, output });
  }

  withSecurity(json: string, svc: SecurityInfo): string {
    return this.withOurs(spliceJson(json, this.restorations([])), [], svc);
  }

  refusal(svc: SecurityInfo): string[] | undefined {
    const usage = { inputTokens: 0, outputTokens: 0 };
    if (!this.request.stream) {
      const choices = [{ index: 0, text: null, refusal: REFUSAL, finishReason: 'content_filter' as const }];
      const whole = this.encodeWhole({ id: this.head.id, model: this.head.model, choices, usage });
      return [this.withOurs(whole, [], svc)];
    }
    const refused = this.encode({ type: 'refusal', choice: 0, text: REFUSAL });
    this.encode({ type: 'finish', choice: 0, reason: 'content_filter' });
    this.encode({ type: 'usage', usage });
    const end = this.encodeEnd();
    return [...refused, ...end.slice(0, -1), this.withOurs(end.at(-1) as string, ['response'], svc)];
  }

  received(): void {}

  release(piece: ResponsePiece, cut: boolean, svc: () => SecurityInfo): string | undefined {
    const { type, ends, slots } = piece as ResponsesPiece;
    // A block writes its own end. Clients run a call as soon as its item is done.
    if (cut && (ends || (type === 'response.output_item.done' && slots.some(({ call }) => call)))) return undefined;
    for (const { channel, text } of slots) {
      this.released.append(channel, text);
      this.reader.released(channel, text);
    }
    const edits = [...this.repeatsAsLeft(piece as ResponsesPiece), ...this.renumbered(piece as ResponsesPiece)];
    const edited = edits.length === 0 ? piece.json : spliceJson(piece.json, edits);
    const json = holdsResponse(type) ? spliceJson(edited, this.restorations(['response'])) : edited;
    this.released.take(type, json);
    if (!ends) return json;
    this.stopped = true;
    return this.withOurs(json, ['response'], svc());
  }

  get ended(): boolean {
    return this.stopped;
  }

  blockedEnd(svc: SecurityInfo, usage: Usage): string[] {
    const { head, released } = this;
    const events: object[] = [];
    if (released.response === undefined) {
      const response = toResponseObject(head, { status: 'in_progress', output: [] });
      released.response = response as Record<string, unknown>;
      events.push({ type: 'response.created', response }, { type: 'response.in_progress', response });
    }
    events.push(...released.ends());
    const { usage: _, ...known } = released.response;
    const cut = { ...known, ...INCOMPLETE, output: released.output, ...toResponsesUsageField(usage), svc };
    const response = this.moderation ? { ...cut, moderation: responsesModeration(this.moderation()) } : cut;
    events.push({ type: 'response.incomplete', response });
    return events.map(({ type, ...fields }: { type?: string }) => {
      this.last += 1;
      return JSON.stringify({ type, sequence_number: this.last, ...fields });
    });
  }

  private withOurs(json: string, path: JsonPath, svc: SecurityInfo): string {
    const secured = withSvc(json, path, svc);
    return this.moderation ? withMember(secured, path, 'moderation', responsesModeration(this.moderation())) : secured;
  }

  /** A text that an event repeats has the form that was sent: redacted, and with placeholders replaced by the caller's text. */
  private repeatsAsLeft({ repeats }: ResponsesPiece): JsonEdit[] {
    return repeats.flatMap(({ channel, text, path, isName }): JsonEdit[] => {
      const left = this.released.textOf(channel);
      if (left === text) return [];
      if (isName) return [{ kind: 'rename', path, json: JSON.stringify(left) }];
      return [
        { kind: 'replace', path, json: JSON.stringify(left) },
        { kind: 'replace', path: [...path.slice(0, -1), 'logprobs'], json: '[]' },
      ];
    });
  }

  /** Parts of a split event get separate numbers, and all later numbers shift. */
  private renumbered({ sequence }: ResponsesPiece): JsonEdit[] {
    if (sequence === undefined) return [];
    if (sequence + this.shift <= this.last) this.shift = this.last + 1 - sequence;
    this.last = sequence + this.shift;
    return this.shift === 0 ? [] : [{ kind: 'replace', path: ['sequence_number'], json: String(this.last) }];
  }

  /** What a response repeats of its request is restored to what the caller wrote. */
  private restorations(path: JsonPath): JsonEdit[] {
    const { asked, sent } = this.bodies;
    if (asked === sent) return [];
    return REPEATED.flatMap((field): JsonEdit[] => {
      const json = JSON.stringify(asked[field] ?? null);
      if (json === JSON.stringify(sent[field] ?? null)) return [];
      return [{ kind: 'replace', path: [...path, field], json }];
    });
  }
}

/** Fields of a request that a response repeats, and in which the gateway may have changed a text. */
const REPEATED = ['instructions', 'tools', 'text', 'metadata', 'prompt', 'user', 'safety_identifier'] as const;

const INCOMPLETE = { status: 'incomplete', incomplete_details: { reason: 'content_filter' }, completed_at: null };

function cutMessage(item: Record<string, unknown>): object[] {
  if (item.type !== 'message' || !Array.isArray(item.content)) return [];
  const content = item.content.filter(isObject).filter(({ text, refusal }) => (text ?? refusal ?? '') !== '');
  return content.length === 0 ? [] : [{ ...item, status: 'incomplete', content }];
}

type Json = Record<string, unknown>;

interface OpenPart {
  readonly kind: 'output_text' | 'refusal';
  readonly channel: string;
}

/** The part of a streamed response that was sent, which is needed to end it after a block. */
class ReleasedResponse {
  /** The latest version of the response object. */
  response: Json | undefined;
  /** Items by their index, from the last event that had them whole. */
  private readonly items = new Map<number, Json>();
  private readonly done = new Set<number>();
  /** Open parts of messages, by item index. */
  private readonly open = new Map<number, OpenPart>();
  private readonly texts = new Map<string, string>();

  /** The text sent so far. */
  textOf(channel: string): string {
    return this.texts.get(channel) ?? '';
  }

  append(channel: string, text: string): void {
    this.texts.set(channel, this.textOf(channel) + text);
  }

  /** Records an event that is sent. */
  take(type: string, json: string): void {
    if (type.endsWith('.delta')) return;
    const { response, item, output_index, content_index, part } = JSON.parse(json) as Json;
    if (holdsResponse(type)) {
      this.response = response as Json;
      return;
    }
    const at = Number(output_index);
    if (type === 'response.output_item.added' || type === 'response.output_item.done') {
      this.items.set(at, item as Json);
      this.open.delete(at);
      if (type.endsWith('done')) this.done.add(at);
      return;
    }
    const message = this.items.get(at);
    if (message === undefined || (type !== 'response.content_part.added' && type !== 'response.content_part.done'))
      return;
    const kind = (part as Json | undefined)?.type;
    const content = Array.isArray(message.content) ? [...message.content] : [];
    content[Number(content_index)] = part;
    this.items.set(at, { ...message, content });
    const channel = `output[${at}].content[${content_index}].${kind === 'refusal' ? 'refusal' : 'text'}`;
    if (type.endsWith('done') || (kind !== 'output_text' && kind !== 'refusal')) this.open.delete(at);
    else this.open.set(at, { kind, channel });
  }

  /** The events that end open messages with the text that was sent. Other open items stay open: a partial call is invalid. */
  ends(): object[] {
    return [...this.items].flatMap(([at, item]) => {
      if (this.done.has(at) || item.type !== 'message') return [];
      const part = this.endPart(at, item);
      const ended = { ...(this.items.get(at) as Json), status: 'incomplete' };
      this.items.set(at, ended);
      this.done.add(at);
      return [...part, { type: 'response.output_item.done', output_index: at, item: ended }];
    });
  }

  /** The items that are complete, or were ended. */
  get output(): object[] {
    return [...this.items].filter(([at]) => this.done.has(at)).map(([, item]) => item);
  }

  private endPart(at: number, item: Json): object[] {
    const open = this.open.get(at);
    if (open === undefined) return [];
    const { kind, channel } = open;
    const text = this.textOf(channel);
    const content = [...(item.content as Json[])];
    const index = content.length - 1;
    const field = kind === 'refusal' ? 'refusal' : 'text';
    content[index] = { ...content[index], [field]: text };
    this.items.set(at, { ...item, content });
    const place = { item_id: item.id, output_index: at, content_index: index };
    const logprobs = kind === 'refusal' ? {} : { logprobs: [] };
    return [
      { type: `response.${kind}.done`, ...place, [field]: text, ...logprobs },
      { type: 'response.content_part.done', ...place, part: content[index] },
    ];
  }
}

/** `moderation` in the format of the Responses API: one result for the request, and one for the whole response. */
function responsesModeration({ model, input, output }: ModerationReport): object {
  const type = 'moderation_result';
  return { input: { type, model, ...input }, output: { type, model, ...output } };
}
