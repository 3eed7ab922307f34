import { GatewayError } from '../../core/base/errors.ts';
import type { AnthropicEffort, AnthropicMessage, AnthropicRequest, AnthropicToolChoice } from './anthropic-request.ts';

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
