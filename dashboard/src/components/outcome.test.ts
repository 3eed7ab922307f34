import { expect, it } from '@jest/globals';
import { outcomesOf } from '../../../functions/control/analytics/totals.ts';
import { ACTIONS, REQUEST_STATES, type RequestRecord } from '../../../functions/kernel/model/index.ts';
import { outcomeOf } from './outcome.ts';

it('is the last that totals count, for each state, action and status: the end rather than the findings', () => {
  for (const state of REQUEST_STATES)
    for (const action of ACTIONS)
      for (const status of [200, 400, 429, 499, 500, 503, null]) {
        const record = { state, action, status } as RequestRecord;
        expect([record, outcomeOf(record)]).toEqual([record, outcomesOf(record).at(-1) ?? 'passed']);
      }
});
