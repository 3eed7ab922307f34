import { isObject } from '../../../kernel/json/index.ts';
import type {
  ChatRequest,
  Effort,
  JsonFormat,
  OtherField,
  Thinking,
  ToolChoice,
  ToolDefinition,
} from '../../../kernel/model/index.ts';
import {
  dropReasoning,
  fieldsFor,
  merge,
  refuseEssential,
  type TargetFields,
  type Translation,
} from '../../routing/index.ts';
import { effortOf, isEffort } from '../efforts.ts';
import type {
  AnthropicEffort,
  AnthropicMessage,
  AnthropicRequest,
  AnthropicTool,
  AnthropicToolChoice,
} from './anthropic-request.ts';
import { takesEffort, takesOneOfSampling, takesSampling, takesSchema } from './claude-models.ts';
import { cacheControlOf, toAnthropicConversation } from './to-anthropic-messages.ts';
import { fitsClaude, NO_PARAMETERS, toClaudeSchema, toClaudeTools } from './to-claude-schema.ts';

/** Sent if the client sets no limit: the API requires one, and every available model supports this value. */
export const DEFAULT_MAX_TOKENS = 4096;

/**
 * The body of a call to the Messages API.
 * @param model the model's name at the provider
 * @param translation collects what the API does not have
 * @throws GatewayError `invalid_value` or `missing_field` for what changes the result and has no equivalent; `param` names the field
 */
export function toAnthropicRequest(
  request: ChatRequest,
  model: string,
  translation: Translation,
  defaultMaxTokens: number = DEFAULT_MAX_TOKENS,
): AnthropicRequest {
  refuseEssential(request.others, translation);
  dropReasoning(request.messages, translation);
  if (request.choiceCount > 1) throw translation.refused('n', 'it returns one choice');
  const { system, messages } = toAnthropicConversation(request.messages, translation);
  const toolChoice = toAnthropicToolChoice(request);
  const tools = toClaudeTools(request, takesSchema(model), translation);
  const maxTokens = request.maxOutputTokens ?? defaultMaxTokens;
  const others = toClaudeFields(request.others, { model, maxTokens, messages, toolChoice }, translation);
  const prompt = jsonIsAsked(request, translation) ? [...system, { type: 'text' as const, text: JSON_ONLY }] : system;
  return {
    ...others,
    model,
    max_tokens: maxTokens,
    messages,
    stream: request.stream,
    ...(prompt.length > 0 && { system: prompt }),
    ...(tools.length > 0 && { tools: tools.map(toAnthropicTool) }),
    ...(toolChoice && { tool_choice: toolChoice }),
    ...(request.stop?.length && { stop_sequences: request.stop }),
    ...toSampling(request, model, thinksWith(others), translation),
  };
}

/** The API has no JSON mode without a schema. OpenAI's needs the word JSON in the prompt, so this changes little. */
export const JSON_ONLY = 'Respond with one JSON object and nothing else.';

/** Whether the system prompt must ask for JSON, because the request asks for it without a schema. */
export function jsonIsAsked({ others }: ChatRequest, translation: Translation): boolean {
  const field = others.find(
    (one) => one.meaning === 'response_format' && (one.value as JsonFormat).schema === undefined,
  );
  if (field === undefined) return false;
  translation.adjusted(field.path, 'JSON without a schema is asked for in the system prompt');
  return true;
}

/** The fields of Claude models for those without a member in `ChatRequest`. Thinking comes first: it excludes sampling fields. */
export function toClaudeFields(
  others: readonly OtherField[],
  context: Omit<AnthropicContext, 'thinks'>,
  translation: Translation,
): Record<string, unknown> {
  const isThinking = ({ meaning }: OtherField) => meaning === 'thinking' || meaning === 'reasoning_effort';
  const ofThinking = others.filter(isThinking);
  const thinking = fieldsFor(ofThinking, ANTHROPIC_TARGET, { ...context, thinks: false }, translation);
  const rest = others.filter((field) => !isThinking(field));
  const fields = fieldsFor(rest, ANTHROPIC_TARGET, { ...context, thinks: thinksWith(thinking) }, translation);
  merge(fields, thinking);
  return fields;
}

/** Whether a body's fields turn thinking on. */
export function thinksWith({ thinking }: { readonly thinking?: unknown }): boolean {
  return isObject(thinking) && thinking.type !== 'disabled';
}

function toAnthropicTool(tool: ToolDefinition): AnthropicTool {
  return {
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    input_schema: { type: 'object', ...(tool.parameters ?? NO_PARAMETERS) },
    ...(tool.strict === true && { strict: true }),
    ...cacheControlOf(tool),
  };
}

/**
 * `tool_choice`, including `parallel_tool_calls`. undefined if it is the API's default, or without tools, since the API then
 * rejects the field.
 */
export function toAnthropicToolChoice(request: ChatRequest): AnthropicToolChoice | undefined {
  if (!request.tools?.length) return undefined;
  const single = request.parallelToolCalls === false;
  if (request.toolChoice === undefined && !single) return undefined;
  const choice = toChoice(request.toolChoice ?? 'auto');
  return single && choice.type !== 'none' ? { ...choice, disable_parallel_tool_use: true } : choice;
}

function toChoice(choice: ToolChoice): AnthropicToolChoice {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name };
  return { type: choice === 'required' ? 'any' : choice };
}

type Sampling = Pick<AnthropicRequest, 'temperature' | 'top_p'>;

/** The sampling fields that this model takes, with and without thinking. */
export function toSampling(
  { temperature, topP }: Pick<ChatRequest, 'temperature' | 'topP'>,
  model: string,
  thinks: boolean,
  translation: Translation,
): Sampling {
  const sampling: { -readonly [Field in keyof Sampling]: Sampling[Field] } = {};
  // 1 is the default of both.
  const asked = { temperature: temperature === 1 ? undefined : temperature, topP: topP === 1 ? undefined : topP };
  const isTaken = takesSampling(model) && !thinks;
  const reason = thinks ? 'it cannot be set with thinking' : 'this model has no such control';
  if (asked.temperature !== undefined) {
    if (!isTaken) translation.dropped('temperature', reason);
    else {
      sampling.temperature = Math.min(asked.temperature, 1);
      if (asked.temperature > 1) translation.adjusted('temperature', 'its range is 0 to 1');
    }
  }
  if (asked.topP !== undefined) {
    if (!isTaken) translation.dropped('top_p', reason);
    else if (sampling.temperature !== undefined && takesOneOfSampling(model)) {
      translation.dropped('top_p', 'this model takes either temperature or top_p');
    } else sampling.top_p = asked.topP;
  }
  return sampling;
}

interface Level {
  /** For models that support an effort. */
  readonly effort: AnthropicEffort;
  /** For models that support a thinking budget: its share of `max_tokens`. */
  readonly share: number;
}

/** Without `none`, which disables thinking. */
const LEVELS: Readonly<Record<Exclude<Effort, 'none'>, Level>> = {
  minimal: { effort: 'low', share: 0.1 },
  low: { effort: 'low', share: 0.2 },
  medium: { effort: 'medium', share: 0.5 },
  high: { effort: 'high', share: 0.8 },
  xhigh: { effort: 'xhigh', share: 0.9 },
  max: { effort: 'max', share: 0.9 },
};

/** The API's minimum budget (SDK 1.11.0, ThinkingConfigEnabled). */
const MIN_BUDGET_TOKENS = 1024;
/** Below this, even the minimum budget would leave less for the output than for thinking. */
const MIN_THINKING_MAX_TOKENS = 2 * MIN_BUDGET_TOKENS;

/** What the fields for thinking depend on. */
export interface AnthropicContext {
  readonly model: string;
  readonly maxTokens: number;
  readonly messages: readonly AnthropicMessage[];
  readonly toolChoice: AnthropicToolChoice | undefined;
  readonly thinks: boolean;
}

/** What the Messages API has for fields of other APIs. */
export const ANTHROPIC_TARGET: TargetFields<AnthropicContext> = {
  reasoning_effort: {
    as: '`thinking` and, from Claude 4.6 on, `output_config.effort`',
    set: (effort, context) => (isEffort(effort) ? toThinkingFields({ effort }, context) : undefined),
    otherwise: 'dropped',
    reason: 'it has no such level, or none with this tool choice, output limit or tool result',
  },
  thinking: {
    as: '`thinking` and, from Claude 4.6 on, `output_config.effort`',
    set: (thinking, context) => toThinkingFields(thinking as Thinking, context),
    otherwise: 'dropped',
    reason: 'this tool choice, output limit or tool result excludes it',
  },
  response_format: {
    as: '`output_config.format` from Claude 4.5 on; JSON without a schema: a sentence in `system`',
    set: (format, { model }) => toFormatFields(format as JsonFormat, model),
    otherwise: 'refused',
    reason: 'only models from Claude 4.5 on take a schema, and none with recursion or properties that it does not name',
  },
  top_k: {
    as: '`top_k` before Claude 4.7',
    set: (topK, { model, thinks }) =>
      Number.isSafeInteger(topK) && takesSampling(model) && !thinks ? { top_k: topK } : undefined,
    otherwise: 'dropped',
    reason: 'this model does not take it, or not with thinking',
  },
  end_user: { as: '`metadata.user_id`', set: (user) => ({ metadata: { user_id: user } }), otherwise: 'dropped' },
  cache_hint: {
    as: '`cache_control`',
    set: (_, __, { path }) => (path.endsWith('cache_control') ? {} : undefined),
    otherwise: 'dropped',
  },
  seed: { otherwise: 'dropped', reason: 'sampling cannot be seeded' },
  presence_penalty: { otherwise: 'dropped', reason: 'it has no penalties' },
  frequency_penalty: { otherwise: 'dropped', reason: 'it has no penalties' },
  logit_bias: { otherwise: 'dropped', reason: 'tokens cannot be biased' },
  verbosity: { otherwise: 'dropped' },
  service_tier: { otherwise: 'dropped', reason: 'its tiers have other terms' },
  image_detail: { otherwise: 'dropped' },
};

function toFormatFields({ schema, description }: JsonFormat, model: string): object | undefined {
  if (schema === undefined) return {};
  if (!takesSchema(model) || !fitsClaude(schema)) return undefined;
  const said = description ? { description, ...schema } : schema;
  return { output_config: { format: { type: 'json_schema', schema: toClaudeSchema(said) } } };
}

/**
 * The fields for a level or budget of thinking. From Claude 4.6 on, and for names without a version: adaptive thinking with an effort, since
 * the Claude 5 models reject a budget. Before: a thinking budget within `max_tokens`, which includes thinking as at OpenAI.
 *
 * undefined, so that a warning reports it, where the API would reject thinking: with a forced tool; and, with a budget, if `max_tokens` is under 2,048 or the
 * conversation ends in results of a turn whose signed thinking is not known, since it would have to be sent back.
 */
export function toThinkingFields(
  { budget, effort, off }: Thinking,
  { model, maxTokens, messages, toolChoice }: Omit<AnthropicContext, 'thinks'>,
): Pick<AnthropicRequest, 'thinking' | 'output_config'> | undefined {
  const adaptive = takesEffort(model);
  if (off) return {};
  if (effort === 'none' || budget === 0) return adaptive ? { thinking: { type: 'disabled' } } : {};
  const forced = toolChoice?.type === 'any' || toolChoice?.type === 'tool';
  const level = effort ?? (budget === undefined ? undefined : effortOf(budget));
  if (adaptive) {
    if (forced && level === undefined) return undefined;
    return {
      ...(!forced && { thinking: { type: 'adaptive' as const } }),
      ...(level !== undefined && { output_config: { effort: LEVELS[level].effort } }),
    };
  }
  if (forced || maxTokens < MIN_THINKING_MAX_TOKENS || lacksThinking(messages)) return undefined;
  const asked = budget ?? Math.floor(maxTokens * LEVELS[level ?? 'medium'].share);
  const tokens = Math.max(MIN_BUDGET_TOKENS, Math.min(asked, maxTokens - 1));
  return { thinking: { type: 'enabled', budget_tokens: tokens } };
}

/** Whether the conversation ends in tool results, and the turn with their calls does not begin with thinking. */
function lacksThinking(messages: readonly AnthropicMessage[]): boolean {
  if (!messages.at(-1)?.content.some((block) => block.type === 'tool_result')) return false;
  const first = messages.at(-2)?.content[0]?.type;
  return first !== 'thinking' && first !== 'redacted_thinking';
}
