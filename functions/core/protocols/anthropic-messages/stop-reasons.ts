import type { FinishReason } from '../../model/chat.ts';

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
]);

/** Why the answer ended; a reason that is not known yet counts as an ordinary end. */
export function fromAnthropicStopReason(reason: string | null | undefined): FinishReason {
  return FINISH_REASONS.get(reason ?? '') ?? 'stop';
}

const STOP_REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

/** Anthropic's word for why an answer ended. */
export function toAnthropicStopReason(reason: FinishReason): string {
  return STOP_REASONS[reason];
}
