import type { PolicyVersionView } from '../../api/client.ts';
import { parseObject } from '../keys/key-form.ts';

/** A policy as JSON has it; what it may hold is the server's to say. */
export type Settings = Readonly<Record<string, unknown>>;

export const DIRECTIONS = ['input', 'output'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** What the editor shows of a custom rule; fields that it does not know are kept. */
export interface CustomRule {
  readonly id: string;
  readonly pattern?: string;
  readonly literals?: readonly string[];
  readonly ignoreCase?: boolean;
  readonly wholeWord?: boolean;
  readonly action: string;
  readonly surfaces?: readonly string[];
  readonly tests?: { readonly match?: readonly string[]; readonly noMatch?: readonly string[] };
}

export const NEW_RULE: CustomRule = { id: '', literals: [], ignoreCase: true, action: 'block' };

export function readSettings(text: string): Settings | undefined {
  return parseObject(text);
}

export function writeSettings(settings: Settings): string {
  return JSON.stringify(settings, null, 2);
}

/** The settings with a member at a path set; undefined takes it out, and objects that are empty then with it. */
export function withSetting(settings: Settings, path: readonly string[], value: unknown): Settings {
  const [name, ...rest] = path as [string, ...string[]];
  const inner = rest.length === 0 ? value : withSetting(asSettings(settings[name]), rest, value);
  const isGone = inner === undefined || (rest.length > 0 && Object.keys(inner as Settings).length === 0);
  if (!isGone) return { ...settings, [name]: inner };
  const { [name]: _gone, ...others } = settings;
  return others;
}

export function settingAt(settings: Settings, path: readonly string[]): unknown {
  return path.reduce<unknown>((here, name) => asSettings(here)[name], settings);
}

export function rulesOf(settings: Settings): readonly CustomRule[] {
  return Array.isArray(settings.rules) ? (settings.rules as CustomRule[]) : [];
}

/** Lines that are not empty, as a list; undefined where there are none. */
export function toLines(text: string): string[] | undefined {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.length === 0 ? undefined : lines;
}

/** Which rule the server found wrong: `rules[2].pattern` is 2. */
export function faultyRule(param: string | undefined): number | undefined {
  const at = /^rules\[(\d+)\]/.exec(param ?? '')?.[1];
  return at === undefined ? undefined : Number(at);
}

function asSettings(value: unknown): Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : {};
}

/** A policy's own fields as JSON, without what the API says about it. */
export function textOf({
  object: _o,
  version: _v,
  createdAt: _a,
  createdBy: _b,
  ...settings
}: PolicyVersionView): string {
  return writeSettings(settings);
}
