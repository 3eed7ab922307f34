import { isObject, spliceJson } from '../../../kernel/json/index.ts';
import type {
  ChatCompletion,
  ChatDelta,
  ChatRequest,
  FinishReason,
  ModerationReport,
  ModerationResult,
  ResponsePiece,
  SecurityInfo,
  ToolCall,
  Usage,
} from '../../../kernel/model/index.ts';
import { faultOfChoices, REFUSAL, withMember, withSvc } from '../bodies/response-json.ts';
import { idIn } from '../bodies/response-places.ts';
import { oneLine } from '../bodies/stream-framing.ts';
import { textInput } from '../bodies/text-tools.ts';
import type { ResponseFormat, ResponseIdentity, StreamFraming } from '../protocol.ts';
import { ChatCalls } from './chat-calls.ts';
import { ChatChunkReader, type ChatPiece, chatOthers, toChatPiece } from './chat-response-reader.ts';

export const CHAT_FRAMING: StreamFraming = { event: (json) => `data: ${oneLine(json)}\n\n`, end: 'data: [DONE]\n\n' };

/** OpenAI's chat completions: `svc` is at the top of a whole response, and of each chunk that has a finish reason. */
export class ChatResponseFormat implements ResponseFormat {
  readonly calls = new ChatCalls();
  private readonly request: ChatRequest;
  private readonly encoder: ChunkEncoder;
  private readonly textTools: ReadonlySet<string>;
  private readonly moderation: ResponseIdentity['moderation'];
  /** From the provider's chunks. */
  private head: ChatHead;
  private readonly others = chatOthers();
  private readonly chunks = new ChatChunkReader(this.others);
  private readonly finished = new Set<number>();
  private readonly seen = new Set<number>();

  /** @param textTools names of custom tools, whose calls have a text instead of JSON arguments */
  constructor(
    request: ChatRequest,
    { requestId, created, model, moderation }: ResponseIdentity,
    textTools: ReadonlySet<string>,
  ) {
    this.request = request;
    this.textTools = textTools;
    this.moderation = moderation;
    this.head = { id: `chatcmpl-${requestId.slice('req_'.length)}`, created, model };
    this.encoder = new ChunkEncoder(this.head, textTools);
  }

  readPiece(json: string): ChatPiece {
    const piece = this.request.stream ? this.chunks.read(json) : toChatPiece(json, this.others);
    const fault = piece.fault ?? faultOfChoices(piece.choiceIndexes, this.request);
    return fault === piece.fault ? piece : { ...piece, fault };
  }

  encodeWhole(completion: ChatCompletion): string {
    return encodeCompletion(completion, this.head.created, this.textTools);
  }

  encode(delta: ChatDelta): string[] {
    return this.encoder.encode(delta);
  }

  encodeEnd(): string[] {
    return [];
  }

  /** Text before the block stays. Tool calls are removed, since a partial call is invalid. */
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

  /** A stream reports its moderation in a separate chunk. */
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
      ...(this.request.includeUsage ? [{ choices: [], ...toOpenAiUsageField(usage) }] : []),
    ];
    return [...chunks.map((chunk) => encodeChunk(head, chunk)), ...this.lastEvents()];
  }

  received(piece: ResponsePiece): void {
    const { id, model, created } = piece as ChatPiece;
    const { head } = this;
    if (id === head.id && model === head.model && created === head.created) return;
    this.head = { id: idIn(id) ?? head.id, model: idIn(model) ?? head.model, created: created ?? head.created };
  }

  release(piece: ResponsePiece, cut: boolean, svc: () => SecurityInfo): string | undefined {
    const { usageOnly, choiceIndexes, finished, finishPaths, json } = piece as ChatPiece;
    this.others.released(piece.slots);
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
    return this.finished.size > 0 && [...this.seen].every((choice) => this.finished.has(choice));
  }

  lastEvents(): string[] {
    if (this.moderation === undefined) return [];
    return [encodeChunk(this.head, { choices: [], moderation: chatModeration(this.moderation()) })];
  }

  /** A finish reason for every open choice, and the usage if the request asked for it. */
  blockedEnd(svc: SecurityInfo, usage: Usage): string[] {
    const open = [...(this.seen.size > 0 ? this.seen : new Set([0]))].filter((choice) => !this.finished.has(choice));
    const ends = open.map((index) =>
      encodeChunk(this.head, { choices: [{ index, delta: {}, finish_reason: 'content_filter' }], svc }),
    );
    if (this.request.includeUsage) ends.push(encodeChunk(this.head, { choices: [], ...toOpenAiUsageField(usage) }));
    return ends;
  }
}

/** Members that every chunk of a response repeats. */
export interface ChatHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

const NO_TEXT_TOOLS: ReadonlySet<string> = new Set();

/** A translated response as the JSON of a chat completion. @param textTools names of custom tools */
export function encodeCompletion(completion: ChatCompletion, created: number, textTools = NO_TEXT_TOOLS): string {
  return JSON.stringify({
    id: completion.id,
    object: 'chat.completion',
    created,
    model: completion.model,
    choices: completion.choices.map((choice) => ({
      index: choice.index,
      message: {
        role: 'assistant',
        content: choice.text,
        refusal: choice.refusal ?? null,
        ...(choice.reasoning !== undefined && { reasoning_content: choice.reasoning }),
        ...(choice.toolCalls &&
          choice.toolCalls.length > 0 && {
            tool_calls: choice.toolCalls.map((call) => encodeToolCall(call, textTools)),
          }),
      },
      logprobs: null,
      finish_reason: choice.finishReason,
    })),
    ...toOpenAiUsageField(completion.usage),
  });
}

/** Encodes a translated stream as chat completion chunks: role and empty content first, an empty delta last. */
export class ChunkEncoder {
  private head: ChatHead;
  private readonly opened = new Set<number>();
  private readonly textTools: ReadonlySet<string>;
  /** Calls of custom tools by choice and index, until their end: a text is not known before its JSON is whole. */
  private readonly textCalls = new Map<number, Map<number, { id: string; name: string; arguments: string }>>();

  /** @param textTools names of custom tools */
  constructor(head: ChatHead, textTools = NO_TEXT_TOOLS) {
    this.head = head;
    this.textTools = textTools;
  }

  encode(delta: ChatDelta): string[] {
    switch (delta.type) {
      case 'start':
        this.head = { ...this.head, id: delta.id, model: delta.model };
        return this.open(0);
      case 'text':
        return [...this.open(delta.choice), this.chunk(delta.choice, { content: delta.text })];
      case 'reasoning':
        return [...this.open(delta.choice), this.chunk(delta.choice, { reasoning_content: delta.text })];
      case 'signed':
        return [];
      case 'refusal':
        return [...this.open(delta.choice), this.chunk(delta.choice, { refusal: delta.text })];
      case 'tool_call': {
        if (this.textTools.has(delta.name)) {
          const calls = this.textCalls.get(delta.choice) ?? new Map();
          this.textCalls.set(delta.choice, calls.set(delta.index, { id: delta.id, name: delta.name, arguments: '' }));
          return this.open(delta.choice);
        }
        const call = {
          index: delta.index,
          id: delta.id,
          type: 'function',
          function: { name: delta.name, arguments: '' },
        };
        return [...this.open(delta.choice), this.chunk(delta.choice, { tool_calls: [call] })];
      }
      case 'tool_arguments': {
        const text = this.textCalls.get(delta.choice)?.get(delta.index);
        if (text !== undefined) {
          text.arguments += delta.text;
          return [];
        }
        const call = { index: delta.index, function: { arguments: delta.text } };
        return [...this.open(delta.choice), this.chunk(delta.choice, { tool_calls: [call] })];
      }
      case 'finish':
        return [
          ...this.open(delta.choice),
          ...this.endTextCalls(delta.choice),
          this.chunk(delta.choice, {}, delta.reason),
        ];
      case 'usage':
        return [this.envelope({ choices: [], ...toOpenAiUsageField(delta.usage) })];
    }
  }

  private endTextCalls(choice: number): string[] {
    const calls = [...(this.textCalls.get(choice) ?? [])];
    this.textCalls.delete(choice);
    return calls.map(([index, call]) =>
      this.chunk(choice, { tool_calls: [{ index, ...encodeToolCall(call, this.textTools) }] }),
    );
  }

  private open(choice: number): string[] {
    if (this.opened.has(choice)) return [];
    this.opened.add(choice);
    return [this.chunk(choice, { role: 'assistant', content: '' })];
  }

  private chunk(index: number, delta: object, finishReason: FinishReason | null = null): string {
    return this.envelope({ choices: [{ index, delta, logprobs: null, finish_reason: finishReason }] });
  }

  private envelope(rest: object): string {
    return encodeChunk(this.head, rest);
  }
}

/** One chunk: the head, `choices` and other members. */
export function encodeChunk({ id, created, model }: ChatHead, rest: object): string {
  return JSON.stringify({ id, object: 'chat.completion.chunk', created, model, ...rest });
}

/** `usage` in OpenAI's format; no field if nothing is known, since unknown is not 0. */
export function toOpenAiUsageField(usage: Usage): object {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteInputTokens, reasoningTokens } = usage;
  if (inputTokens === undefined && outputTokens === undefined) return {};
  const input = inputTokens ?? 0;
  const output = outputTokens ?? 0;
  const details = {
    ...(cachedInputTokens !== undefined && { cached_tokens: cachedInputTokens }),
    ...(cacheWriteInputTokens !== undefined && { cache_write_tokens: cacheWriteInputTokens }),
  };
  return {
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      ...(Object.keys(details).length > 0 && { prompt_tokens_details: details }),
      ...(reasoningTokens !== undefined && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
    },
  };
}

function encodeToolCall({ id, name, arguments: text }: ToolCall, textTools: ReadonlySet<string>): object {
  if (textTools.has(name)) return { id, type: 'custom', custom: { name, input: textInput(text) } };
  return { id, type: 'function', function: { name, arguments: text } };
}

/** `moderation` in the format of chat completions: a list of one result for the request, and one for the whole response. */
export function chatModeration({ model, input, output }: ModerationReport): object {
  const side = (result: ModerationResult) => ({
    type: 'moderation_results',
    model,
    results: [{ type: 'moderation_result', model, ...result }],
  });
  return { input: side(input), output: side(output) };
}
