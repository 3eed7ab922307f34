import type {
  ChatRequest,
  JsonFormat,
  Meaning,
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
import { takesSchema } from '../anthropic/claude-models.ts';
import {
  DEFAULT_MAX_TOKENS,
  JSON_ONLY,
  jsonIsAsked,
  thinksWith,
  toAnthropicToolChoice,
  toClaudeFields,
  toSampling,
} from '../anthropic/to-anthropic-request.ts';
import { fitsClaude, NO_PARAMETERS, toClaudeSchema, toClaudeTools } from '../anthropic/to-claude-schema.ts';
import { effortOf, isEffort } from '../efforts.ts';
import type { ConverseOutputConfig, ConverseRequest, ConverseTool, ConverseToolChoice } from './converse-request.ts';
import { takesPlainReasoning } from './plain-reasoning.ts';
import { cachePointOf, toConverseConversation } from './to-converse-messages.ts';

/**
 * The request for Converse and ConverseStream. Without an output limit of the client, the model's own applies.
 * @param model its id at Bedrock
 * @throws GatewayError `invalid_value` or `missing_field` for what changes the result and has no equivalent; `param` names the field
 */
export function toConverseRequest(request: ChatRequest, model: string, translation: Translation): ConverseRequest {
  const { choiceCount, maxOutputTokens, stop } = request;
  refuseEssential(request.others, translation);
  const takesReasoning = takesPlainReasoning(model);
  if (!takesReasoning) dropReasoning(request.messages, translation);
  if (choiceCount > 1) throw translation.refused('n', 'it returns one choice');
  const { system, messages } = toConverseConversation(request.messages, translation, {
    cachePoints: takesCachePoints(model),
    reasoning: takesReasoning,
  });
  const fields = toConverseFields(request, model, translation);
  merge(fields as Record<string, unknown>, withoutParallelCalls(request, model, translation));
  const inferenceConfig = {
    ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
    ...toConverseSampling(request, model, thinksWith(fields.additionalModelRequestFields ?? {}), translation),
    ...(stop?.length && { stopSequences: stop }),
  };
  const prompt = jsonIsAsked(request, translation) ? [...system, { text: JSON_ONLY }] : system;
  return {
    messages,
    ...(prompt.length > 0 && { system: prompt }),
    ...(Object.keys(inferenceConfig).length > 0 && { inferenceConfig }),
    ...toConverseTools(request, model, translation),
    ...fields,
  };
}

/** Converse takes 0 to 1 for all models; Claude models have the rules of Anthropic's API. */
function toConverseSampling(request: ChatRequest, model: string, thinks: boolean, translation: Translation) {
  if (isClaude(model)) {
    const { temperature, top_p: topP } = toSampling(request, claudeName(model), thinks, translation);
    return { ...(temperature !== undefined && { temperature }), ...(topP !== undefined && { topP }) };
  }
  const { temperature, topP } = request;
  if (temperature !== undefined && temperature > 1) translation.adjusted('temperature', 'its range is 0 to 1');
  return {
    ...(temperature !== undefined && { temperature: Math.min(temperature, 1) }),
    ...(topP !== undefined && { topP }),
  };
}

/** Fields of the model's maker, which Converse forwards: https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters.html */
const additional = (fields: object): object => ({ additionalModelRequestFields: fields });

/** The id of each model contains its maker and family. */
const isClaude = (model: string) => model.includes('anthropic.claude-');
const isNova = (model: string) => model.includes('amazon.nova-');
const isNova2 = (model: string) => model.includes('amazon.nova-2-');

interface ConverseContext {
  readonly model: string;
}

/** What Converse has for fields of other APIs. Claude models read those of `OF_CLAUDE` by Anthropic's names. */
export const CONVERSE_TARGET: TargetFields<ConverseContext> = {
  reasoning_effort: {
    as: 'Claude: as at Anthropic; Nova 2: `reasoningConfig`; gpt-oss: `reasoning_effort`; GPT: `reasoning.effort`',
    set: (effort, { model }) => (isEffort(effort) ? toReasoning({ effort }, model) : undefined),
    otherwise: 'dropped',
    reason: 'this model has no such level',
  },
  thinking: {
    as: 'Claude: as at Anthropic; Nova 2: `reasoningConfig`; gpt-oss: `reasoning_effort`; GPT: `reasoning.effort`',
    set: (thinking, { model }) => toReasoning(thinking as Thinking, model),
    otherwise: 'dropped',
    reason: 'this model is not known to reason',
  },
  response_format: {
    as: '`outputConfig.textFormat`; JSON without a schema: a sentence in `system`',
    set: (format, { model }) => toOutputConfig(format as JsonFormat, model),
    otherwise: 'refused',
    reason:
      'of Claude, only models from 4.5 on take a schema, and none takes recursion or properties that it does not name',
  },
  top_k: {
    as: 'Claude: as at Anthropic; Nova: `topK`',
    set: (topK, { model }) => (isNova(model) ? additional({ inferenceConfig: { topK } }) : undefined),
    otherwise: 'dropped',
    reason: 'this model has no such control',
  },
  service_tier: {
    as: '`serviceTier` for `default`, `priority`, `flex`',
    set: (tier) => (TIERS.has(tier) ? { serviceTier: { type: tier } } : undefined),
    otherwise: 'dropped',
    reason: 'its tiers have other terms',
  },
  cache_hint: {
    as: 'Claude and Nova: `cachePoint`',
    set: (_, { model }, { path }) => (takesCachePoints(model) && path.endsWith('cache_control') ? {} : undefined),
    otherwise: 'dropped',
    reason: 'this model has no such control',
  },
  seed: { otherwise: 'dropped', reason: 'sampling cannot be seeded' },
  presence_penalty: { otherwise: 'dropped', reason: 'it has no penalties' },
  frequency_penalty: { otherwise: 'dropped', reason: 'it has no penalties' },
  logit_bias: { otherwise: 'dropped' },
  verbosity: { otherwise: 'dropped' },
  end_user: { otherwise: 'dropped' },
  image_detail: { otherwise: 'dropped' },
};
const TIERS: ReadonlySet<unknown> = new Set(['default', 'priority', 'flex']);
const OF_CLAUDE: ReadonlySet<Meaning> = new Set<Meaning>(['reasoning_effort', 'thinking', 'top_k']);

/** https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html */
export function takesCachePoints(model: string): boolean {
  return isClaude(model) || isNova(model);
}

/** Which models of other makers have structured outputs changes; they say so themselves. */
function takesSchemaHere(model: string): boolean {
  return !isClaude(model) || takesSchema(claudeName(model));
}

type OtherSettings = Pick<ConverseRequest, 'additionalModelRequestFields' | 'outputConfig' | 'serviceTier'>;

/** The fields for those without a member in `ChatRequest`: the rules of Anthropic's API apply to its models here too. */
function toConverseFields(request: ChatRequest, model: string, translation: Translation): OtherSettings {
  const { others } = request;
  if (!isClaude(model)) return fieldsFor(others, CONVERSE_TARGET, { model }, translation);
  const isOfClaude = ({ meaning }: OtherField) => OF_CLAUDE.has(meaning);
  const rest = others.filter((field) => !isOfClaude(field));
  const fields = fieldsFor(rest, CONVERSE_TARGET, { model }, translation);
  const claude = toClaudeFields(others.filter(isOfClaude), claudeContext(request, model), translation);
  if (Object.keys(claude).length > 0) merge(fields, additional(claude));
  return fields;
}

function claudeContext(request: ChatRequest, model: string): Parameters<typeof toClaudeFields>[1] {
  const { messages, maxOutputTokens = DEFAULT_MAX_TOKENS } = request;
  const last = messages.at(-1);
  const result = { type: 'tool_result', tool_use_id: last?.toolCallId ?? '' } as const;
  const isSigned = messages.findLast(({ role }) => role === 'assistant')?.signed !== undefined;
  const turn = { role: 'assistant', content: isSigned ? [{ type: 'thinking' } as const] : [] } as const;
  return {
    model: claudeName(model),
    maxTokens: maxOutputTokens,
    messages: last?.role === 'tool' ? [turn, { role: 'user', content: [result] }] : [],
    toolChoice: toAnthropicToolChoice(request),
  };
}

/** The prefix may hold numbers that are not versions. */
function claudeName(model: string): string {
  return model.slice(model.indexOf('claude-'));
}

function toReasoning({ effort, budget, off }: Thinking, model: string): object | undefined {
  if (off) return {};
  const level = effort ?? (budget === undefined ? undefined : budget === 0 ? 'none' : effortOf(budget));
  if (model.includes('openai.gpt-oss')) return level === undefined ? {} : additional({ reasoning_effort: level });
  // GPT refuses the flat member and, from 6 on, `minimal`: https://github.com/stdapi-ai/stdapi.ai/issues/283
  if (model.includes('openai.gpt-')) {
    return level === undefined ? {} : additional({ reasoning: { effort: level === 'minimal' ? 'low' : level } });
  }
  if (!isNova2(model)) return undefined;
  // https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html
  if (level === 'none') return additional({ reasoningConfig: { type: 'disabled' } });
  const known = level === 'minimal' ? 'low' : level === 'xhigh' || level === 'max' ? 'high' : level;
  return additional({ reasoningConfig: { type: 'enabled', maxReasoningEffort: known ?? 'medium' } });
}

/** All models of Converse take the schemas of Claude: https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html */
function toOutputConfig(
  { schema, name, description }: JsonFormat,
  model: string,
): { outputConfig?: ConverseOutputConfig } | undefined {
  if (schema === undefined) return {};
  if (!takesSchemaHere(model) || !fitsClaude(schema)) return undefined;
  return {
    outputConfig: {
      textFormat: {
        type: 'json_schema',
        structure: {
          jsonSchema: {
            schema: JSON.stringify(toClaudeSchema(schema)),
            ...(name && { name }),
            ...(description && { description }),
          },
        },
      },
    },
  };
}

/** Only Claude supports one call at a time, by Anthropic's field, which Converse forwards beside its own `auto`. */
function withoutParallelCalls(request: ChatRequest, model: string, translation: Translation): object {
  if (request.parallelToolCalls !== false || !request.tools?.length || request.toolChoice === 'none') return {};
  const isAuto = request.toolChoice === undefined || request.toolChoice === 'auto';
  if (isClaude(model) && isAuto) {
    return additional({ tool_choice: { type: 'auto', disable_parallel_tool_use: true } });
  }
  translation.dropped('parallel_tool_calls', 'calls cannot be limited to one at a time');
  return {};
}

/**
 * The tools and the tool choice. Converse has no `none`: without past calls the tools are omitted, which is the same; with
 * past calls it requires the tools.
 * @throws GatewayError `invalid_value` for `none` with past calls
 */
function toConverseTools(
  request: ChatRequest,
  model: string,
  translation: Translation,
): Pick<ConverseRequest, 'toolConfig'> {
  const { toolChoice, messages } = request;
  if (!request.tools?.length) return {};
  if (toolChoice === 'none') {
    const hasCalls = messages.some(({ role, toolCalls = [] }) => role === 'tool' || toolCalls.length > 0);
    if (hasCalls) throw translation.refused('tool_choice', 'tools cannot be disabled after tool calls');
    return {};
  }
  const tools = toClaudeTools(request, takesSchemaHere(model), translation);
  return {
    toolConfig: {
      tools: tools.flatMap((tool) => [toTool(tool), ...(takesCachePoints(model) ? cachePointOf(tool) : [])]),
      ...(toolChoice !== undefined && { toolChoice: toChoice(toolChoice) }),
    },
  };
}

function toTool({ name, description, parameters, strict }: ToolDefinition): ConverseTool {
  return {
    toolSpec: {
      name,
      // Converse rejects an empty description.
      ...(description && { description }),
      inputSchema: { json: { type: 'object', ...(parameters ?? NO_PARAMETERS) } },
      ...(strict === true && { strict }),
    },
  };
}

function toChoice(choice: Exclude<ToolChoice, 'none'>): ConverseToolChoice {
  if (typeof choice === 'object') return { tool: { name: choice.name } };
  return choice === 'required' ? { any: {} } : { auto: {} };
}
