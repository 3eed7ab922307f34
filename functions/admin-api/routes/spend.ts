import type * as z from 'zod';
import type { analyticsOperations, ResponseOf } from '../../contract/index.ts';
import { namedSpendOf, toSpendCsv } from '../../control/spend/index.ts';
import type { AuthorizedCaller } from '../access.ts';
import type { AnalyticsDeps } from '../admin-deps.ts';
import { TextResponse } from '../operation-routes.ts';
import { checkTags } from './query.ts';

type Query = z.output<(typeof analyticsOperations.getSpend)['query']>;
type Spend = ResponseOf<'getSpend'>;

/** What a month has cost, with the names and budgets of keys and teams, and the budgets of tags. */
export async function getSpend(
  { format, tag = [], ...query }: Query,
  caller: AuthorizedCaller,
  deps: AnalyticsDeps,
): Promise<Spend | TextResponse> {
  checkTags({ tag, groupBy: query.groupBy });
  const spend = await namedSpendOf({ ...query, tag: tag[0] }, deps.clock.now(), deps, caller);
  if (format === 'json') return spend;
  const name = `spend-${spend.month}.csv`;
  return new TextResponse(toSpendCsv(spend), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
  });
}
