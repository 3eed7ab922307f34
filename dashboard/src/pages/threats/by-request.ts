import type { Threat } from '../../api/client.ts';
import { ACTIONS } from '../../components/labels.ts';

/** The findings of one request, that with the strongest decision first, then by score. */
export interface ThreatGroup {
  readonly requestId: string;
  readonly threats: readonly [Threat, ...Threat[]];
}

/** Findings grouped by request, in the order of the list, in which those of a request are consecutive. */
export function groupByRequest(threats: readonly Threat[]): ThreatGroup[] {
  const groups: { requestId: string; threats: [Threat, ...Threat[]] }[] = [];
  for (const threat of threats) {
    const last = groups.at(-1);
    if (last?.requestId === threat.requestId) last.threats.push(threat);
    else groups.push({ requestId: threat.requestId, threats: [threat] });
  }
  for (const { threats } of groups) threats.sort(byStrength);
  return groups;
}

function byStrength(a: Threat, b: Threat): number {
  return ACTIONS.indexOf(a.action) - ACTIONS.indexOf(b.action) || b.score - a.score;
}
