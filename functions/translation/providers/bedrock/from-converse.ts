import * as z from 'zod';
import { GatewayError } from '../../../kernel/errors/index.ts';
import type {
  ChatCompletion,
  ChatDelta,
  FinishReason,
  SignedPart,
  ToolCall,
  Usage,
} from '../../../kernel/model/index.ts';
import { termsOf, withoutUnknown } from '../../protocols/bodies/provider-usage.ts';
import { BedrockFailure, type BedrockResponse, type BedrockStream, type Translation } from '../../routing/index.ts';
import { failedInResponse, inResponse, unreadableResponse } from '../provider-failures.ts';
import { withoutKey } from '../provider-responses.ts';
import { type ConverseCall, toBedrockError } from './bedrock-errors.ts';

const Count = z.int().nonnegative().nullish().catch(undefined);

/** Token counts; an invalid count is undefined. */
export const ConverseUsage = z
  .looseObject({
    inputTokens: Count,
    outputTokens: Count,
    cacheReadInputTokens: Count,
    cacheWriteInputTokens: Count,
    /** Writes by how long they are kept. */
    cacheDetails: z
      .array(z.looseObject({ ttl: z.string(), inputTokens: Count }))
      .nullish()
      .catch(undefined),
  })
  .nullish()
  .catch(undefined);

const Bytes = z.instanceof(Uint8Array).optional().catch(undefined);

const Block = z.looseObject({
  text: z.string().optional(),
  toolUse: z.looseObject({ toolUseId: z.string(), name: z.string(), input: z.unknown().optional() }).optional(),
  citationsContent: z
    .looseObject({
      content: z.array(z.looseObject({ text: z.string().optional() })).optional(),
      citations: z.array(z.unknown()).nullish().catch(undefined),
    })
    .optional(),
  reasoningContent: z
    .looseObject({
      reasoningText: z.looseObject({ text: z.string(), signature: z.string().nullish() }).optional().catch(undefined),
      redactedContent: Bytes,
    })
    .optional()
    .catch(undefined),
});
/** What served a request, in a whole response and in the metadata of a stream. */
const Served = {
  usage: ConverseUsage,
  serviceTier: z.looseObject({ type: z.string() }).nullish().catch(undefined),
  performanceConfig: z.looseObject({ latency: z.string() }).nullish().catch(undefined),
};
const Answer = z.looseObject({
  output: z.looseObject({ message: z.looseObject({ content: z.array(Block) }) }),
  stopReason: z.string().nullish(),
  ...Served,
});
type Served = Pick<z.infer<typeof Answer>, keyof typeof Served>;

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_ResponseSyntax */
const REASONS: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['guardrail_intervened', 'content_filter'],
  ['content_filtered', 'content_filter'],
]);

/** The model wrote a call or a response that AWS cannot read. */
const FAILURES: ReadonlySet<string> = new Set(['malformed_model_output', 'malformed_tool_use']);

/** The finish reason; an unknown one becomes `stop`. @throws GatewayError `provider_error` if generation failed */
export function fromConverseStopReason(provider: string, reason: string | null | undefined): FinishReason {
  if (FAILURES.has(reason ?? '')) throw failedInResponse(provider, `stop reason ${reason}`);
  return REASONS.get(reason ?? '') ?? 'stop';
}

/** Usage in the gateway's model. Converse's `inputTokens` excludes prompt cache reads and writes, so the three are added. */
export function fromConverseUsage({ usage, serviceTier, performanceConfig }: Served): Usage {
  const { inputTokens, outputTokens, cacheReadInputTokens: read, cacheWriteInputTokens: written } = usage ?? {};
  const byHour = (usage?.cacheDetails ?? []).filter(({ ttl }) => ttl === '1h');
  const hour = byHour.reduce((sum, { inputTokens: count }) => sum + (count ?? 0), 0);
  const created = Math.max(written ?? 0, hour);
  return withoutUnknown({
    inputTokens: inputTokens == null ? undefined : inputTokens + (read ?? 0) + created,
    outputTokens: outputTokens ?? undefined,
    cachedInputTokens: read ?? undefined,
    cacheWriteInputTokens: created || undefined,
    cacheWriteHourInputTokens: hour || undefined,
    terms: termsOf({ serviceTier: serviceTier?.type, speed: performanceConfig?.latency }),
  });
}

/**
 * A whole response of Converse. Texts, including those with citations, are joined without a separator, reasoning too; citations and other
 * content are left out with a warning.
 * @throws GatewayError `provider_error` if it is not such a response
 */
export function fromConverse(
  { requestId, answer }: BedrockResponse,
  call: ConverseCall,
  translation: Translation,
): ChatCompletion {
  const { provider, model, apiKey } = call;
  const read = Answer.safeParse(answer);
  if (!read.success) throw unreadableResponse(provider, 'response is not a message');
  const { output, stopReason } = read.data;
  const texts: string[] = [];
  const thoughts: string[] = [];
  const toolCalls: ToolCall[] = [];
  const signed: SignedPart[] = [];
  for (const block of output.message.content) {
    const { text, toolUse, citationsContent, reasoningContent } = block;
    reportLost(block, translation);
    const signedBlock = reasoningContent && signedBlockOf(reasoningContent);
    if (signedBlock) signed.push({ block: signedBlock, text: texts.join('').length, calls: toolCalls.length });
    thoughts.push(reasoningContent?.reasoningText?.text ?? '');
    if (text !== undefined) texts.push(text);
    if (citationsContent?.citations?.length) translation.lost('citations');
    for (const cited of citationsContent?.content ?? []) texts.push(cited.text ?? '');
    if (toolUse !== undefined) {
      const { toolUseId, name, input = {} } = toolUse;
      toolCalls.push({ id: withoutKey(toolUseId, apiKey), name, arguments: JSON.stringify(input) });
    }
  }
  return {
    id: withoutKey(requestId, apiKey),
    model,
    choices: [
      {
        index: 0,
        text: texts.length === 0 && toolCalls.length > 0 ? null : texts.join(''),
        ...(thoughts.join('') !== '' && { reasoning: thoughts.join('') }),
        ...(signed.length > 0 && { signed }),
        ...(toolCalls.length > 0 && { toolCalls }),
        finishReason: fromConverseStopReason(provider, stopReason),
      },
    ],
    usage: fromConverseUsage(read.data),
  };
}

/** Content that the gateway's model lacks: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html */
const LOST = ['image', 'document', 'video', 'audio', 'toolResult', 'searchResult', 'guardContent', 'citation'];
const READ: ReadonlySet<string> = new Set('text toolUse citationsContent cachePoint reasoningContent type'.split(' '));

/** Reports what is left out of a block. Names that are not known are the provider's text, and are not shown. */
function reportLost(block: object, translation: Translation): void {
  for (const [name, value] of Object.entries(block)) {
    if (value == null || READ.has(name)) continue;
    translation.lost(LOST.includes(name) ? name : 'unknown');
  }
}

interface Reasoning {
  readonly reasoningText?: { readonly text: string; readonly signature?: string | null | undefined } | undefined;
  readonly redactedContent?: Uint8Array | undefined;
}

/** Signed or encrypted reasoning, as JSON; undefined if it is neither. */
function signedBlockOf({ reasoningText, redactedContent }: Reasoning): SignedPart['block'] | undefined {
  if (redactedContent !== undefined) return { redactedContent: Buffer.from(redactedContent).toString('base64') };
  if (!reasoningText?.signature) return undefined;
  return { reasoningText: { text: reasoningText.text, signature: reasoningText.signature } };
}

/** The parts of ConverseStream's events that the gateway reads. */
const Event = z.looseObject({
  messageStart: z.looseObject({}).optional(),
  contentBlockStart: z
    .looseObject({
      contentBlockIndex: z.int(),
      start: z
        .looseObject({ toolUse: z.looseObject({ toolUseId: z.string(), name: z.string() }).optional() })
        .nullish(),
    })
    .optional(),
  contentBlockDelta: z
    .looseObject({
      contentBlockIndex: z.int(),
      delta: z
        .looseObject({
          text: z.string().optional(),
          toolUse: z.looseObject({ input: z.string() }).optional(),
          reasoningContent: z
            .looseObject({
              text: z.string().optional().catch(undefined),
              signature: z.string().optional().catch(undefined),
              redactedContent: Bytes,
            })
            .optional()
            .catch(undefined),
        })
        .nullish(),
    })
    .optional(),
  contentBlockStop: z.looseObject({ contentBlockIndex: z.int() }).optional(),
  messageStop: z.looseObject({ stopReason: z.string().nullish() }).optional(),
  metadata: z.looseObject(Served).optional(),
});

/**
 * The deltas of a streamed message: start, texts and tool calls as they arrive, then finish and usage. Signed reasoning follows its text,
 * whole. Citations and other content are left out with a warning, unknown events without one.
 * @throws GatewayError if the stream breaks off, holds an exception or an unreadable event, or ends early
 */
export async function* readConverseStream(
  stream: BedrockStream,
  call: ConverseCall,
  translation: Translation,
): AsyncGenerator<ChatDelta[]> {
  const reader = new ConverseStreamReader(stream.requestId, call, translation);
  try {
    for await (const event of stream.events) {
      const deltas = reader.read(event);
      if (deltas.length > 0) yield deltas;
      // The response is complete; later failures of the connection do not matter.
      if (reader.counted) return;
    }
  } catch (error) {
    throw error instanceof BedrockFailure ? toStreamError(error, call) : error;
  }
  if (reader.stopped) return;
  throw new GatewayError('provider_error', `The provider ${call.provider} ended its response early.`, {
    internal: `${call.provider}: stream ended without messageStop`,
  });
}

interface OpenTool {
  readonly index: number;
  hasPieces: boolean;
}

/** Reasoning that is being written. */
interface OpenReasoning {
  text: string;
  signature: string;
  readonly redacted: Uint8Array[];
}

interface ReasoningPiece {
  readonly text?: string | undefined;
  readonly signature?: string | undefined;
  readonly redactedContent?: Uint8Array | undefined;
}

class ConverseStreamReader {
  stopped = false;
  /** Whether the last event has arrived. */
  counted = false;
  private readonly requestId: string;
  private readonly call: ConverseCall;
  private readonly translation: Translation;
  private started = false;
  /** By the index of their block. */
  private readonly openTools = new Map<number, OpenTool>();
  private toolCount = 0;
  private readonly openReasoning = new Map<number, OpenReasoning>();

  constructor(requestId: string, call: ConverseCall, translation: Translation) {
    this.translation = translation;
    this.requestId = requestId;
    this.call = call;
  }

  read(value: unknown): ChatDelta[] {
    const read = Event.safeParse(value);
    if (!read.success) throw unreadableResponse(this.call.provider, 'event of an unknown shape');
    const { messageStart, contentBlockStart, contentBlockDelta, contentBlockStop, messageStop, metadata } = read.data;
    if (messageStart !== undefined) return this.start();
    if (!this.started) throw unreadableResponse(this.call.provider, 'event before messageStart');
    if (contentBlockStart !== undefined) {
      const { contentBlockIndex, start } = contentBlockStart;
      reportLost(start ?? {}, this.translation);
      return start?.toolUse === undefined ? [] : this.startTool(contentBlockIndex, start.toolUse);
    }
    if (contentBlockDelta !== undefined) {
      const { contentBlockIndex, delta } = contentBlockDelta;
      if (delta?.text) return [{ type: 'text', choice: 0, text: delta.text }];
      if (delta?.reasoningContent) return this.think(contentBlockIndex, delta.reasoningContent);
      reportLost(delta ?? {}, this.translation);
      return delta?.toolUse === undefined ? [] : this.continueTool(contentBlockIndex, delta.toolUse.input);
    }
    if (contentBlockStop !== undefined) return this.stopBlock(contentBlockStop.contentBlockIndex);
    if (messageStop !== undefined) return this.stop(messageStop.stopReason);
    if (metadata === undefined) return [];
    this.counted = this.stopped;
    return [{ type: 'usage', usage: fromConverseUsage(metadata) }];
  }

  private start(): ChatDelta[] {
    if (this.started) throw unreadableResponse(this.call.provider, 'second messageStart');
    this.started = true;
    return [{ type: 'start', id: withoutKey(this.requestId, this.call.apiKey), model: this.call.model }];
  }

  private startTool(block: number, { toolUseId: id, name }: { toolUseId: string; name: string }): ChatDelta[] {
    const index = this.toolCount;
    this.toolCount += 1;
    this.openTools.set(block, { index, hasPieces: false });
    return [{ type: 'tool_call', choice: 0, index, id: withoutKey(id, this.call.apiKey), name }];
  }

  private continueTool(block: number, text: string): ChatDelta[] {
    const tool = this.openTools.get(block);
    // Server tools stream their input the same way, but are not calls of the client's tools.
    if (tool === undefined || text === '') return [];
    tool.hasPieces = true;
    return [{ type: 'tool_arguments', choice: 0, index: tool.index, text }];
  }

  private think(block: number, { text = '', signature = '', redactedContent }: ReasoningPiece): ChatDelta[] {
    const open = this.openReasoning.get(block) ?? { text: '', signature: '', redacted: [] };
    this.openReasoning.set(block, open);
    open.text += text;
    open.signature += signature;
    if (redactedContent !== undefined) open.redacted.push(redactedContent);
    return text === '' ? [] : [{ type: 'reasoning', choice: 0, text }];
  }

  private stopBlock(block: number): ChatDelta[] {
    const open = this.openReasoning.get(block);
    this.openReasoning.delete(block);
    if (open === undefined) return this.stopTool(block);
    const { redacted, ...reasoningText } = open;
    const signed = signedBlockOf(
      redacted.length > 0 ? { redactedContent: Buffer.concat(redacted) } : { reasoningText },
    );
    return signed === undefined ? [] : [{ type: 'signed', choice: 0, block: signed }];
  }

  /** A call without pieces has no arguments: an empty object. */
  private stopTool(block: number): ChatDelta[] {
    const tool = this.openTools.get(block);
    this.openTools.delete(block);
    if (tool === undefined || tool.hasPieces) return [];
    return [{ type: 'tool_arguments', choice: 0, index: tool.index, text: '{}' }];
  }

  private stop(reason: string | null | undefined): ChatDelta[] {
    this.stopped = true;
    return [
      ...[...this.openTools.keys()].flatMap((block) => this.stopTool(block)),
      { type: 'finish', choice: 0, reason: fromConverseStopReason(this.call.provider, reason) },
    ];
  }
}

/** A broken stream, or an exception in it, which means what it means as a response. */
export function toStreamError(failure: BedrockFailure, call: ConverseCall): GatewayError {
  const error = toBedrockError(failure, call);
  return failure.cause === undefined
    ? inResponse(error, `${call.provider}: ${failure.exception} in the stream`)
    : error;
}
