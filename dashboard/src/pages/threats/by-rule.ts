import type { Threat } from '../../api/client.ts';
import { ruleName } from '../../components/labels.ts';

/** Findings of one rule. */
export interface RuleGroup {
  readonly rule: string;
  readonly threats: readonly [Threat, ...Threat[]];
  readonly keys: number;
  readonly blocked: number;
  readonly unmarked: number;
  readonly falseAlarms: number;
  readonly highest: number;
}

/** Findings grouped by their rule, the most frequent first; findings are newest first in each. */
export function groupByRule(threats: readonly Threat[]): RuleGroup[] {
  const groups = [...Map.groupBy(threats, ruleName)].map(([rule, all]) => ({
    rule,
    threats: all as [Threat, ...Threat[]],
    keys: new Set(all.map(({ keyId }) => keyId)).size,
    blocked: all.filter(({ action }) => action === 'block').length,
    unmarked: all.filter(({ mark }) => mark === null).length,
    falseAlarms: all.filter(({ mark }) => mark === 'false_positive').length,
    highest: Math.max(...all.map(({ score }) => score)),
  }));
  return groups.sort((a, b) => b.threats.length - a.threats.length || (a.rule < b.rule ? -1 : 1));
}
