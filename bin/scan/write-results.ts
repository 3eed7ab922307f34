import { escapeUnseen } from '../../functions/kernel/json/index.ts';
import { THREAT_TYPES } from '../../functions/kernel/model/index.ts';
import { shown } from '../file-errors.ts';
import type { OutputFormat } from './options.ts';
import type { Position } from './read-texts.ts';
import { SarifWriter } from './sarif.ts';
import type { Scanned } from './scanner.ts';

/** Turns results into text, piece by piece. */
export interface ResultWriter {
  start(): string;
  result(scanned: Scanned): string;
  /** `summary`: the lines at the end of a report. */
  end(errors: number, summary: readonly string[]): string;
}

export function createWriter(format: OutputFormat): ResultWriter {
  if (format === 'sarif') return new SarifWriter();
  return { jsonl: JSONL, csv: CSV, report: REPORT }[format];
}

const nothing = () => '';

const JSONL: ResultWriter = {
  start: nothing,
  result: ({ item, threatScore, action, scores, threats, micros }) =>
    `${escapeUnseen(JSON.stringify({ id: item.id, ...placeOf(item.position), threat_score: threatScore, action, scores, detected_threats: threats, micros }))}\n`,
  end: nothing,
};

/** The file, `stdin` for standard input, and the line, if the text has one. */
function placeOf({ file, line }: Position) {
  return { file, ...(line !== undefined && { line }) };
}

const REPORT: ResultWriter = { start: nothing, result: nothing, end: (_, summary) => `${summary.join('\n')}\n` };

const COLUMNS = ['id', 'file', 'line', 'action', 'threat_score', 'types', 'rules', 'examples'] as const;

const CSV: ResultWriter = {
  start: () => csvRow([...COLUMNS, ...THREAT_TYPES]),
  result: ({ item, threatScore, action, scores, threats }) => {
    const { file, line } = item.position;
    const found = threats.filter(({ example }) => !example);
    const examples = threats.filter(({ example }) => example);
    return csvRow([
      typeof item.id === 'string' ? shown(item.id) : item.id,
      shown(file),
      line ?? 1,
      action,
      threatScore,
      distinct(found.map(({ type }) => type)),
      distinct(found.map(({ rule }) => rule)),
      distinct(examples.map(({ rule }) => rule)),
      ...THREAT_TYPES.map((type) => scores[type]),
    ]);
  },
  end: nothing,
};

function distinct(names: readonly string[]): string {
  return [...new Set(names)].join(' ');
}

function csvRow(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** RFC 4180. A text that a spreadsheet would run as a formula starts with an apostrophe (OWASP, CSV injection). */
export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n;\t']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
