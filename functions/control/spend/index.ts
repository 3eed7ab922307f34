/** What a calendar month has cost, by team, tag, key, model or provider, and its report once it is over. */
export { NO_REPORT, reportMonth, type SpendReportState } from './monthly-report.ts';
export { MAX_NAMED, namedSpendOf } from './named-spend.ts';
export { toSpendCsv } from './spend-csv.ts';
