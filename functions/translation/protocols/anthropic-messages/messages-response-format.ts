import { GatewayError } from '../../../kernel/errors/index.ts';
import { isObject, readArguments } from '../../../kernel/json/index.ts';
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
import { REFUSAL, withSvc } from '../bodies/response-json.ts';
import { NAMED_EVENTS } from '../bodies/stream-framing.ts';
import type { ResponseFormat, ResponseIdentity, StreamFraming } from '../protocol.ts';
import { MessagesCalls } from './messages-calls.ts';
import { type MessagesPiece, MessagesPieceReader } from './messages-response-reader.ts';
import { toAnthropicStopReason, toAnthropicUsage } from './usage-and-stop-reasons.ts';

export const MESSAGES_FRAMING: StreamFraming = NAMED_EVENTS;

/** Anthropic messages: `svc` is at the top of a whole response, and of the `message_delta` event that has the stop reason. */
export class MessagesResponseFormat implements ResponseFormat {
  readonly calls = new MessagesCalls();
  private readonly request: ChatRequest;
  private readonly head: MessageHead;
  private readonly reader: MessagesPieceReader;
  private readonly encoder: MessageEncoder;
  private readonly openBlocks = new Set<number>();
  private started = false;
  private stopped = false;

  constructor(request: ChatRequest, { requestId, model }: ResponseIdentity, isDiagnosed = false) {
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

  /** Text before the block stays. Partial tool calls and blocks without text are removed: the API refuses them in the next turn. */
  cutWhole(json: string, empty: boolean): string {
    const body = JSON.parse(json) as Record<string, unknown> & { content?: unknown[] };
    if (!Array.isArray(body.content)) throw new GatewayError('provider_error', 'The provider returned no message.');
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
    const refused = this.encoder.encode({ type: 'text', choice: 0, text: REFUSAL });
    this.encoder.encode({ type: 'finish', choice: 0, reason: 'content_filter' });
    this.encoder.encode({ type: 'usage', usage });
    return [...refused, ...this.encoder.end()].map((event) => secured(event, svc));
  }

  received(): void {}

  release(piece: ResponsePiece, cut: boolean, svc: () => SecurityInfo): string | undefined {
    const { type, block, json, stops } = piece as MessagesPiece;
    this.reader.released(piece as MessagesPiece);
    if (type === 'message_start') this.started = true;
    if (type === 'content_block_start' && block !== undefined) this.openBlocks.add(block);
    if (type === 'content_block_stop' && block !== undefined) this.openBlocks.delete(block);
    if (!piece.ends) return json;
    // A block writes its own end.
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

/** The start of a message that the gateway writes. */
interface MessageHead {
  readonly id: string;
  readonly model: string;
}

/** A translated response as a message with a gateway id. Clients require both counts, so an unknown count is 0. */
function encodeMessage({ model, choices, usage }: ChatCompletion, head: MessageHead): object {
  const choice = choices[0];
  const text = [choice?.text, choice?.refusal].filter((part) => part != null && part !== '');
  const { toolCalls = [] } = choice ?? {};
  const reason = endOf(choice?.finishReason ?? 'stop', toolCalls.length > 0, choice?.refusal !== undefined);
  return {
    ...messageOf({ id: head.id, model: model || head.model }, usage),
    content: [
      ...thinkingOf(choice?.reasoning),
      ...text.map((part) => ({ type: 'text', text: part })),
      ...toolCalls.map(toToolUse),
    ],
    stop_reason: toAnthropicStopReason(reason),
  };
}

/** Other models do not sign their reasoning. Clients require the signature, so it is empty. */
function thinkingOf(thinking: string | undefined): object[] {
  return thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: '' }];
}

/** Encodes a translated stream as message events, with one block after another as clients expect. */
class MessageEncoder {
  private head: MessageHead;
  /** A message is one choice: a provider may return others, which were not asked for. */
  private choice: number | undefined;
  private blocks = 0;
  /** Content of the open block: text, reasoning, or the tool call of an index. */
  private open: 'text' | 'thinking' | number | undefined;
  private readonly calls = new Set<number>();
  private refused = false;
  private finish: FinishReason | undefined;
  private usage: Usage = {};
  private started = false;

  constructor(head: MessageHead) {
    this.head = head;
  }

  /** @throws GatewayError `provider_error` for more of a tool call whose block is closed because another one has begun */
  encode(delta: ChatDelta): object[] {
    if ('choice' in delta) {
      this.choice ??= delta.choice;
      if (delta.choice !== this.choice) return [];
    }
    switch (delta.type) {
      case 'start':
        this.head = { id: this.head.id, model: delta.model || this.head.model };
        return this.start();
      case 'text':
        return this.inText(delta.text);
      case 'reasoning':
        return this.inThinking(delta.text);
      case 'signed':
        return [];
      case 'refusal':
        this.refused = true;
        return this.inText(delta.text);
      case 'tool_call':
        this.calls.add(delta.index);
        return this.begin(delta.index, { type: 'tool_use', id: delta.id, name: delta.name, input: {} });
      case 'tool_arguments':
        return this.inTool(delta.index, delta.text);
      case 'finish':
        this.finish = delta.reason;
        return [];
      case 'usage':
        this.usage = delta.usage;
        return [];
    }
  }

  /** The end of the message. Usage comes after the finish reason, so both are sent here. */
  end(): object[] {
    if (this.finish === undefined) return [];
    const reason = endOf(this.finish, this.calls.size > 0, this.refused);
    return [...this.start(), ...this.endBlock(), ...messageEnd(reason, this.usage)];
  }

  private start(): object[] {
    if (this.started) return [];
    this.started = true;
    return [messageStart(this.head)];
  }

  private inText(text: string): object[] {
    const begun = this.open === 'text' ? [] : this.begin('text', { type: 'text', text: '' });
    return [...begun, this.delta({ type: 'text_delta', text })];
  }

  private inThinking(thinking: string): object[] {
    const begun = this.open === 'thinking' ? [] : this.begin('thinking', thinkingOf('')[0] as object);
    return [...begun, this.delta({ type: 'thinking_delta', thinking })];
  }

  private inTool(index: number, text: string): object[] {
    if (text === '') return [];
    if (this.open === index) return [this.delta({ type: 'input_json_delta', partial_json: text })];
    throw new GatewayError('provider_error', 'The provider interleaved the arguments of several tool calls.');
  }

  private begin(what: 'text' | 'thinking' | number, content_block: object): object[] {
    const before = [...this.start(), ...this.endBlock()];
    this.open = what;
    return [...before, { type: 'content_block_start', index: this.blocks++, content_block }];
  }

  private delta(delta: object): object {
    return { type: 'content_block_delta', index: this.blocks - 1, delta };
  }

  private endBlock(): object[] {
    if (this.open === undefined) return [];
    this.open = undefined;
    return [{ type: 'content_block_stop', index: this.blocks - 1 }];
  }
}

/** OpenAI reports `stop` after a forced call and after a refusal; Anthropic's clients rely on the stop reason. */
function endOf(reason: FinishReason, calls: boolean, refused: boolean): FinishReason {
  if (reason !== 'stop') return reason;
  if (refused) return 'content_filter';
  return calls ? 'tool_calls' : 'stop';
}

function messageStart(head: MessageHead): object {
  return { type: 'message_start', message: { ...messageOf(head, {}), content: [], stop_reason: null } };
}

/** The events that end a message. */
function messageEnd(reason: FinishReason, usage: Usage): object[] {
  const delta = { stop_reason: toAnthropicStopReason(reason), stop_sequence: null, stop_details: null };
  return [{ type: 'message_delta', delta, usage: toAnthropicUsage(usage) }, { type: 'message_stop' }];
}

function messageOf({ id, model }: MessageHead, usage: Usage): object {
  return { id, type: 'message', role: 'assistant', model, stop_sequence: null, usage: toAnthropicUsage(usage) };
}

function toToolUse({ id, name, arguments: text }: ToolCall): object {
  return { type: 'tool_use', id, name, input: readArguments(text) };
}
