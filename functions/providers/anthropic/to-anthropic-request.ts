import { GatewayError } from '../../core/base/errors.ts';
import type { ChatRequest, ToolChoice, ToolDefinition } from '../../core/model/chat.ts';
import type {
  AnthropicEffort,
  AnthropicMessage,
  AnthropicRequest,
  AnthropicTool,
  AnthropicToolChoice,
} from './anthropic-request.ts';
import { toAnthropicConversation } from './to-anthropic-messages.ts';

/** Sent if the client sets no limit: the API requires one, and every available model supports this value. */
export const DEFAULT_MAX_TOKENS = 4096;

/**
 * The body of a call to the Messages API. Fields of Anthropic's API (`top_k`, `thinking`, `cache_control`) pass unchanged;
 * `thinking` and `output_config` take precedence over `reasoning_effort`.
 * @param model the model's name at the provider
 * @throws GatewayError `invalid_value` or `missing_field` for what the API does not support; `param` names the client's field
 */
export function toAnthropicRequest(
  request: ChatRequest,
  model: string,
  defaultMaxTokens: number = DEFAULT_MAX_TOKENS,
): AnthropicRequest {
  const passedOn = withoutOpenAiFields(request.extra);
  if (request.choiceCount > 1) throw unsupportedField('n', 'it returns one choice');
  if (request.temperature !== undefined && request.temperature > 1) {
    throw unsupportedField('temperature', 'its range is 0 to 1');
  }
  const { system, messages } = toAnthropicConversation(request.messages);
  const toolChoice = toAnthropicToolChoice(request);
  const maxTokens = request.maxOutputTokens ?? defaultMaxTokens;
  const thinking = toAnthropicThinking(request.extra.reasoning_effort, { model, maxTokens, messages, toolChoice });
  const translated: AnthropicRequest = {
    model,
    max_tokens: maxTokens,
    messages,
    stream: request.stream,
    ...(system.length > 0 && { system }),
    ...(request.tools?.length && { tools: request.tools.map(toAnthropicTool) }),
    ...(toolChoice && { tool_choice: toolChoice }),
    ...(request.stop?.length && { stop_sequences: request.stop }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.topP !== undefined && { top_p: request.topP }),
    ...(request.endUser !== undefined && { metadata: { user_id: request.endUser } }),
  };
  for (const name of Object.keys(passedOn)) {
    if (Object.hasOwn(translated, name)) {
      throw new GatewayError('invalid_value', `\`${name}\` is set twice: it is also made from the OpenAI fields.`, {
        param: name,
      });
    }
  }
  return { ...thinking, ...passedOn, ...translated };
}

/** A tool definition. The API requires a schema, so a tool without parameters gets an empty object's. */
function toAnthropicTool(tool: ToolDefinition): AnthropicTool {
  return {
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    input_schema: tool.parameters ?? { type: 'object', properties: {} },
    ...(tool.strict === true && { strict: true }),
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

interface Level {
  /** For models that support an effort. */
  readonly effort: AnthropicEffort;
  /** For models that support a thinking budget: its share of `max_tokens`. */
  readonly share: number;
}

/** OpenAI's levels, and Anthropic's two above them. `none` is missing: it disables thinking. */
const LEVELS: ReadonlyMap<unknown, Level> = new Map<unknown, Level>([
  ['minimal', { effort: 'low', share: 0.1 }],
  ['low', { effort: 'low', share: 0.2 }],
  ['medium', { effort: 'medium', share: 0.5 }],
  ['high', { effort: 'high', share: 0.8 }],
  ['xhigh', { effort: 'xhigh', share: 0.9 }],
  ['max', { effort: 'max', share: 0.9 }],
]);

/** The API's minimum budget (SDK 1.11.0, ThinkingConfigEnabled). */
const MIN_BUDGET_TOKENS = 1024;
/** Below this, even the minimum budget would leave less for the output than for thinking. */
const MIN_THINKING_MAX_TOKENS = 2 * MIN_BUDGET_TOKENS;

export interface ThinkingContext {
  readonly model: string;
  readonly maxTokens: number;
  readonly messages: readonly AnthropicMessage[];
  readonly toolChoice: AnthropicToolChoice | undefined;
}

/**
 * The fields for `reasoning_effort`. From Claude 4.6 on, and for names without a version: adaptive thinking with an effort, since
 * the Claude 5 models reject a budget. Before: a thinking budget within `max_tokens`, which includes thinking as at OpenAI.
 *
 * Thinking is omitted where the API would reject it: with a forced tool; and, with a budget, if `max_tokens` is under 2,048 or the
 * conversation ends in tool results. That turn's thinking would have to be sent back, and the gateway never returned it.
 * @throws GatewayError `invalid_value` for an unknown level
 */
export function toAnthropicThinking(
  effort: unknown,
  context: ThinkingContext,
): Pick<AnthropicRequest, 'thinking' | 'output_config'> {
  if (effort === undefined || effort === null) return {};
  const adaptive = takesEffort(context.model);
  if (effort === 'none') return adaptive ? { thinking: { type: 'disabled' } } : {};
  const level = LEVELS.get(effort);
  if (level === undefined) {
    throw new GatewayError('invalid_value', 'The provider anthropic does not know this value of `reasoning_effort`.', {
      param: 'reasoning_effort',
    });
  }
  const forced = context.toolChoice?.type === 'any' || context.toolChoice?.type === 'tool';
  if (adaptive) {
    return { ...(!forced && { thinking: { type: 'adaptive' } }), output_config: { effort: level.effort } };
  }
  if (forced || context.maxTokens < MIN_THINKING_MAX_TOKENS || endsInToolResult(context.messages)) return {};
  const budget = Math.max(MIN_BUDGET_TOKENS, Math.floor(context.maxTokens * level.share));
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

/**
 * Whether a model supports an effort: version 4.6 or later, before the family's name (`claude-3-7-sonnet-20250219`) or after
 * it (`claude-opus-4-6`). A date is not a version; a name without a version is a new model.
 */
function takesEffort(model: string): boolean {
  const version = /-(\d{1,2})(?!\d)(?:-(\d{1,2})(?!\d))?/.exec(model);
  if (version === null) return true;
  const major = Number(version[1]);
  const minor = Number(version[2] ?? 0);
  return major > 4 || (major === 4 && minor >= 6);
}

function endsInToolResult(messages: readonly AnthropicMessage[]): boolean {
  return messages.at(-1)?.content.some((block) => block.type === 'tool_result') ?? false;
}

interface FieldRule {
  /** Whether the field can be dropped without changing the response; false rejects it. null is always dropped. */
  readonly droppable: (value: unknown) => boolean;
  readonly reason: string;
}

const always = () => true;
const never = () => false;
const oneOf =
  (...values: unknown[]) =>
  (value: unknown) =>
    values.includes(value);

/** OpenAI's fields without an equivalent in the Messages API, and those that the gateway reads itself. */
const OPENAI_ONLY_FIELDS: Readonly<Record<string, FieldRule>> = {
  // These change the response: rejected unless they hold the default.
  logprobs: { droppable: oneOf(false), reason: 'token probabilities are not available' },
  top_logprobs: { droppable: oneOf(0), reason: 'token probabilities are not available' },
  logit_bias: { droppable: isEmptyObject, reason: 'tokens cannot be biased' },
  presence_penalty: { droppable: oneOf(0), reason: 'no penalties' },
  frequency_penalty: { droppable: oneOf(0), reason: 'no penalties' },
  response_format: {
    droppable: isTextFormat,
    reason: 'there is no JSON mode, and structured outputs use other schemas',
  },
  seed: { droppable: never, reason: 'sampling cannot be seeded' },
  audio: { droppable: never, reason: 'no audio output' },
  modalities: { droppable: isTextOnly, reason: 'text output only' },
  prediction: { droppable: never, reason: 'no predicted outputs' },
  web_search_options: { droppable: never, reason: 'web search is a tool there, with other settings and results' },
  functions: { droppable: never, reason: 'it is the deprecated form of `tools`' },
  function_call: { droppable: never, reason: 'it is the deprecated form of `tool_choice`' },
  tools: { droppable: never, reason: 'custom tools have no equivalent' },
  tool_choice: { droppable: never, reason: 'only auto, none, required and one function can be chosen' },
  prompt: { droppable: never, reason: 'only one text prompt is supported' },
  best_of: { droppable: oneOf(1), reason: 'it returns one choice' },
  echo: { droppable: oneOf(false), reason: 'the prompt is not returned' },
  suffix: { droppable: oneOf(''), reason: 'a text cannot be inserted before another' },
  verbosity: { droppable: oneOf('medium'), reason: 'no such control' },
  service_tier: { droppable: oneOf('auto', 'default'), reason: 'flex, scale and priority are terms with OpenAI' },
  // Bookkeeping at OpenAI: these do not change the response.
  store: { droppable: always, reason: "stores the response in OpenAI's dashboard" },
  metadata: { droppable: always, reason: "labels for OpenAI's dashboard; there the name means user_id" },
  prompt_cache_key: { droppable: always, reason: 'routing to a cache; the response is the same' },
  prompt_cache_retention: { droppable: always, reason: 'how long a cache lives; the response is the same' },
  prompt_cache_options: { droppable: always, reason: 'how a cache is used; the response is the same' },
  safety_identifier: { droppable: always, reason: "for OpenAI's abuse detection; `user` is what is passed on" },
  // Read elsewhere.
  stream_options: { droppable: always, reason: 'ChatRequest.includeUsage; usage is always sent there' },
  reasoning_effort: { droppable: always, reason: 'to-anthropic-thinking.ts' },
  moderation: { droppable: always, reason: "the gateway's own" },
  svc: { droppable: always, reason: "the gateway's own" },
};

/** The Messages API's fields are lower-case words. Other names are paths into another API's request, or its field names. */
const FOREIGN = /[A-Z.[]/;

/**
 * The fields of `ChatRequest.extra` that are not OpenAI's, unchanged.
 * @throws GatewayError `invalid_value` for another API's field that would change the response and has no equivalent
 */
export function withoutOpenAiFields(extra: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const passedOn: [string, unknown][] = [];
  for (const [name, value] of Object.entries(extra)) {
    const rule = Object.hasOwn(OPENAI_ONLY_FIELDS, name) ? OPENAI_ONLY_FIELDS[name] : undefined;
    if (rule === undefined && value !== null && FOREIGN.test(name))
      throw unsupportedField(name, 'it has no equivalent');
    if (rule === undefined) passedOn.push([name, value]);
    else if (value !== null && value !== undefined && !rule.droppable(value)) throw unsupportedField(name, rule.reason);
  }
  return Object.fromEntries(passedOn);
}

/** The error for an unsupported field. `reason` is the gateway's text, never the client's. */
function unsupportedField(field: string, reason: string): GatewayError {
  return new GatewayError(
    'invalid_value',
    `The provider anthropic does not support this value of \`${field}\`: ${reason}.`,
    {
      param: field,
    },
  );
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isTextFormat(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'text';
}

function isTextOnly(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => item === 'text');
}
