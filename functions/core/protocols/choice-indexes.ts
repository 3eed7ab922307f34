import type { ChatRequest } from '../model/chat.ts';

/** As many choices as OpenAI lets a request ask for: some servers count theirs from another number than 0. */
const MOST_CHOICES = 128;

/** What is wrong with the choices of an answer, for the log: without a bound on their indexes each costs memory and time. */
export function faultOfChoices(
  indexes: readonly number[],
  { choiceCount }: Pick<ChatRequest, 'choiceCount'>,
): string | undefined {
  const most = Math.max(MOST_CHOICES, choiceCount);
  const isChoice = (index: number) => Number.isInteger(index) && index >= 0 && index < most;
  return indexes.every(isChoice) ? undefined : `a choice beyond the ${most} that an answer may have`;
}
