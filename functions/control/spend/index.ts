/** What a calendar month has cost, by team, tag, key, model or provider. */
export { toSpendCsv } from './spend-csv.ts';
export { type SpendAsked, spendOf } from './spend-report.ts';
