import { isObject } from '../../core/base/json.ts';
import type { ChatRequest, ToolChoice, ToolDefinition } from '../../core/model/chat.ts';
import { DEFAULT_MAX_TOKENS, toAnthropicThinking, toAnthropicToolChoice } from '../anthropic/to-anthropic-request.ts';
import { unsupported } from './bedrock-errors.ts';
import type { ConverseOutputConfig, ConverseRequest, ConverseTool, ConverseToolChoice } from './converse-request.ts';
import { toConverseConversation } from './to-converse-messages.ts';

/**
 * The request to Converse, and to ConverseStream, which takes the same. Without a bound of the caller's the model's own holds.
 * @param model its id at Bedrock
 * @throws GatewayError `invalid_value` or `missing_field` for what Converse cannot do; `param` names the caller's field
 */
export function toConverseRequest(request: ChatRequest, model: string): ConverseRequest {
  const { choiceCount, maxOutputTokens, temperature, topP, stop } = request;
  if (choiceCount > 1) throw unsupported('n', 'it gives one choice');
  if (temperature !== undefined && temperature > 1) throw unsupported('temperature', 'its range is 0 to 1');
  const { system, messages } = toConverseConversation(request.messages);
  const inferenceConfig = {
    ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(stop?.length && { stopSequences: stop }),
  };
  return {
    messages,
    ...(system.length > 0 && { system }),
    ...(Object.keys(inferenceConfig).length > 0 && { inferenceConfig }),
    ...toConverseTools(request),
    ...toConverseSettings(request, model),
  };
}

type Settings = Pick<ConverseRequest, 'additionalModelRequestFields' | 'outputConfig' | 'serviceTier'>;

/** Bookkeeping elsewhere, or read by the gateway itself: nothing of it reaches an answer. */
const DROPPED = new Set([
  'store',
  'metadata',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'safety_identifier',
  'stream_options',
  'moderation',
  'svc',
]);

/** Values that say what holds without them. */
const DEFAULTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  logprobs: (value) => value === false,
  top_logprobs: (value) => value === 0,
  logit_bias: (value) => isObject(value) && Object.keys(value).length === 0,
  presence_penalty: (value) => value === 0,
  frequency_penalty: (value) => value === 0,
  modalities: (value) => Array.isArray(value) && value.every((one) => one === 'text'),
  verbosity: (value) => value === 'medium',
  speed: (value) => value === 'standard',
  service_tier: (value) => value === 'auto' || value === 'standard_only',
  response_format: (value) => isObject(value) && value.type === 'text',
  thinking: (value) => isObject(value) && value.type === 'disabled',
};

/** What only some models know. A family's name is part of the id of each of its models. */
interface Family {
  readonly name: string;
  /** The fields that a level of `reasoning_effort` becomes; undefined for a level that has no equivalent. */
  readonly reasoning?: (effort: string, request: ChatRequest, model: string) => object | undefined;
  /** Fields of other APIs that the model itself knows, as its own; undefined for a value that it does not. */
  readonly fields?: Readonly<Record<string, (value: unknown) => object | undefined>>;
}

const EFFORTS = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters.html */
const FAMILIES: readonly Family[] = [
  {
    name: 'anthropic.claude-',
    reasoning: toClaudeThinking,
    fields: {
      thinking: (thinking) => ({ thinking }),
      output_config: (outputConfig) => ({ output_config: outputConfig }),
      top_k: (topK) => ({ top_k: topK }),
    },
  },
  {
    name: 'amazon.nova-2-',
    // https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html
    reasoning: (effort) => {
      if (effort === 'none') return { reasoningConfig: { type: 'disabled' } };
      const level = effort === 'minimal' ? 'low' : effort;
      if (!['low', 'medium', 'high'].includes(level)) return undefined;
      return { reasoningConfig: { type: 'enabled', maxReasoningEffort: level } };
    },
    fields: { top_k: (topK) => ({ inferenceConfig: { topK } }) },
  },
  { name: 'amazon.nova-', fields: { top_k: (topK) => ({ inferenceConfig: { topK } }) } },
  {
    name: 'openai.gpt-',
    reasoning: (effort) => ({ reasoning_effort: effort }),
  },
];

/**
 * What the fields that are no chat's own become: settings of Converse, or of the model.
 * @param model its id at Bedrock
 * @throws GatewayError `invalid_value` for what neither has an equivalent for; `param` names the caller's field
 */
function toConverseSettings(request: ChatRequest, model: string): Settings {
  const family = FAMILIES.find(({ name }) => model.includes(name));
  const additional: Record<string, unknown> = { ...withoutParallelCalls(request, family) };
  const settings: Settings = {};
  const { reasoning_effort: effort, ...extra } = request.extra;
  if (effort != null) Object.assign(additional, toReasoning(effort, family, request, model));
  for (const [field, value] of Object.entries(extra)) {
    if (value == null || DROPPED.has(field)) continue;
    const own = family?.fields && Object.hasOwn(family.fields, field) ? family.fields[field]?.(value) : undefined;
    if (own !== undefined) Object.assign(additional, own);
    else if (!(Object.hasOwn(DEFAULTS, field) && DEFAULTS[field]?.(value)))
      Object.assign(settings, toSetting(field, value));
  }
  return { ...settings, ...(Object.keys(additional).length > 0 && { additionalModelRequestFields: additional }) };
}

function toSetting(field: string, value: unknown): Settings {
  if (field === 'response_format') return { outputConfig: toOutputConfig(value) };
  if (field === 'service_tier' && (value === 'default' || value === 'priority' || value === 'flex')) {
    return { serviceTier: { type: value } };
  }
  throw unsupported(field, 'Converse and this model have no equivalent');
}

function toOutputConfig(format: unknown): ConverseOutputConfig {
  const { name, description, schema } = isObject(format) && isObject(format.json_schema) ? format.json_schema : {};
  if (!isObject(schema)) throw unsupported('response_format', 'JSON is given only by a schema');
  return {
    textFormat: {
      type: 'json_schema',
      structure: {
        jsonSchema: {
          schema: JSON.stringify(schema),
          ...(typeof name === 'string' && { name }),
          ...(typeof description === 'string' && { description }),
        },
      },
    },
  };
}

function toReasoning(effort: unknown, family: Family | undefined, request: ChatRequest, model: string): object {
  const known = typeof effort === 'string' && EFFORTS.has(effort);
  const fields = known ? family?.reasoning?.(effort, request, model) : undefined;
  if (fields === undefined) throw unsupported('reasoning_effort', 'this model knows no such level there');
  return fields;
}

/** Anthropic's own rules hold for its models here as well. */
function toClaudeThinking(effort: string, request: ChatRequest, model: string): object {
  const { messages, maxOutputTokens = DEFAULT_MAX_TOKENS } = request;
  const last = messages.at(-1);
  const result = { type: 'tool_result', tool_use_id: last?.toolCallId ?? '' } as const;
  return toAnthropicThinking(effort, {
    // What stands before the name holds numbers that are no versions.
    model: model.slice(model.indexOf('claude-')),
    maxTokens: maxOutputTokens,
    messages: last?.role === 'tool' ? [{ role: 'user', content: [result] }] : [],
    toolChoice: toAnthropicToolChoice(request),
  });
}

/** One call at a time is Anthropic's to know, and by its own field, which Converse passes on beside its own choice of `auto`. */
function withoutParallelCalls(request: ChatRequest, family: Family | undefined): object {
  if (request.parallelToolCalls !== false || !request.tools?.length || request.toolChoice === 'none') return {};
  const isAuto = request.toolChoice === undefined || request.toolChoice === 'auto';
  if (family?.name !== 'anthropic.claude-' || !isAuto) {
    throw unsupported('parallel_tool_calls', 'calls cannot be kept to one at a time');
  }
  return { tool_choice: { type: 'auto', disable_parallel_tool_use: true } };
}

/**
 * The tools of a request and which of them is to be called. Converse has no `none`: without any past call the tools are
 * left out, which says the same; with one it demands them.
 * @throws GatewayError `invalid_value` for `none` beside past calls
 */
function toConverseTools({ tools = [], toolChoice, messages }: ChatRequest): Pick<ConverseRequest, 'toolConfig'> {
  if (tools.length === 0) return {};
  if (toolChoice === 'none') {
    const hasCalls = messages.some(({ role, toolCalls = [] }) => role === 'tool' || toolCalls.length > 0);
    if (hasCalls) throw unsupported('tool_choice', 'beside past calls of tools, tools cannot be switched off');
    return {};
  }
  return {
    toolConfig: {
      tools: tools.map(toTool),
      ...(toolChoice !== undefined && { toolChoice: toChoice(toolChoice) }),
    },
  };
}

/** The API demands a schema, so a tool without parameters gets that of an empty object. */
function toTool({ name, description, parameters, strict }: ToolDefinition): ConverseTool {
  return {
    toolSpec: {
      name,
      // An empty one is refused.
      ...(description && { description }),
      inputSchema: { json: parameters ?? { type: 'object', properties: {} } },
      ...(strict === true && { strict }),
    },
  };
}

function toChoice(choice: Exclude<ToolChoice, 'none'>): ConverseToolChoice {
  if (typeof choice === 'object') return { tool: { name: choice.name } };
  return choice === 'required' ? { any: {} } : { auto: {} };
}
