/**
 * For each message, how often the assistant has answered since: 0 for the last turn, which nobody has judged before. `roles`
 * are those of all messages in order. An assistant message at the very end belongs to the last turn: it opens the answer.
 */
export function turnsAgo(roles: readonly string[]): number[] {
  const ages: number[] = [];
  let age = 0;
  let later: string | undefined;
  for (let at = roles.length - 1; at >= 0; at--) {
    const role = roles[at] as string;
    if (role === 'assistant' && later !== undefined && later !== 'assistant') age += 1;
    ages[at] = age;
    later = role;
  }
  return ages;
}
