import { type FormField, OPERATIONS } from '../../api/operations.ts';
import { fieldText } from '../../components/field-text.ts';
import { formatUsd, NOTHING } from '../../components/format.ts';
import type { Alert } from './alert-form.ts';

const SHARES: readonly Alert['metric'][] = ['errorRate', 'budgetShare', 'blockedShare', 'flaggedShare'];
const METRIC: FormField = OPERATIONS.createAlert.body.find(({ name }) => name === 'metric') ?? {
  name: 'metric',
  label: 'Metric',
  kind: 'select',
};

/** Such as `Error rate above 5 %, 5 min`. */
export function ruleText({ metric, compare, threshold, minutes }: Alert): string {
  const range = metric === 'budgetShare' ? '' : `, ${minutes} min`;
  return `${fieldText(METRIC, metric)} ${compare} ${valueText(metric, threshold)}${range}`;
}

/** A value in the unit of its metric. */
export function valueText(metric: Alert['metric'], value: number | null): string {
  if (value === null) return NOTHING;
  if (SHARES.includes(metric)) return `${Number((100 * value).toPrecision(3))} %`;
  if (metric === 'latencyP95') return `${Math.round(value)} ms`;
  return metric === 'spendUsd' ? formatUsd(value) : String(value);
}

/** Such as `openai, pii`; teams and keys by their names where they are known. */
export function scopeText({ scope }: Alert, names: ReadonlyMap<string, string>): string {
  const { teamId, keyId, ...rest } = scope;
  const named = [teamId, keyId].flatMap((id) => (id === undefined ? [] : (names.get(id) ?? id)));
  return [...named, ...Object.values(rest)].join(', ') || 'All requests';
}

export function stateText(state: Alert['state']): string {
  return { ok: 'OK', firing: 'Firing', silenced: 'Silenced' }[state];
}
