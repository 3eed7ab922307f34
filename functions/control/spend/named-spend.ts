import type { ResponseOf } from '../../contract/index.ts';
import type { ApiKey, BudgetLimit, DeploymentPolicy } from '../../kernel/model/index.ts';
import type { TeamsDocument } from '../../kernel/teams/index.ts';
import type { AggregateReader } from '../analytics/index.ts';
import type { DocumentStore } from '../documents/index.ts';
import type { KeyStore } from '../keys/index.ts';
import { type SpendAsked, spendOf } from './spend-report.ts';

type Spend = ResponseOf<'getSpend'>;

/** Groups with names: one lookup of the store, and readers look at the first ones. */
export const MAX_NAMED = 100;
const TAG = 'tag:';
const HAVE_NAMES: ReadonlySet<SpendAsked['groupBy']> = new Set(['keyId', 'teamId'] as const);

/** Totals, and what has names and budgets. */
export interface NamedSpendDeps {
  readonly aggregates: AggregateReader;
  readonly keys: Pick<KeyStore, 'getMany'>;
  readonly teams: Pick<DocumentStore<TeamsDocument>, 'current'>;
  readonly policies: Pick<DocumentStore<DeploymentPolicy>, 'current'>;
}

/**
 * What a month has cost, with the names and budgets of keys and teams, and the budgets of tags. @param reader the team that the reader is
 * limited to, which does not see budgets that others share
 * @throws StoreUnavailable
 */
export async function namedSpendOf(
  asked: SpendAsked,
  nowMs: number,
  deps: NamedSpendDeps,
  reader: { readonly teamId?: string | undefined } = {},
): Promise<Spend> {
  const { groupBy } = asked;
  const named = new Map<string, Named>();
  const budgetsOf = async (groups: readonly string[]) => {
    for (const one of await namedGroups(groupBy, groups, deps)) named.set(one.id, one);
    if (named.size > 0)
      return new Map([...named].flatMap(([id, { budget }]) => (budget ? [[id, budget] as const] : [])));
    // Requests name tags, and the budgets of a tag are shared with other teams.
    return groupBy?.startsWith(TAG) && reader.teamId === undefined
      ? tagBudgets(groupBy.slice(TAG.length), deps)
      : new Map();
  };
  const report = await spendOf(asked, { aggregates: deps.aggregates, nowMs, budgetsOf });
  return HAVE_NAMES.has(groupBy) ? withNames(report, named) : report;
}

/** A key or a team. */
type Named = Pick<ApiKey, 'id' | 'name' | 'budget'>;

/** The keys of the first groups, or all teams. */
async function namedGroups(
  groupBy: SpendAsked['groupBy'],
  groups: readonly string[],
  { keys, teams }: NamedSpendDeps,
): Promise<readonly Named[]> {
  if (groupBy === 'teamId') return (await teams.current()).settings.teams;
  return groupBy === 'keyId' ? (await keys.getMany(groups.slice(0, MAX_NAMED))).map(({ key }) => key) : [];
}

function withNames({ groups = [], ...spend }: Spend, named: ReadonlyMap<string, Named>): Spend {
  const labelled = groups.map((row) => ({ ...row, label: named.get(row.group ?? '')?.name ?? null }));
  return { ...spend, groups: labelled };
}

/** The shared budgets of a tag, by its values. */
async function tagBudgets(name: string, { policies }: NamedSpendDeps): Promise<ReadonlyMap<string, BudgetLimit>> {
  const { tagBudgets: budgets = [] } = (await policies.current()).settings;
  return new Map(budgets.flatMap(({ tag, value, ...budget }) => (tag === name ? [[value, budget] as const] : [])));
}
