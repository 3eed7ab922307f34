import { isObject, readArguments, spliceJson } from '../../../kernel/json/index.ts';
import type {
  ChatCompletion,
  ChatDelta,
  ChatRequest,
  FinishReason,
  ResponsePiece,
  SecurityInfo,
  ToolCall,
  Usage,
} from '../../../kernel/model/index.ts';
import { faultOfChoices, REFUSAL, withSvc } from '../bodies/response-json.ts';
import { oneLine } from '../bodies/stream-framing.ts';
import type { ResponseFormat, ResponseIdentity, StreamFraming } from '../protocol.ts';
import { GeminiResponseCalls } from './gemini-response-calls.ts';
import { type GeminiPiece, geminiOthers, toGeminiPiece } from './gemini-response-reader.ts';

export const GEMINI_FRAMING: StreamFraming = { event: (json) => `data: ${oneLine(json)}\n\n`, end: '' };

const REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  content_filter: 'SAFETY',
};

/** Google's generateContent: `svc` is at the top of a whole response, and of the chunk that ends a stream. */
export class GeminiResponseFormat implements ResponseFormat {
  readonly calls = new GeminiResponseCalls();
  private readonly request: Pick<ChatRequest, 'choiceCount'>;
  private responseId: string;
  private model: string;
  private readonly seen = new Set<number>();
  private readonly finished = new Set<number>();
  private isBlocked = false;
  /** Calls of a translated stream, by choice and index. Gemini sends a call in one piece, so arguments are collected first. */
  private readonly begun = new Map<string, { name: string; id: string; text: string }>();
  private readonly reasons = new Map<number, FinishReason>();
  private usage: Usage = {};
  private readonly others = geminiOthers();

  constructor(request: Pick<ChatRequest, 'choiceCount'>, { requestId, model }: ResponseIdentity) {
    this.request = request;
    this.responseId = requestId.slice('req_'.length);
    this.model = model;
  }

  readPiece(json: string): GeminiPiece {
    const piece = toGeminiPiece(json, this.others);
    return { ...piece, fault: piece.fault ?? faultOfChoices(piece.candidates, this.request) };
  }

  encodeWhole({ model, choices, usage }: ChatCompletion): string {
    this.model = model;
    return this.chunk(
      choices.map(({ index, text, refusal, reasoning, toolCalls = [], finishReason }) => {
        const texts = [text, refusal].filter((part) => part != null && part !== '').map((part) => ({ text: part }));
        const thoughts = reasoning === undefined ? [] : [{ text: reasoning, thought: true }];
        return candidateOf(index, [...thoughts, ...texts, ...toolCalls.map(toFunctionCall)], finishReason);
      }),
      usage,
    );
  }

  encode(delta: ChatDelta): string[] {
    switch (delta.type) {
      case 'start':
        this.model = delta.model;
        return [];
      case 'reasoning':
        return [this.chunk([candidateOf(delta.choice, [{ text: delta.text, thought: true }])])];
      case 'signed':
        return [];
      case 'text':
      case 'refusal':
        return [this.chunk([candidateOf(delta.choice, [{ text: delta.text }])])];
      case 'tool_call':
        this.begun.set(`${delta.choice}.${delta.index}`, { id: delta.id, name: delta.name, text: '' });
        return [];
      case 'tool_arguments': {
        const call = this.begun.get(`${delta.choice}.${delta.index}`);
        if (call) call.text += delta.text;
        return [];
      }
      case 'finish':
        this.reasons.set(delta.choice, delta.reason);
        return [];
      case 'usage':
        this.usage = delta.usage;
        return [];
    }
  }

  /** The end of the stream. Usage comes after the finish reasons, so both are sent here. */
  encodeEnd(): string[] {
    const ends = [...this.reasons].map(([choice, reason]) => {
      const calls = [...this.begun].filter(([key]) => key.startsWith(`${choice}.`)).map(([, call]) => call);
      const parts = calls.map(({ id, name, text }) => toFunctionCall({ id, name, arguments: text }));
      return candidateOf(choice, parts, reason);
    });
    return ends.length === 0 ? [] : [this.chunk(ends, this.usage)];
  }

  cutWhole(json: string, empty: boolean): string {
    const body = JSON.parse(json) as { candidates?: unknown };
    const candidates = Array.isArray(body.candidates) ? body.candidates.filter(isObject) : [];
    for (const candidate of candidates) {
      candidate.finishReason = 'SAFETY';
      const { content } = candidate;
      if (!isObject(content) || !Array.isArray(content.parts)) continue;
      content.parts = empty ? [] : content.parts.filter((part) => isObject(part) && !('functionCall' in part));
    }
    return JSON.stringify(body);
  }

  withSecurity(json: string, svc: SecurityInfo): string {
    return withSvc(json, [], svc);
  }

  refusal(svc: SecurityInfo): string[] {
    const usage = { inputTokens: 0, outputTokens: 0 };
    return [this.withSecurity(this.chunk([candidateOf(0, [{ text: REFUSAL }], 'content_filter')], usage), svc)];
  }

  received(piece: ResponsePiece): void {
    const { id, model } = piece as GeminiPiece;
    this.responseId = id ?? this.responseId;
    this.model = model ?? this.model;
  }

  release(piece: ResponsePiece, cut: boolean, svc: () => SecurityInfo): string | undefined {
    const { candidates, finished, isBlocked, finishPaths, json } = piece as GeminiPiece;
    this.others.released(piece.slots);
    for (const candidate of candidates) this.seen.add(candidate);
    if (finished.length === 0 && !isBlocked) return json;
    if (cut) {
      return spliceJson(
        json,
        finishPaths.map((path) => ({ kind: 'remove', path })),
      );
    }
    for (const candidate of finished) this.finished.add(candidate);
    this.isBlocked ||= isBlocked;
    return this.withSecurity(json, svc());
  }

  get ended(): boolean {
    return this.finished.size > 0 || this.isBlocked;
  }

  blockedEnd(svc: SecurityInfo, usage: Usage): string[] {
    const all = this.seen.size > 0 ? this.seen : new Set([0]);
    const open = [...all].filter((candidate) => !this.finished.has(candidate));
    const ends = open.map((index) => candidateOf(index, [], 'content_filter'));
    return [this.withSecurity(this.chunk(ends, usage), svc)];
  }

  private chunk(candidates: readonly object[], usage?: Usage): string {
    const counts = usage && { usageMetadata: toGeminiUsage(usage) };
    return JSON.stringify({ candidates, ...counts, modelVersion: this.model, responseId: this.responseId });
  }
}

function candidateOf(index: number, parts: readonly object[], reason?: FinishReason): object {
  return { content: { parts, role: 'model' }, ...(reason !== undefined && { finishReason: REASONS[reason] }), index };
}

function toFunctionCall({ id, name, arguments: text }: ToolCall): object {
  return { functionCall: { id, name, args: readArguments(text) } };
}

function toGeminiUsage({ inputTokens, outputTokens, cachedInputTokens, reasoningTokens }: Usage): object {
  const written = outputTokens === undefined ? undefined : Math.max(0, outputTokens - (reasoningTokens ?? 0));
  return {
    ...(inputTokens !== undefined && { promptTokenCount: inputTokens }),
    ...(written !== undefined && { candidatesTokenCount: written }),
    ...(inputTokens !== undefined && outputTokens !== undefined && { totalTokenCount: inputTokens + outputTokens }),
    ...(cachedInputTokens !== undefined && { cachedContentTokenCount: cachedInputTokens }),
    ...(reasoningTokens !== undefined && { thoughtsTokenCount: reasoningTokens }),
  };
}
