import type { Finding } from './finding.ts';

/** Orders findings by start, end, rule and encoding. */
export function compareFindings(a: Finding, b: Finding): number {
  return a.start - b.start || a.end - b.end || compareText(findingKey(a), findingKey(b));
}

/** Two findings with the same key say the same. */
export function findingKey(finding: Finding): string {
  return `${finding.rule.id} ${finding.start} ${finding.end} ${finding.decodedFrom.join(' ')}`;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
