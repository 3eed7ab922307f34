import { describe, expect, it } from '@jest/globals';
import { forecastOf } from './budget-forecast.ts';

const START = Date.parse('2026-11-01T00:00:00Z');
const CREATED = '2026-01-01T00:00:00.000Z';
const DAY = 86_400_000;
const budget = (usd: number, used: number) => ({
  usd,
  remainingUsd: usd - used,
  startAt: new Date(START).toISOString(),
  resetAt: new Date(START + 30 * DAY).toISOString(),
});

describe('the forecast of a budget', () => {
  it('extends the average rate of the period', () => {
    expect(forecastOf(budget(100, 20), START + 10 * DAY, CREATED)).toEqual({
      text: 'Forecast at this rate: $60.0000.',
      isOver: false,
    });
  });

  it('says when a budget would be used up', () => {
    const { text, isOver } = forecastOf(budget(100, 80), START + 10 * DAY, CREATED);
    expect([text, isOver]).toEqual(['Forecast at this rate: $240.0000. The budget would be used up in 2 days.', true]);
  });

  it('has no forecast without spending, early in the period, and after the budget is used up', () => {
    expect(forecastOf(budget(100, 0), START + 10 * DAY, CREATED).text).toBe('No spending in this period.');
    expect(forecastOf(budget(100, 5), START + DAY, CREATED).text).toBe('Too early for a forecast.');
    expect(forecastOf(budget(100, 100), START + 10 * DAY, CREATED)).toEqual({
      text: 'Used up: requests are refused until then.',
      isOver: true,
    });
  });

  it('counts from the creation of a key in this period', () => {
    const created = new Date(START + 10 * DAY).toISOString();
    expect(forecastOf(budget(100, 20), START + 11 * DAY, created).text).toBe('Too early for a forecast.');
    expect(forecastOf(budget(1_000, 20), START + 20 * DAY, created).text).toBe('Forecast at this rate: $40.0000.');
  });
});
