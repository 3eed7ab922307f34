import type { FinishReason } from '../../core/model/chat.ts';

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
