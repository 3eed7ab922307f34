import type { ModerationResult } from '../../moderation/moderation-result.ts';
import type { ModerationReport } from '../../moderation/requested-moderation.ts';

/** `moderation` as chat completions tell it: a list of one result for the request, and one for all of the answer. */
export function chatModeration({ model, input, output }: ModerationReport): object {
  const side = (result: ModerationResult) => ({
    type: 'moderation_results',
    model,
    results: [{ type: 'moderation_result', model, ...result }],
  });
  return { input: side(input), output: side(output) };
}
