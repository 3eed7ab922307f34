/** Writes the tables of docs/settings.md from the settings' entries: npm run generate settings. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Setting, StageSetting } from '../functions/adapters/env.ts';
import { LOCAL_SETTINGS } from '../lib/local/local-env.ts';
import { FUNCTION_SETTINGS } from '../lib/settings/function-settings.ts';
import { SETTINGS_BY_PATH } from '../lib/settings/settings.ts';

const PAGE = new URL('../docs/settings.md', import.meta.url);

/** The page with its tables as they must be now. */
export function settingsPage(page: string): string {
  const tables = { 'on one machine': localTable(), 'in a deployment': stageTable() };
  return Object.entries(tables).reduce((text, [name, table]) => {
    const [begin, end] = [`<!-- generated: ${name} -->\n`, '\n<!-- end -->'];
    const from = text.indexOf(begin) + begin.length;
    const to = text.indexOf(end, from);
    if (from < begin.length || to < 0) throw new Error(`docs/settings.md has no place for the table '${name}'`);
    return `${text.slice(0, from)}\n${table}\n${text.slice(to)}`;
  }, page);
}

function localTable(): string {
  const settings = [LOCAL_SETTINGS, ...Object.values(FUNCTION_SETTINGS)].flatMap((table) =>
    Object.values<Setting>(table).filter(({ local }) => local !== false),
  );
  const rows = new Map(
    settings.map((setting) => [setting.variable, [`\`${setting.variable}\``, defaultOf(setting), setting.description]]),
  );
  return toTable(['Variable', 'Default', 'Meaning'], [...rows.values()]);
}

function stageTable(): string {
  const rows = [...SETTINGS_BY_PATH].map(([path, setting]) => [
    `\`${path}\``,
    setting.isRequired && setting.default === undefined ? 'needed' : defaultOf(setting),
    `\`${JSON.stringify(setting.example)}\``,
    setting.description,
    variableOf(setting),
  ]);
  return toTable(['Setting', 'Default', 'Example', 'Meaning', 'Variable of'], rows);
}

function defaultOf({ default: value, unit }: StageSetting): string {
  if (typeof value === 'number') return unit === undefined ? String(value) : `${value} ${unit}`;
  return value ?? 'none';
}

/** The variable with the functions that read it; empty for what the stacks alone use. */
function variableOf(setting: StageSetting): string {
  const functions = Object.entries(FUNCTION_SETTINGS).filter(([, table]) =>
    Object.values<StageSetting>(table).includes(setting),
  );
  if (functions.length === 0) return '';
  return `\`${(setting as Setting).variable}\`: ${functions.map(([name]) => name).join(', ')}`;
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

if (import.meta.main) writeFileSync(PAGE, settingsPage(readFileSync(PAGE, 'utf8')));
