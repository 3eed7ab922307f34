import type { PolicyVersionView } from '../../api/client.ts';
import { parseObject } from '../../components/field-form.ts';

/** A policy as JSON; the server validates it. */
export type Settings = Readonly<Record<string, unknown>>;

export const DIRECTIONS = ['input', 'output'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** The fields of a custom rule that the editor shows; it keeps unknown fields. */
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

/** The settings with a member set at a path; undefined removes it and then-empty objects. */
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

/** The non-empty lines; undefined if there are none. */
export function toLines(text: string): string[] | undefined {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.length === 0 ? undefined : lines;
}

/** Index of the rule in a parameter's name: `rules[2].pattern` is 2. */
export function faultyRule(param: string | undefined): number | undefined {
  const at = /^rules\[(\d+)\]/.exec(param ?? '')?.[1];
  return at === undefined ? undefined : Number(at);
}

/** Index of the rule for tools in a parameter's name: `tools.rules[2].args["to"]` is 2. */
export function faultyToolRule(param: string | undefined): number | undefined {
  const at = /^tools\.rules\[(\d+)\]/.exec(param ?? '')?.[1];
  return at === undefined ? undefined : Number(at);
}

const TEST_NAMES = { match: 'must match', noMatch: 'must not match' } as const;

/** The rule and test text that a parameter's name refers to by index, in the names of the editor. */
export function faultPlace(settings: Settings, param: string | undefined): string | undefined {
  const ofTools = faultyToolRule(param);
  if (ofTools !== undefined) {
    const rules = settingAt(settings, ['tools', 'rules']) as readonly { readonly id: string }[] | undefined;
    return `rule for tools '${rules?.[ofTools]?.id ?? ''}'`;
  }
  const at = faultyRule(param);
  const rule = at === undefined ? undefined : rulesOf(settings)[at];
  if (rule === undefined) return undefined;
  const [, kind, line] = /\.tests\.(match|noMatch)\[(\d+)\]$/.exec(param ?? '') ?? [];
  const test = kind as keyof typeof TEST_NAMES | undefined;
  const text = test && rule.tests?.[test]?.[Number(line)];
  return `rule '${rule.id}'${test === undefined || text === undefined ? '' : `, ${TEST_NAMES[test]} '${text}'`}`;
}

function asSettings(value: unknown): Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : {};
}

/** A policy's settings, without the fields that the API adds, and without a roll-out. */
export function settingsOf({
  object: _o,
  version: _v,
  createdAt: _a,
  createdBy: _b,
  rollout: _r,
  ...settings
}: PolicyVersionView): Settings {
  return settings;
}

/** The same as JSON. */
export function textOf(version: PolicyVersionView): string {
  return writeSettings(settingsOf(version));
}
