import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { table } from './table.ts';

/** A figure, and what it is to be at most or at least. */
export interface Goal {
  readonly name: string;
  readonly measured: number;
  readonly limit: number;
  readonly isLeast?: boolean;
  readonly unit?: string;
  /** Where a worst figure was measured. */
  readonly at?: string;
}

interface Run {
  readonly date: string;
  /** Load average of the machine as the bench began, where that was recorded. */
  readonly load?: number;
  readonly goals: readonly Goal[];
}

const BENCH = path.resolve(import.meta.dirname, '..');
const RECORDED = path.join(BENCH, 'goals.json');
const RESULTS = path.join(BENCH, 'results.md');
/** The benches that have goals, with their pages, in the order of the table. */
const PAGES = {
  load: 'results.md',
  'many-streams': 'many-streams.md',
  'first-request': 'first-request.md',
  detection: 'detection.md#time',
  'cold-start': 'cold-start.md',
};
/** Up to the next heading. */
const SECTION = /^## Goals\n[\s\S]*?(?=^## )/m;
const LOAD_AT_START = loadavg()[0] ?? 0;

/** Stores what a bench measured for its goals, and shows it in bench/results.md. */
export function recordGoals(bench: keyof typeof PAGES, goals: readonly Goal[]): void {
  const date = new Date().toISOString().slice(0, 10);
  const run: Run = { date, load: Number(LOAD_AT_START.toFixed(1)), goals };
  writeFileSync(RECORDED, `${JSON.stringify({ ...recordedGoals(), [bench]: run }, null, 2)}\n`);
  writeFileSync(RESULTS, withGoals(readFileSync(RESULTS, 'utf8')));
}

/** A page with the newest figures in its section "Goals". */
export function withGoals(page: string): string {
  return page.replace(SECTION, () => goalsSection(recordedGoals()));
}

function recordedGoals(): Readonly<Record<string, Run>> {
  return JSON.parse(readFileSync(RECORDED, 'utf8'));
}

/** The table of goals, by bench. */
export function goalsSection(runs: Readonly<Record<string, Run>>): string {
  const known = Object.entries(PAGES).flatMap(([name, page]) => {
    const run = runs[name];
    return run === undefined ? [] : [{ name, page, ...run }];
  });
  const all = known.flatMap(({ goals }) => goals);
  const rows = known.flatMap(({ name, page, goals }) =>
    goals.map((goal) => [goal.name, limitOf(goal), measuredOf(goal), verdictOf(goal), `[${name}](${page})`]),
  );
  const dates = known
    .map(({ name, date, load }) => `${name} ${date}${load === undefined ? '' : ` (${load})`}`)
    .join(', ');
  return `## Goals

${all.filter(isMet).length} of ${all.length} are met. A goal for several loads shows the worst of them. \`npm run bench NAME\` renews the rows of one bench. Dates, and the machine's load average as the bench began: ${dates}.

${table(['Goal', '', 'Measured', '', 'Bench'], rows)}

`;
}

function isMet({ measured, limit, isLeast = false }: Goal): boolean {
  return isLeast ? measured >= limit : measured <= limit;
}

function limitOf({ limit, isLeast = false, unit = '' }: Goal): string {
  return `at ${isLeast ? 'least' : 'most'} ${limit} ${unit}`.trim();
}

function measuredOf({ measured, unit = '', at }: Goal): string {
  return `${shown(measured)} ${unit}`.trim() + (at === undefined ? '' : `, ${at}`);
}

function verdictOf(goal: Goal): string {
  return isMet(goal) ? 'met' : `**not met**: ${shown(goal.measured / goal.limit)} times the limit`;
}

function shown(number: number): string {
  return number.toFixed(Math.abs(number) < 10 ? 2 : 0);
}
