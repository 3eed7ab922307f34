/** So many findings are recorded and told of; all are counted. */
const MAX_FINDINGS = 20;

/** The strongest findings of a request, those first. */
export function strongest<T extends { readonly score: number }>(findings: readonly T[]): T[] {
  return [...findings].sort((a, b) => b.score - a.score).slice(0, MAX_FINDINGS);
}
