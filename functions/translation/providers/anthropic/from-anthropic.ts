import * as z from 'zod';
import { GatewayError } from '../../../kernel/errors/index.ts';
import { type HttpResponse, readServerSentEvents, type ServerSentEvent } from '../../../kernel/http/index.ts';
import type { ChatCompletion, ChatDelta, SignedPart, ToolCall } from '../../../kernel/model/index.ts';
import {
  AnthropicUsage,
  fromAnthropicStopReason,
  fromAnthropicUsage,
  mergeAnthropicUsage,
} from '../../protocols/anthropic-messages/usage-and-stop-reasons.ts';
import { parseTranslated } from '../../protocols/bodies/response-structure.ts';
import type { Translation } from '../../routing/index.ts';
import { type ProviderErrorBody, readProviderError } from '../error-body.ts';
import {
  errorInResponse,
  failedInResponse,
  providerStatusError,
  readErrorBody,
  toProviderFailure,
  unreadableResponse,
} from '../provider-failures.ts';

/**
 * The deltas of a streamed message: start, texts and tool calls as they arrive, then finish and usage once at the end.
 * A block of thinking follows its text, whole. Citations and blocks of the provider's tools are left out with a warning; pings and unknown
 * events without one.
 * @throws GatewayError if the body breaks off, holds an `error` event or an unreadable event, or ends early
 */
export async function* readAnthropicStream(
  provider: string,
  body: AsyncIterable<Uint8Array>,
  translation: Translation,
): AsyncGenerator<ChatDelta[]> {
  const reader = new AnthropicStreamReader(provider, translation);
  try {
    for await (const events of readServerSentEvents(body)) {
      const { deltas, failure } = readAll(reader, events);
      if (deltas.length > 0) yield deltas;
      if (failure !== undefined) throw failure;
      // The response is complete; later failures of the connection do not matter.
      if (reader.ended) return;
    }
  } catch (error) {
    throw toProviderFailure(provider, error);
  }
  throw new GatewayError('provider_error', `The provider ${provider} ended its response early.`, {
    internal: `${provider}: stream ended without message_stop`,
  });
}

/** The deltas of the events, up to the first event that cannot be parsed. */
function readAll(reader: AnthropicStreamReader, events: readonly ServerSentEvent[]) {
  const deltas: ChatDelta[] = [];
  try {
    for (const event of events) deltas.push(...reader.read(event));
    return { deltas, failure: undefined };
  } catch (failure) {
    return { deltas, failure };
  }
}

/** A block of thinking that is being written. */
interface Thinking {
  readonly type: 'thinking';
  thinking: string;
  signature: string;
}

interface OpenTool {
  /** The number of earlier tool calls, as in OpenAI's `index`. */
  readonly index: number;
  /** The input in the block's start, used if no piece of it follows. */
  readonly input: unknown;
  hasPieces: boolean;
}

class AnthropicStreamReader {
  ended = false;
  private readonly provider: string;
  private started = false;
  /** By the index of their block. */
  private readonly openTools = new Map<number, OpenTool>();
  private readonly openThinking = new Map<number, Thinking>();
  private toolCount = 0;
  private stopReason: string | null | undefined;
  private usage: AnthropicUsage;
  private readonly translation: Translation;

  constructor(provider: string, translation: Translation) {
    this.provider = provider;
    this.translation = translation;
  }

  read(event: ServerSentEvent): readonly ChatDelta[] {
    if (this.ended) return [];
    const value = parseEventJson(event, this.provider);
    const { type } = this.parse(AnyEvent, value);
    if (type === 'error' || event.event === 'error') throw toStreamError(event.data, this.provider);
    if (type === 'message_start') return this.start(this.parse(MessageStart, value));
    // Every stream of Anthropic begins with `message_start`.
    if (!this.started && (type === 'message_stop' || type === 'message_delta' || type.startsWith('content_block_'))) {
      throw unreadableResponse(this.provider, `${type} before message_start`);
    }
    switch (type) {
      case 'content_block_start':
        return this.startBlock(this.parse(BlockStart, value));
      case 'content_block_delta':
        return this.continueBlock(this.parse(BlockDelta, value));
      case 'content_block_stop':
        return this.stopBlock(this.parse(BlockStop, value).index);
      case 'message_delta':
        return this.noteEnd(this.parse(MessageDelta, value));
      case 'message_stop':
        return this.stop();
      default:
        return [];
    }
  }

  private start({ message }: z.infer<typeof MessageStart>): ChatDelta[] {
    if (this.started) throw unreadableResponse(this.provider, 'second message_start');
    this.started = true;
    // The output count at the start is provisional; the final one is in `message_delta`.
    this.usage = message.usage && { ...message.usage, output_tokens: undefined, output_tokens_details: undefined };
    return [{ type: 'start', id: message.id, model: message.model, usage: fromAnthropicUsage(this.usage) }];
  }

  private startBlock({ index, content_block: block }: z.infer<typeof BlockStart>): ChatDelta[] {
    if (block.type === 'text') return textDelta(this.parse(TextBlockStart, block).text);
    if (block.type === 'thinking') {
      const { thinking, signature } = this.parse(ThinkingBlock, block);
      this.openThinking.set(index, { type: 'thinking', thinking, signature });
      return thinking === '' ? [] : [{ type: 'reasoning', choice: 0, text: thinking }];
    }
    if (block.type === 'redacted_thinking') return [{ type: 'signed', choice: 0, block }];
    if (block.type !== 'tool_use') {
      reportLost(block, this.translation);
      return [];
    }
    const { id, name, input } = this.parse(ToolBlockStart, block);
    const tool: OpenTool = { index: this.toolCount, input, hasPieces: false };
    this.toolCount += 1;
    this.openTools.set(index, tool);
    return [{ type: 'tool_call', choice: 0, index: tool.index, id, name }];
  }

  private continueBlock({ index, delta }: z.infer<typeof BlockDelta>): ChatDelta[] {
    const open = this.openThinking.get(index);
    if (open !== undefined) return this.think(open, delta);
    if (delta.type === 'text_delta') return textDelta(this.parse(TextDelta, delta).text);
    if (delta.type === 'citations_delta') this.translation.lost('citations');
    const tool = this.openTools.get(index);
    // Server tools stream their input the same way, but are not calls of the client's tools.
    if (delta.type !== 'input_json_delta' || tool === undefined) return [];
    const text = this.parse(InputJsonDelta, delta).partial_json;
    if (text === '') return [];
    tool.hasPieces = true;
    return [{ type: 'tool_arguments', choice: 0, index: tool.index, text }];
  }

  private think(open: Thinking, delta: { readonly type: string }): ChatDelta[] {
    if (delta.type === 'signature_delta') open.signature += this.parse(SignatureDelta, delta).signature;
    if (delta.type !== 'thinking_delta') return [];
    const text = this.parse(ThinkingDelta, delta).thinking;
    open.thinking += text;
    return text === '' ? [] : [{ type: 'reasoning', choice: 0, text }];
  }

  private stopBlock(index: number): ChatDelta[] {
    const block = this.openThinking.get(index);
    this.openThinking.delete(index);
    if (block === undefined) return this.stopTool(index);
    return block.signature === '' ? [] : [{ type: 'signed', choice: 0, block: { ...block } }];
  }

  private stopTool(blockIndex: number): ChatDelta[] {
    const tool = this.openTools.get(blockIndex);
    this.openTools.delete(blockIndex);
    if (tool === undefined || tool.hasPieces) return [];
    return [{ type: 'tool_arguments', choice: 0, index: tool.index, text: JSON.stringify(tool.input ?? {}) }];
  }

  private noteEnd({ delta, usage }: z.infer<typeof MessageDelta>): ChatDelta[] {
    this.stopReason = delta.stop_reason ?? this.stopReason;
    this.usage = mergeAnthropicUsage(this.usage, usage);
    return [];
  }

  private stop(): ChatDelta[] {
    this.ended = true;
    return [
      ...[...this.openTools.keys()].flatMap((blockIndex) => this.stopTool(blockIndex)),
      { type: 'finish', choice: 0, reason: fromAnthropicStopReason(this.stopReason) },
      { type: 'usage', usage: fromAnthropicUsage(this.usage) },
    ];
  }

  private parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
    const result = schema.safeParse(value);
    if (!result.success) throw unreadableResponse(this.provider, 'event of an unknown shape');
    return result.data;
  }
}

/** Blocks that the gateway's model lacks: https://platform.claude.com/docs/en/api/messages */
const SERVER_BLOCKS: ReadonlySet<string> = new Set([
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'mcp_tool_use',
  'mcp_tool_result',
  'container_upload',
]);

/** Reports a block that is no text, no thinking and no call. Types that are not known are the provider's text, and are not shown. */
function reportLost({ type }: { readonly type: string }, to: Translation): void {
  to.lost(SERVER_BLOCKS.has(type) ? type : 'unknown');
}

function textDelta(text: string): ChatDelta[] {
  return text === '' ? [] : [{ type: 'text', choice: 0, text }];
}

/** An `error` event in a stream with status 200. Its type is logged, its text is not. */
function toStreamError(data: string, provider: string): GatewayError {
  const error = readProviderError(data);
  return error === undefined
    ? failedInResponse(provider, 'error event, unknown type')
    : errorInResponse(provider, error);
}

function parseEventJson(event: ServerSentEvent, provider: string): unknown {
  try {
    return parseTranslated(event.data);
  } catch {
    if (event.event === 'error') throw toStreamError('', provider);
    throw unreadableResponse(provider, 'event is not JSON');
  }
}

const TextBlock = z.looseObject({ type: z.literal('text'), text: z.string() });
/** A signature is empty until it arrives. */
const ThinkingBlock = z.looseObject({ thinking: z.string().catch(''), signature: z.string().catch('') });
const ToolUseBlock = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown().optional(),
});
const Message = z.looseObject({
  type: z.literal('message'),
  id: z.string(),
  model: z.string(),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string().nullish(),
  usage: AnthropicUsage,
});

/**
 * A whole response of the Messages API. Texts are joined without a separator, thoughts too; citations and blocks of server tools are left out with
 * a warning.
 * @throws GatewayError `provider_error` if the body is not such a response
 */
export function fromAnthropicMessage(body: string, provider: string, translation: Translation): ChatCompletion {
  const message = parseMessage(Message, parseMessageJson(body, provider), provider);
  const toolCalls: ToolCall[] = [];
  const signed: SignedPart[] = [];
  let text: string | undefined;
  let reasoning = '';
  for (const block of message.content) {
    const { type } = block;
    const at = { text: text?.length ?? 0, calls: toolCalls.length };
    if (Array.isArray(block.citations) && block.citations.length > 0) translation.lost('citations');
    if (type === 'text') text = (text ?? '') + parseMessage(TextBlock, block, provider).text;
    else if (type === 'redacted_thinking') signed.push({ block, ...at });
    else if (type === 'thinking') {
      const { thinking, signature } = parseMessage(ThinkingBlock, block, provider);
      reasoning += thinking;
      if (signature !== '') signed.push({ block: { type, thinking, signature }, ...at });
    } else if (block.type !== 'tool_use') reportLost(block, translation);
    else toolCalls.push(toToolCall(parseMessage(ToolUseBlock, block, provider)));
  }
  return {
    id: message.id,
    model: message.model,
    choices: [
      {
        index: 0,
        text: text ?? (toolCalls.length > 0 ? null : ''),
        ...(reasoning !== '' && { reasoning }),
        ...(signed.length > 0 && { signed }),
        ...(toolCalls.length > 0 && { toolCalls }),
        finishReason: fromAnthropicStopReason(message.stop_reason),
      },
    ],
    usage: fromAnthropicUsage(message.usage),
  };
}

function toToolCall(block: z.infer<typeof ToolUseBlock>): ToolCall {
  return { id: block.id, name: block.name, arguments: JSON.stringify(block.input ?? {}) };
}

function parseMessageJson(body: string, provider: string): unknown {
  try {
    return parseTranslated(body);
  } catch {
    throw unreadableResponse(provider, 'response is not JSON');
  }
}

function parseMessage<Schema extends z.ZodType>(schema: Schema, value: unknown, provider: string): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw unreadableResponse(provider, 'response is not a message');
  return result.data;
}

/** The parts of stream events that the gateway reads (SDK 1.11.0, RawMessageStreamEvent). */
const AnyEvent = z.looseObject({ type: z.string() });

const MessageStart = z.looseObject({
  message: z.looseObject({ id: z.string(), model: z.string(), usage: AnthropicUsage }),
});

const BlockStart = z.looseObject({ index: z.int(), content_block: z.looseObject({ type: z.string() }) });
const TextBlockStart = z.looseObject({ text: z.string() });
const ToolBlockStart = z.looseObject({ id: z.string(), name: z.string(), input: z.unknown().optional() });

const BlockDelta = z.looseObject({ index: z.int(), delta: z.looseObject({ type: z.string() }) });
const TextDelta = z.looseObject({ text: z.string() });
const ThinkingDelta = z.looseObject({ thinking: z.string() });
const SignatureDelta = z.looseObject({ signature: z.string() });
const InputJsonDelta = z.looseObject({ partial_json: z.string() });

const BlockStop = z.looseObject({ index: z.int() });

const MessageDelta = z.looseObject({
  delta: z.looseObject({ stop_reason: z.string().nullish() }),
  usage: AnthropicUsage,
});

/**
 * The GatewayError for a response with a status other than 2xx; an unreadable body is ignored.
 * `{"type":"error","error":{"type","message"},"request_id"}`, https://platform.claude.com/docs/en/api/errors
 */
export async function toAnthropicError(
  response: HttpResponse,
  model: string,
  provider: string,
  isModelInPath = false,
): Promise<GatewayError> {
  const error = await readError(response);
  if (response.status === 404 && (isModelInPath || error?.type === 'not_found_error')) {
    return new GatewayError('model_not_found', `The provider ${provider} has no model \`${model}\`.`, {
      param: 'model',
      internal: `${provider} returned status 404`,
    });
  }
  return providerStatusError(provider, response.status, response.headers, error);
}

async function readError({ body, status }: HttpResponse): Promise<ProviderErrorBody | undefined> {
  try {
    return readProviderError(await readErrorBody(body), status);
  } catch {
    return undefined;
  }
}
