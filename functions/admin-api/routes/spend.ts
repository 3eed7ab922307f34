import type * as z from 'zod';
import type { analyticsOperations, ResponseOf } from '../../contract/index.ts';
import { type SpendAsked, spendOf, toSpendCsv } from '../../control/spend/index.ts';
import type { ApiKey, BudgetLimit } from '../../kernel/model/index.ts';
import type { AuthorizedCaller } from '../access.ts';
import type { AnalyticsDeps } from '../admin-deps.ts';
import { TextResponse } from '../operation-routes.ts';
import { checkTags } from './query.ts';

/** Groups with names: one lookup of the store, and readers look at the first ones. */
export const MAX_NAMED = 100;
const TAG = 'tag:';

type Query = z.output<(typeof analyticsOperations.getSpend)['query']>;
type Spend = ResponseOf<'getSpend'>;

/** What a month has cost, with the names and budgets of keys and teams, and the budgets of tags. */
export async function getSpend(
  { format, tag = [], ...query }: Query,
  { teamId }: AuthorizedCaller,
  deps: AnalyticsDeps,
): Promise<Spend | TextResponse> {
  checkTags({ tag, groupBy: query.groupBy });
  const asked: SpendAsked = { ...query, tag: tag[0] };
  const named = new Map<string, Named>();
  const budgetsOf = async (groups: readonly string[]) => {
    for (const one of await namedGroups(query.groupBy, groups, deps)) named.set(one.id, one);
    if (named.size > 0)
      return new Map([...named].flatMap(([id, { budget }]) => (budget ? [[id, budget] as const] : [])));
    // Requests name tags, and the budgets of a tag are shared with other teams.
    return query.groupBy?.startsWith(TAG) && teamId === undefined
      ? tagBudgets(query.groupBy.slice(TAG.length), deps)
      : new Map();
  };
  const report = await spendOf(asked, { aggregates: deps.aggregates, nowMs: deps.clock.now(), budgetsOf });
  const spend = HAVE_NAMES.has(query.groupBy) ? withNames(report, named) : report;
  if (format === 'json') return spend;
  const name = `spend-${spend.month}.csv`;
  return new TextResponse(toSpendCsv(spend), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
  });
}

/** A key or a team. */
type Named = Pick<ApiKey, 'id' | 'name' | 'budget'>;
const HAVE_NAMES: ReadonlySet<Query['groupBy']> = new Set(['keyId', 'teamId'] as const);

/** The keys of the first groups, or all teams. */
async function namedGroups(
  groupBy: Query['groupBy'],
  groups: readonly string[],
  { keys, teams }: AnalyticsDeps,
): Promise<readonly Named[]> {
  if (groupBy === 'teamId') return (await teams.current()).settings.teams;
  return groupBy === 'keyId' ? (await keys.getMany(groups.slice(0, MAX_NAMED))).map(({ key }) => key) : [];
}

function withNames({ groups = [], ...spend }: Spend, named: ReadonlyMap<string, Named>): Spend {
  const labelled = groups.map((row) => ({ ...row, label: named.get(row.group ?? '')?.name ?? null }));
  return { ...spend, groups: labelled };
}

/** The shared budgets of a tag, by its values. */
async function tagBudgets(name: string, { policies }: AnalyticsDeps): Promise<ReadonlyMap<string, BudgetLimit>> {
  const { tagBudgets: budgets = [] } = (await policies.current()).settings;
  return new Map(budgets.flatMap(({ tag, value, ...budget }) => (tag === name ? [[value, budget] as const] : [])));
}
