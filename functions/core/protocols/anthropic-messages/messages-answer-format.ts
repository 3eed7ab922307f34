import { isObject } from '../../base/json.ts';
import type { ChatCompletion, ChatDelta, ChatRequest, Usage } from '../../model/chat.ts';
import type { SecurityInfo } from '../../model/security-info.ts';
import type { AnswerFormat, AnswerHead, AnswerPiece, StreamFraming } from '../answer-format.ts';
import { NAMED_EVENTS } from '../named-events.ts';
import { REFUSAL, withSvc } from '../security-fields.ts';
import { encodeMessage, MessageEncoder, type MessageHead, messageEnd, messageStart } from './messages-encoder.ts';
import { type MessagesPiece, MessagesPieceReader } from './messages-pieces.ts';

export const MESSAGES_FRAMING: StreamFraming = NAMED_EVENTS;

/** Anthropic's messages: `svc` at the top of the whole answer, and of the `message_delta` event that has the stop reason. */
export class MessagesAnswerFormat implements AnswerFormat {
  private readonly request: ChatRequest;
  private readonly head: MessageHead;
  private readonly reader: MessagesPieceReader;
  private readonly encoder: MessageEncoder;
  private readonly openBlocks = new Set<number>();
  private started = false;
  private stopped = false;

  constructor(request: ChatRequest, { requestId, model }: AnswerHead, isDiagnosed = false) {
    this.request = request;
    this.head = { id: `msg_${requestId.slice('req_'.length)}`, model };
    this.encoder = new MessageEncoder(this.head);
    this.reader = new MessagesPieceReader(isDiagnosed);
  }

  readPiece(json: string): MessagesPiece {
    return this.reader.read(json);
  }

  encodeWhole(completion: ChatCompletion): string {
    return JSON.stringify(encodeMessage(completion, this.head));
  }

  encode(delta: ChatDelta): string[] {
    return this.encoder.encode(delta).map((event) => JSON.stringify(event));
  }

  encodeEnd(): string[] {
    return this.encoder.end().map((event) => JSON.stringify(event));
  }

  /** Text left stands before the block; half a call of a tool is none, and a block without a text is refused as another turn's past. */
  cutWhole(json: string, empty: boolean): string {
    const body = JSON.parse(json) as Record<string, unknown> & { content: unknown[] };
    body.content = empty ? [] : body.content.filter(isObject).filter(isWhole).map(withoutCutCitations);
    body.stop_reason = 'refusal';
    body.stop_sequence = null;
    if ('stop_details' in body) body.stop_details = null;
    return JSON.stringify(body);
  }

  withSecurity(json: string, svc: SecurityInfo): string {
    return withSvc(json, [], svc);
  }

  refusal(svc: SecurityInfo): string[] {
    const { id, model } = this.head;
    const usage = { inputTokens: 0, outputTokens: 0 };
    if (!this.request.stream) {
      const choices = [{ index: 0, text: REFUSAL, finishReason: 'content_filter' as const }];
      return [this.withSecurity(this.encodeWhole({ id, model, choices, usage }), svc)];
    }
    const said = this.encoder.encode({ type: 'text', choice: 0, text: REFUSAL });
    this.encoder.encode({ type: 'finish', choice: 0, reason: 'content_filter' });
    this.encoder.encode({ type: 'usage', usage });
    return [...said, ...this.encoder.end()].map((event) => secured(event, svc));
  }

  came(): void {}

  leaving(piece: AnswerPiece, cut: boolean, svc: () => SecurityInfo): string | undefined {
    const { type, block, json, stops } = piece as MessagesPiece;
    this.reader.left(piece as MessagesPiece);
    if (type === 'message_start') this.started = true;
    if (type === 'content_block_start' && block !== undefined) this.openBlocks.add(block);
    if (type === 'content_block_stop' && block !== undefined) this.openBlocks.delete(block);
    if (!piece.ends) return json;
    // A block says its own end.
    if (cut) return undefined;
    if (!stops) return json;
    this.stopped = true;
    return this.withSecurity(json, svc());
  }

  get ended(): boolean {
    return this.stopped;
  }

  blockedEnd(svc: SecurityInfo, usage: Usage): string[] {
    const stops = [...this.openBlocks].map((index) => ({ type: 'content_block_stop', index }));
    const start = this.started ? [] : [messageStart(this.head)];
    return [...start, ...stops, ...messageEnd('content_filter', usage)].map((event) => secured(event, svc));
  }
}

type Json = Record<string, unknown>;

function isWhole({ type, text, thinking }: Json): boolean {
  return text !== '' && thinking !== '' && !/(?:tool_use|_tool_result)$/.test(String(type));
}

function withoutCutCitations(block: Json): Json {
  const { citations } = block;
  if (!Array.isArray(citations)) return block;
  return {
    ...block,
    citations: citations.filter((citation: unknown) => !isObject(citation) || citation.cited_text !== ''),
  };
}

function secured(event: object, svc: SecurityInfo): string {
  return JSON.stringify((event as { type: string }).type === 'message_delta' ? { ...event, svc } : event);
}
