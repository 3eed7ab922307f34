import * as z from 'zod';
import type { ChatCompletion, ChatDelta, FinishReason, ToolCall } from '../../../kernel/model/index.ts';
import { fromOpenAiUsage } from '../../protocols/bodies/provider-usage.ts';
import { parseTranslated } from '../../protocols/bodies/response-structure.ts';
import { contentIn, reasoningIn } from '../../protocols/openai-chat/chat-reasoning.ts';
import type { Translation } from '../../routing/index.ts';
import { failedInResponse, unreadableResponse } from '../provider-failures.ts';

const FunctionCall = z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() });
/** Mistral's models that reason return a list of parts. */
const Content = z.union([z.string(), z.array(z.unknown())]).nullish();
/** Of OpenAI's models that search, and of Perplexity's. */
const Sources = z.array(z.unknown()).nullish().catch(undefined);
const Completion = z.looseObject({
  id: z.string(),
  model: z.string(),
  choices: z
    .array(
      z.looseObject({
        index: z.int().catch(0),
        message: z.looseObject({
          content: Content,
          refusal: z.string().nullish(),
          tool_calls: z.array(z.looseObject({ id: z.string(), function: FunctionCall })).nullish(),
          annotations: Sources,
        }),
        finish_reason: z.string().nullish(),
        error: z.unknown().optional(),
      }),
    )
    .min(1),
  citations: Sources,
  usage: z.unknown().optional(),
});
const Chunk = z.looseObject({
  id: z.string().nullish(),
  model: z.string().nullish(),
  choices: z
    .array(
      z.looseObject({
        index: z.int().catch(0),
        delta: z
          .looseObject({
            content: Content,
            refusal: z.string().nullish(),
            tool_calls: z
              .array(
                z.looseObject({ index: z.int().catch(0), id: z.string().nullish(), function: FunctionCall.nullish() }),
              )
              .nullish(),
            annotations: Sources,
          })
          .nullish(),
        finish_reason: z.string().nullish(),
        error: z.unknown().optional(),
      }),
    )
    .nullish(),
  citations: Sources,
  usage: z.unknown().optional(),
  service_tier: z.unknown().optional(),
  error: z.unknown().optional(),
});

const REASONS: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['length', 'length'],
  // Mistral: the model's context is used up.
  ['model_length', 'length'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['content_filter', 'content_filter'],
]);
/** Generation failed: OpenRouter and Mistral, DeepSeek (https://api-docs.deepseek.com/api/create-chat-completion), vLLM. */
const FAILURES: ReadonlySet<string> = new Set(['error', 'insufficient_system_resource', 'abort']);

/** How a choice ended; OpenRouter describes a failure in `error`: https://openrouter.ai/docs/api/reference/overview */
interface Ending {
  readonly finish_reason?: string | null | undefined;
  readonly error?: unknown;
}

/** A chat completion in the gateway's own model. Sources are left out with a warning. @throws GatewayError `provider_error` if the body is not one */
export function fromOpenAiCompletion(body: string, provider: string, translation: Translation): ChatCompletion {
  const completion = parse(Completion, body, provider);
  const { id, model, choices } = completion;
  reportSources(completion, translation);
  for (const { message } of choices) reportSources(message, translation);
  return {
    id,
    model,
    choices: choices.map(({ index, message, ...ending }) => {
      const toolCalls = (message.tool_calls ?? []).map(
        (call): ToolCall => ({ id: call.id, name: call.function.name ?? '', arguments: call.function.arguments ?? '' }),
      );
      const reasoning = reasoningIn(message);
      return {
        index,
        text: contentIn(message),
        ...(reasoning !== undefined && { reasoning }),
        ...(message.refusal && { refusal: message.refusal }),
        ...(toolCalls.length > 0 && { toolCalls }),
        finishReason: toReason(ending, provider),
      };
    }),
    usage: fromOpenAiUsage(completion) ?? {},
  };
}

/** The deltas of a streamed chat completion, chunk by chunk. */
export class OpenAiChunkReader {
  private readonly provider: string;
  private readonly translation: Translation;
  private readonly openTools = new Set<string>();
  private started = false;
  /** What served the response, by an earlier chunk. */
  private tier: unknown;

  constructor(provider: string, translation: Translation) {
    this.provider = provider;
    this.translation = translation;
  }

  /** @throws GatewayError `provider_error` if the text is not a chunk */
  read(json: string): ChatDelta[] {
    const chunk = parse(Chunk, json, this.provider);
    if (chunk.error != null) throw failedInResponse(this.provider, 'error instead of a response');
    const deltas: ChatDelta[] = [];
    // Some chunks have no choices: usage, or Azure's first one, which describes only the prompt and has no id either.
    const choices = chunk.choices ?? [];
    if (!this.started && (chunk.id || choices.length > 0)) {
      this.started = true;
      deltas.push({ type: 'start', id: chunk.id ?? '', model: chunk.model ?? '' });
    }
    reportSources(chunk, this.translation);
    for (const { index: choice, delta, ...ending } of choices) {
      reportSources(delta ?? {}, this.translation);
      const reasoning = reasoningIn(delta ?? {});
      if (reasoning !== undefined) deltas.push({ type: 'reasoning', choice, text: reasoning });
      const text = contentIn(delta ?? {});
      if (text) deltas.push({ type: 'text', choice, text });
      if (delta?.refusal) deltas.push({ type: 'refusal', choice, text: delta.refusal });
      for (const call of delta?.tool_calls ?? []) {
        const { index, id } = call;
        const open = `${choice}.${index}`;
        if (!this.openTools.has(open)) {
          this.openTools.add(open);
          deltas.push({ type: 'tool_call', choice, index, id: id ?? '', name: call.function?.name ?? '' });
        }
        const text = call.function?.arguments;
        if (text) deltas.push({ type: 'tool_arguments', choice, index, text });
      }
      const reason = toReason(ending, this.provider);
      if (ending.finish_reason) deltas.push({ type: 'finish', choice, reason });
    }
    this.tier = chunk.service_tier ?? this.tier;
    const usage = fromOpenAiUsage({ ...chunk, service_tier: this.tier });
    if (usage) deltas.push({ type: 'usage', usage });
    return deltas;
  }
}

/** Reports sources, which the gateway's model lacks. */
function reportSources({ annotations, citations }: WithSources, translation: Translation): void {
  if (annotations?.length) translation.lost('annotations');
  if (citations?.length) translation.lost('citations');
}

interface WithSources {
  readonly annotations?: readonly unknown[] | null | undefined;
  readonly citations?: readonly unknown[] | null | undefined;
}

/** The finish reason of a choice; an unknown one becomes `stop`. @throws GatewayError `provider_error` if generation failed */
function toReason({ finish_reason: reason, error }: Ending, provider: string): FinishReason {
  if (FAILURES.has(reason ?? '') || error != null) throw failedInResponse(provider, 'a choice that failed');
  return REASONS.get(reason ?? '') ?? 'stop';
}

function parse<Schema extends z.ZodType>(schema: Schema, json: string, provider: string): z.infer<Schema> {
  let value: unknown;
  try {
    value = parseTranslated(json);
  } catch {
    throw unreadableResponse(provider, 'response is not JSON');
  }
  const result = schema.safeParse(value);
  if (!result.success) throw unreadableResponse(provider, 'response is not a chat completion');
  return result.data;
}
