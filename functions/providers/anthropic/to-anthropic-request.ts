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

/** Sent where the caller sets no limit: the API demands one, and every model still served can give this many. */
export const DEFAULT_MAX_TOKENS = 4096;

/**
 * The body of a call to the Messages API. Fields that are not OpenAI's (`top_k`, `thinking`, `cache_control`) go along
 * untouched, and their `thinking` and `output_config` win over what `reasoning_effort` would give.
 * @param model the model's name at the provider
 * @throws GatewayError `invalid_value` or `missing_field` for what the API cannot do; `param` names the caller's field
 */
export function toAnthropicRequest(
  request: ChatRequest,
  model: string,
  defaultMaxTokens: number = DEFAULT_MAX_TOKENS,
): AnthropicRequest {
  const passedOn = withoutOpenAiFields(request.extra);
  if (request.choiceCount > 1) throw unsupportedField('n', 'it gives one choice');
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

/** A tool definition; the API demands a schema, so a tool without parameters gets that of an empty object. */
function toAnthropicTool(tool: ToolDefinition): AnthropicTool {
  return {
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    input_schema: tool.parameters ?? { type: 'object', properties: {} },
    ...(tool.strict === true && { strict: true }),
  };
}

/**
 * `tool_choice` with `parallel_tool_calls` folded in; undefined where the API's default says the same, or without tools,
 * where the API refuses the field.
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
  /** For models that take a level of effort. */
  readonly effort: AnthropicEffort;
  /** For models that take a budget: the share of `max_tokens` that thinking may use. */
  readonly share: number;
}

/** OpenAI's levels and the two above them that only Anthropic has; `none` is no level but thinking switched off. */
const LEVELS: ReadonlyMap<unknown, Level> = new Map<unknown, Level>([
  ['minimal', { effort: 'low', share: 0.1 }],
  ['low', { effort: 'low', share: 0.2 }],
  ['medium', { effort: 'medium', share: 0.5 }],
  ['high', { effort: 'high', share: 0.8 }],
  ['xhigh', { effort: 'xhigh', share: 0.9 }],
  ['max', { effort: 'max', share: 0.9 }],
]);

/** The smallest budget that the API takes (SDK 1.11.0, ThinkingConfigEnabled). */
const MIN_BUDGET_TOKENS = 1024;
/** Below this a budget would leave less for the answer than for the thinking at the lowest level. */
const MIN_THINKING_MAX_TOKENS = 2 * MIN_BUDGET_TOKENS;

export interface ThinkingContext {
  readonly model: string;
  readonly maxTokens: number;
  readonly messages: readonly AnthropicMessage[];
  readonly toolChoice: AnthropicToolChoice | undefined;
}

/**
 * What `reasoning_effort` asks for. From Claude 4.6 on (and for names without a version) adaptive thinking with a level
 * of effort: the Claude 5 models refuse a budget. Before that a budget of thinking tokens within `max_tokens`, which the
 * API counts as OpenAI does: thinking included.
 *
 * Thinking is left out where the API would refuse the request for it: a forced tool; and with a budget, `max_tokens` under
 * 2,048 or tool results at the end, as that turn's thinking would have to be sent back and the gateway never gave it out.
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
 * Whether a model takes a level of effort: version 4.6 or later, whether the version is before the family's name
 * (`claude-3-7-sonnet-20250219`) or after it (`claude-opus-4-6`); a date is no version. A name without one is a new one.
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
  /** Whether the field can be left out without changing the answer; false refuses it. null is always left out. */
  readonly droppable: (value: unknown) => boolean;
  readonly reason: string;
}

const always = () => true;
const never = () => false;
const oneOf =
  (...values: unknown[]) =>
  (value: unknown) =>
    values.includes(value);

/** Every OpenAI field that the Messages API has no equivalent for, or that the gateway reads itself. */
const OPENAI_ONLY_FIELDS: Readonly<Record<string, FieldRule>> = {
  // Change the answer: refused unless they hold the default.
  logprobs: { droppable: oneOf(false), reason: 'token probabilities are not given' },
  top_logprobs: { droppable: oneOf(0), reason: 'token probabilities are not given' },
  logit_bias: { droppable: isEmptyObject, reason: 'tokens cannot be biased' },
  presence_penalty: { droppable: oneOf(0), reason: 'no penalties' },
  frequency_penalty: { droppable: oneOf(0), reason: 'no penalties' },
  response_format: {
    droppable: isTextFormat,
    reason: 'JSON mode does not exist; structured outputs take other schemas',
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
  prompt: { droppable: never, reason: 'it is asked one prompt of text' },
  best_of: { droppable: oneOf(1), reason: 'it gives one choice' },
  echo: { droppable: oneOf(false), reason: 'the prompt does not come back' },
  suffix: { droppable: oneOf(''), reason: 'nothing can be inserted before a text' },
  verbosity: { droppable: oneOf('medium'), reason: 'no such control' },
  service_tier: { droppable: oneOf('auto', 'default'), reason: 'flex, scale and priority are terms with OpenAI' },
  // Bookkeeping at OpenAI: nothing of it reaches the answer.
  store: { droppable: always, reason: "keeps the answer in OpenAI's dashboard" },
  metadata: { droppable: always, reason: "labels for OpenAI's dashboard; there the name means user_id" },
  prompt_cache_key: { droppable: always, reason: 'routing to a cache; the answer is the same' },
  prompt_cache_retention: { droppable: always, reason: 'how long a cache lives; the answer is the same' },
  prompt_cache_options: { droppable: always, reason: 'how a cache is used; the answer is the same' },
  safety_identifier: { droppable: always, reason: "for OpenAI's abuse detection; `user` is what is passed on" },
  // Read elsewhere.
  stream_options: { droppable: always, reason: 'ChatRequest.includeUsage; usage is always sent there' },
  reasoning_effort: { droppable: always, reason: 'to-anthropic-thinking.ts' },
  moderation: { droppable: always, reason: "the gateway's own" },
  svc: { droppable: always, reason: "the gateway's own" },
};

/** The Messages API's own fields are words in lower case: any other name is a path into another API's request, or that API's name. */
const FOREIGN = /[A-Z.[]/;

/**
 * What of `ChatRequest.extra` goes to Anthropic: the fields that are not OpenAI's, untouched.
 * @throws GatewayError `invalid_value` for a field of another API that would change the answer and has no equivalent there
 */
export function withoutOpenAiFields(extra: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const passedOn: [string, unknown][] = [];
  for (const [name, value] of Object.entries(extra)) {
    const rule = Object.hasOwn(OPENAI_ONLY_FIELDS, name) ? OPENAI_ONLY_FIELDS[name] : undefined;
    if (rule === undefined && value !== null && FOREIGN.test(name))
      throw unsupportedField(name, 'it has no place for it');
    if (rule === undefined) passedOn.push([name, value]);
    else if (value !== null && value !== undefined && !rule.droppable(value)) throw unsupportedField(name, rule.reason);
  }
  return Object.fromEntries(passedOn);
}

/** The refusal of a request field; `reason` is a clause of our own, never the caller's text. */
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
