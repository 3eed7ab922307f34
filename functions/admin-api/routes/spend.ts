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

/** What a month has cost, with the names and budgets of keys, and the budgets of tags. */
export async function getSpend(
  { format, tag = [], ...query }: Query,
  { teamId }: AuthorizedCaller,
  deps: AnalyticsDeps,
): Promise<Spend | TextResponse> {
  checkTags({ tag, groupBy: query.groupBy });
  const asked: SpendAsked = { ...query, tag: tag[0] };
  const keys = new Map<string, ApiKey>();
  const budgetsOf = async (groups: readonly string[]) => {
    if (query.groupBy === 'keyId') {
      for (const { key } of await deps.keys.getMany(groups.slice(0, MAX_NAMED))) keys.set(key.id, key);
      return new Map([...keys].flatMap(([id, { budget }]) => (budget ? [[id, budget] as const] : [])));
    }
    // Requests name tags, and the budgets of a tag are shared with other teams.
    return query.groupBy?.startsWith(TAG) && teamId === undefined
      ? tagBudgets(query.groupBy.slice(TAG.length), deps)
      : new Map();
  };
  const report = await spendOf(asked, { aggregates: deps.aggregates, nowMs: deps.clock.now(), budgetsOf });
  const spend = query.groupBy === 'keyId' ? withNames(report, keys) : report;
  if (format === 'json') return spend;
  const name = `spend-${spend.month}.csv`;
  return new TextResponse(toSpendCsv(spend), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
  });
}

function withNames({ groups = [], ...spend }: Spend, keys: ReadonlyMap<string, ApiKey>): Spend {
  const named = groups.map((row) => ({ ...row, label: keys.get(row.group ?? '')?.name ?? null }));
  return { ...spend, groups: named };
}

/** The shared budgets of a tag, by its values. */
async function tagBudgets(name: string, { policies }: AnalyticsDeps): Promise<ReadonlyMap<string, BudgetLimit>> {
  const { tagBudgets: budgets = [] } = (await policies.current()).settings;
  return new Map(budgets.flatMap(({ tag, value, ...budget }) => (tag === name ? [[value, budget] as const] : [])));
}
