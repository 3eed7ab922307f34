import type * as z from 'zod';
import { GatewayError } from '../../core/base/errors.ts';
import { readServerSentEvents, type ServerSentEvent } from '../../core/base/sse-decoder.ts';
import type { ChatDelta } from '../../core/model/chat.ts';
import {
  type AnthropicUsage,
  fromAnthropicStopReason,
  fromAnthropicUsage,
  mergeAnthropicUsage,
} from '../../core/protocols/anthropic-messages/usage-and-stop-reasons.ts';
import { failedInAnswer, toProviderFailure, unreadableAnswer } from '../provider-failures.ts';
import {
  AnyEvent,
  BlockDelta,
  BlockStart,
  BlockStop,
  ErrorEvent,
  InputJsonDelta,
  MessageDelta,
  MessageStart,
  TextBlockStart,
  TextDelta,
  ToolBlockStart,
} from './anthropic-events.ts';

/**
 * The steps of a streamed message: start, texts and tool calls as they come, then finish and usage, once, when the message
 * has ended. Thinking, signatures, citations, pings and unknown events give nothing.
 * @throws GatewayError when the body breaks off, holds an `error` event or something unreadable, or ends early
 */
export async function* readAnthropicStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<ChatDelta[]> {
  const reader = new AnthropicStreamReader();
  try {
    for await (const events of readServerSentEvents(body)) {
      const { deltas, failure } = readAll(reader, events);
      if (deltas.length > 0) yield deltas;
      if (failure !== undefined) throw failure;
      // The answer is whole, whatever else the connection does.
      if (reader.ended) return;
    }
  } catch (error) {
    throw toProviderFailure('anthropic', error);
  }
  throw new GatewayError('provider_error', 'The provider anthropic ended its answer early.', {
    internal: 'anthropic: stream ended without message_stop',
  });
}

/** What the events give, up to the first that cannot be read. */
function readAll(reader: AnthropicStreamReader, events: readonly ServerSentEvent[]) {
  const deltas: ChatDelta[] = [];
  try {
    for (const event of events) deltas.push(...reader.read(event));
    return { deltas, failure: undefined };
  } catch (failure) {
    return { deltas, failure };
  }
}

interface OpenTool {
  /** The running count of tool calls, which is what OpenAI's `index` counts. */
  readonly index: number;
  /** The input as the block's start holds it, given out where no piece of it follows. */
  readonly input: unknown;
  hasPieces: boolean;
}

class AnthropicStreamReader {
  ended = false;
  private started = false;
  /** By the index of their block. */
  private readonly openTools = new Map<number, OpenTool>();
  private toolCount = 0;
  private stopReason: string | null | undefined;
  private usage: AnthropicUsage;

  read(event: ServerSentEvent): readonly ChatDelta[] {
    if (this.ended) return [];
    const value = parseJson(event);
    const { type } = parse(AnyEvent, value);
    if (type === 'error' || event.event === 'error') throw toStreamError(value);
    if (type === 'message_start') return this.start(parse(MessageStart, value));
    // Nothing may come before the start; a stream without one is not Anthropic's.
    if (!this.started && (type === 'message_stop' || type === 'message_delta' || type.startsWith('content_block_'))) {
      throw unreadableAnswer('anthropic', `${type} before message_start`);
    }
    switch (type) {
      case 'content_block_start':
        return this.startBlock(parse(BlockStart, value));
      case 'content_block_delta':
        return this.continueBlock(parse(BlockDelta, value));
      case 'content_block_stop':
        return this.stopTool(parse(BlockStop, value).index);
      case 'message_delta':
        return this.noteEnd(parse(MessageDelta, value));
      case 'message_stop':
        return this.stop();
      default:
        return [];
    }
  }

  private start({ message }: z.infer<typeof MessageStart>): ChatDelta[] {
    if (this.started) throw unreadableAnswer('anthropic', 'second message_start');
    this.started = true;
    // The output count at the start is provisional; the true one comes with message_delta.
    this.usage = message.usage && { ...message.usage, output_tokens: undefined, output_tokens_details: undefined };
    return [{ type: 'start', id: message.id, model: message.model }];
  }

  private startBlock({ index, content_block: block }: z.infer<typeof BlockStart>): ChatDelta[] {
    if (block.type === 'text') return textDelta(parse(TextBlockStart, block).text);
    if (block.type !== 'tool_use') return [];
    const { id, name, input } = parse(ToolBlockStart, block);
    const tool: OpenTool = { index: this.toolCount, input, hasPieces: false };
    this.toolCount += 1;
    this.openTools.set(index, tool);
    return [{ type: 'tool_call', choice: 0, index: tool.index, id, name }];
  }

  private continueBlock({ index, delta }: z.infer<typeof BlockDelta>): ChatDelta[] {
    if (delta.type === 'text_delta') return textDelta(parse(TextDelta, delta).text);
    const tool = this.openTools.get(index);
    // Server tools stream their input the same way, but are no calls of the caller's tools.
    if (delta.type !== 'input_json_delta' || tool === undefined) return [];
    const text = parse(InputJsonDelta, delta).partial_json;
    if (text === '') return [];
    tool.hasPieces = true;
    return [{ type: 'tool_arguments', choice: 0, index: tool.index, text }];
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
}

function textDelta(text: string): ChatDelta[] {
  return text === '' ? [] : [{ type: 'text', choice: 0, text }];
}

/** An `error` event in a stream that began with status 200; its text stays here, its type goes to the log. */
function toStreamError(value: unknown): GatewayError {
  const event = ErrorEvent.safeParse(value);
  const type = event.success && /^[a-z_]{1,64}$/.test(event.data.error.type) ? event.data.error.type : 'unknown type';
  return failedInAnswer('anthropic', `error event, ${type}`);
}

function parseJson(event: ServerSentEvent): unknown {
  try {
    return JSON.parse(event.data);
  } catch {
    if (event.event === 'error') throw toStreamError(undefined);
    throw unreadableAnswer('anthropic', 'event is not JSON');
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw unreadableAnswer('anthropic', 'event of an unknown shape');
  return result.data;
}
