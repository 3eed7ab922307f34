import { isObject } from '../../core/base/json.ts';
import type { ChatRequest, ToolChoice, ToolDefinition } from '../../core/model/chat.ts';
import { DEFAULT_MAX_TOKENS, toAnthropicThinking, toAnthropicToolChoice } from '../anthropic/to-anthropic-request.ts';
import { unsupported } from './bedrock-errors.ts';
import type { ConverseOutputConfig, ConverseRequest, ConverseTool, ConverseToolChoice } from './converse-request.ts';
import { toConverseConversation } from './to-converse-messages.ts';

/**
 * The request for Converse and ConverseStream. Without an output limit of the client, the model's own applies.
 * @param model its id at Bedrock
 * @throws GatewayError `invalid_value` or `missing_field` for what Converse does not support; `param` names the client's field
 */
export function toConverseRequest(request: ChatRequest, model: string): ConverseRequest {
  const { choiceCount, maxOutputTokens, temperature, topP, stop } = request;
  if (choiceCount > 1) throw unsupported('n', 'it returns one choice');
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

/** Bookkeeping at other providers, or read by the gateway: these do not change a response. */
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

/** Values that equal the default. */
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

/** Fields that only some models support. The id of each model contains its family's name. */
interface Family {
  readonly name: string;
  /** The fields for a level of `reasoning_effort`; undefined for a level without an equivalent. */
  readonly reasoning?: (effort: string, request: ChatRequest, model: string) => object | undefined;
  /** Fields of other APIs that the model supports; undefined for an unsupported value. */
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
 * The fields of `ChatRequest.extra` as settings of Converse or of the model.
 * @param model its id at Bedrock
 * @throws GatewayError `invalid_value` for a field without an equivalent; `param` names the client's field
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
  if (!isObject(schema)) throw unsupported('response_format', 'JSON output needs a schema');
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
  if (fields === undefined) throw unsupported('reasoning_effort', 'this model does not support this level');
  return fields;
}

/** The rules of Anthropic's API apply to its models here too. */
function toClaudeThinking(effort: string, request: ChatRequest, model: string): object {
  const { messages, maxOutputTokens = DEFAULT_MAX_TOKENS } = request;
  const last = messages.at(-1);
  const result = { type: 'tool_result', tool_use_id: last?.toolCallId ?? '' } as const;
  return toAnthropicThinking(effort, {
    // The prefix may hold numbers that are not versions.
    model: model.slice(model.indexOf('claude-')),
    maxTokens: maxOutputTokens,
    messages: last?.role === 'tool' ? [{ role: 'user', content: [result] }] : [],
    toolChoice: toAnthropicToolChoice(request),
  });
}

/** Only Claude supports one call at a time, by Anthropic's field, which Converse forwards beside its own `auto`. */
function withoutParallelCalls(request: ChatRequest, family: Family | undefined): object {
  if (request.parallelToolCalls !== false || !request.tools?.length || request.toolChoice === 'none') return {};
  const isAuto = request.toolChoice === undefined || request.toolChoice === 'auto';
  if (family?.name !== 'anthropic.claude-' || !isAuto) {
    throw unsupported('parallel_tool_calls', 'calls cannot be limited to one at a time');
  }
  return { tool_choice: { type: 'auto', disable_parallel_tool_use: true } };
}

/**
 * The tools and the tool choice. Converse has no `none`: without past calls the tools are omitted, which is the same; with
 * past calls it requires the tools.
 * @throws GatewayError `invalid_value` for `none` with past calls
 */
function toConverseTools({ tools = [], toolChoice, messages }: ChatRequest): Pick<ConverseRequest, 'toolConfig'> {
  if (tools.length === 0) return {};
  if (toolChoice === 'none') {
    const hasCalls = messages.some(({ role, toolCalls = [] }) => role === 'tool' || toolCalls.length > 0);
    if (hasCalls) throw unsupported('tool_choice', 'tools cannot be disabled after tool calls');
    return {};
  }
  return {
    toolConfig: {
      tools: tools.map(toTool),
      ...(toolChoice !== undefined && { toolChoice: toChoice(toolChoice) }),
    },
  };
}

/** The API requires a schema, so a tool without parameters gets an empty object's. */
function toTool({ name, description, parameters, strict }: ToolDefinition): ConverseTool {
  return {
    toolSpec: {
      name,
      // Converse rejects an empty description.
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
