import type { ModerationReport } from '../../moderation/requested-moderation.ts';

/** `moderation` as responses tell it: one result for the request, and one for all of the answer. */
export function responsesModeration({ model, input, output }: ModerationReport): object {
  const type = 'moderation_result';
  return { input: { type, model, ...input }, output: { type, model, ...output } };
}
