import type { ResponseOf } from '../../contract/index.ts';

type Spend = ResponseOf<'getSpend'>;
type Row = Spend | NonNullable<Spend['groups']>[number];
type Cell = string | number | null | undefined;

const COLUMNS: readonly (readonly [name: string, read: (row: Row) => Cell])[] = [
  ['requests', ({ requests }) => requests],
  ['inputTokens', ({ tokens }) => tokens.input],
  ['outputTokens', ({ tokens }) => tokens.output],
  ['costUsd', ({ costUsd }) => costUsd],
  ['unpriced', ({ unpriced }) => unpriced],
  ['partlyPriced', ({ partlyPriced }) => partlyPriced],
  [
    'unknownCharges',
    ({ unknownCharges = {} }) =>
      Object.entries(unknownCharges)
        .map(([charge, count]) => `${charge}=${count}`)
        .join(' '),
  ],
  ['previousUsd', ({ previousUsd }) => previousUsd],
  ['forecastUsd', ({ forecastUsd }) => forecastUsd],
  ['budgetUsd', ({ budget }) => budget?.monthUsd],
];

/** The report as CSV (RFC 4180): a line for each group, or one for all. What is not known is empty, and not zero. */
export function toSpendCsv(spend: Spend): string {
  const { month, timeZone, groups } = spend;
  const named: readonly (readonly [string | null, string | null | undefined, Row])[] = groups?.map(
    (row) => [row.group, row.label, row] as const,
  ) ?? [['all', undefined, spend]];
  const head = ['month', 'timeZone', 'group', 'label', ...COLUMNS.map(([name]) => name)];
  const lines = named.map(([group, label, row]) => [
    month,
    timeZone,
    group,
    label,
    ...COLUMNS.map(([, read]) => read(row)),
  ]);
  return [head, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/** Clients choose values of tags: a cell that a spreadsheet would run as a formula begins with an apostrophe. */
function csvCell(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
