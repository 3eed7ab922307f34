import { expect, it } from '@jest/globals';
import { DEMO_KEYS, DEMO_TEAMS, demoDay } from './demo-traffic.ts';

const DAY_MS = 86_400_000;

it('a day is the same for a seed, in order, within the last 25 hours, and of known keys', () => {
  const day = demoDay(1);
  expect(demoDay(1)).toEqual(day);
  expect(demoDay(2)).not.toEqual(day);
  const ages = day.map(({ agoMs }) => agoMs);
  expect(ages).toEqual(ages.toSorted((one, other) => other - one));
  expect([Math.min(...ages) > 0, Math.max(...ages) <= DAY_MS + 60_000]).toEqual([true, true]);
  expect(new Set(day.map(({ key }) => key))).toEqual(new Set(DEMO_KEYS.map(({ name }) => name)));
  expect(new Set(DEMO_KEYS.map(({ team }) => team))).toEqual(new Set(DEMO_TEAMS.map(({ name }) => name)));
});
