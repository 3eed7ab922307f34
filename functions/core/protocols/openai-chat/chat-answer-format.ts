import { isObject } from '../../base/json.ts';
import { spliceJson } from '../../base/json-splice.ts';
import type { ChatCompletion, ChatDelta, ChatRequest, Usage } from '../../model/chat.ts';
import type { SecurityInfo } from '../../model/security-info.ts';
import type { AnswerFormat, AnswerHead, AnswerPiece, StreamFraming } from '../answer-format.ts';
import { idIn } from '../answer-places.ts';
import { faultOfChoices } from '../choice-indexes.ts';
import { oneLine, REFUSAL, withMember, withSvc } from '../security-fields.ts';
import { type ChatHead, ChunkEncoder, encodeChunk, encodeCompletion, usageField } from './chat-encoder.ts';
import { chatModeration } from './chat-moderation.ts';
import { type ChatPiece, chatOthers, toChatPiece } from './chat-pieces.ts';

export const CHAT_FRAMING: StreamFraming = { event: (json) => `data: ${oneLine(json)}\n\n`, end: 'data: [DONE]\n\n' };

/** OpenAI's chat completions: `svc` at the top of the whole answer, and of each chunk that holds a finish reason. */
export class ChatAnswerFormat implements AnswerFormat {
  private readonly request: ChatRequest;
  private readonly encoder: ChunkEncoder;
  private readonly moderation: AnswerHead['moderation'];
  /** As the provider's own chunks say. */
  private head: ChatHead;
  private readonly others = chatOthers();
  private readonly finished = new Set<number>();
  private readonly seen = new Set<number>();

  constructor(request: ChatRequest, { requestId, created, model, moderation }: AnswerHead) {
    this.request = request;
    this.moderation = moderation;
    this.head = { id: `chatcmpl-${requestId.slice('req_'.length)}`, created, model };
    this.encoder = new ChunkEncoder(this.head);
  }

  readPiece(json: string): ChatPiece {
    const piece = toChatPiece(json, this.others);
    return { ...piece, fault: piece.fault ?? faultOfChoices(piece.choiceIndexes, this.request) };
  }

  encodeWhole(completion: ChatCompletion): string {
    return encodeCompletion(completion, this.head.created);
  }

  encode(delta: ChatDelta): string[] {
    return this.encoder.encode(delta);
  }

  encodeEnd(): string[] {
    return [];
  }

  /** Text left stands before the block; nothing of a tool call may, since half a call is none. */
  cutWhole(json: string, empty: boolean): string {
    const body = JSON.parse(json) as { choices: unknown[] };
    for (const choice of body.choices.filter(isObject)) {
      choice.finish_reason = 'content_filter';
      if (!isObject(choice.message)) continue;
      delete choice.message.tool_calls;
      delete choice.message.function_call;
      if (empty) choice.message = { role: 'assistant', content: '', refusal: null };
    }
    return JSON.stringify(body);
  }

  /** A stream tells its moderation by a chunk of its own. */
  withSecurity(json: string, svc: SecurityInfo): string {
    const whole = withSvc(json, [], svc);
    if (this.moderation === undefined || this.request.stream) return whole;
    return withMember(whole, [], 'moderation', chatModeration(this.moderation()));
  }

  refusal(svc: SecurityInfo): string[] {
    const usage = { inputTokens: 0, outputTokens: 0 };
    const { head } = this;
    if (!this.request.stream) {
      const choices = [{ index: 0, text: null, refusal: REFUSAL, finishReason: 'content_filter' as const }];
      return [this.withSecurity(this.encodeWhole({ id: head.id, model: head.model, choices, usage }), svc)];
    }
    const choice = (delta: object, finish_reason: string | null) => ({ choices: [{ index: 0, delta, finish_reason }] });
    const chunks = [
      choice({ role: 'assistant', content: '' }, null),
      choice({ refusal: REFUSAL }, null),
      { ...choice({}, 'content_filter'), svc },
      ...(this.request.includeUsage ? [{ choices: [], ...usageField(usage) }] : []),
    ];
    return [...chunks.map((chunk) => encodeChunk(head, chunk)), ...this.lastEvents()];
  }

  came(piece: AnswerPiece): void {
    const { id, model, created } = piece as ChatPiece;
    const { head } = this;
    if (id === head.id && model === head.model && created === head.created) return;
    this.head = { id: idIn(id) ?? head.id, model: idIn(model) ?? head.model, created: created ?? head.created };
  }

  leaving(piece: AnswerPiece, cut: boolean, svc: () => SecurityInfo): string | undefined {
    const { usageOnly, choiceIndexes, finished, finishPaths, json } = piece as ChatPiece;
    this.others.left(piece.slots);
    if (usageOnly && !this.request.includeUsage) return undefined;
    for (const choice of choiceIndexes) this.seen.add(choice);
    if (finished.length === 0) return json;
    if (cut) {
      return spliceJson(
        json,
        finishPaths.map((path) => ({ kind: 'replace', path, json: 'null' })),
      );
    }
    for (const { choice } of finished) this.finished.add(choice);
    return this.withSecurity(json, svc());
  }

  get ended(): boolean {
    return this.finished.size > 0;
  }

  lastEvents(): string[] {
    if (this.moderation === undefined) return [];
    return [encodeChunk(this.head, { choices: [], moderation: chatModeration(this.moderation()) })];
  }

  /** A finish for every open choice, and the usage where it was asked for. */
  blockedEnd(svc: SecurityInfo, usage: Usage): string[] {
    const open = [...(this.seen.size > 0 ? this.seen : new Set([0]))].filter((choice) => !this.finished.has(choice));
    const ends = open.map((index) =>
      encodeChunk(this.head, { choices: [{ index, delta: {}, finish_reason: 'content_filter' }], svc }),
    );
    if (this.request.includeUsage) ends.push(encodeChunk(this.head, { choices: [], ...usageField(usage) }));
    return ends;
  }
}
