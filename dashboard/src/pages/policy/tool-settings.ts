import { type Settings, settingAt } from './policy-settings.ts';

/** The fields of a rule for tools that the editor shows; it keeps others. */
export interface ToolRule {
  readonly id: string;
  readonly tool: string;
  readonly action: string;
  readonly effects?: readonly string[];
  readonly args?: Readonly<Record<string, Condition>>;
  readonly needs?: string;
  readonly after?: { readonly source?: string; readonly tool?: string };
  readonly total?: { readonly arg?: string; readonly max?: number; readonly per?: string };
  readonly tests?: { readonly match?: readonly unknown[]; readonly noMatch?: readonly unknown[] };
}

export interface Condition {
  readonly from?: readonly string[];
  readonly match?: readonly string[];
  readonly max?: number;
  readonly min?: number;
  readonly without?: readonly string[];
  readonly required?: boolean;
  readonly kinds?: readonly string[];
}

export const NEW_TOOL_RULE: ToolRule = { id: '', tool: '', action: 'flag' };

/** What a proposal adds to `tools`. */
export interface ToolAdditions {
  readonly unlisted?: string | undefined;
  readonly effects?: Readonly<Record<string, string>> | undefined;
  readonly rules?: readonly object[] | undefined;
}

/** The settings with additions to `tools`. What they already have is not added again, and no id occurs twice. */
export function withAdditions(settings: Settings, additions: readonly ToolAdditions[]): Settings {
  return { ...settings, tools: additions.reduce(withAddition, asObject(settings.tools)) };
}

function withAddition(tools: Settings, { effects, unlisted, rules = [] }: ToolAdditions): Settings {
  const known = toolRulesOf({ tools });
  const fresh = rules.filter((rule) => !known.some((one) => JSON.stringify(one) === JSON.stringify(rule)));
  return Object.assign(
    { ...tools },
    unlisted !== undefined && { unlisted },
    effects && { effects: { ...effects, ...asObject(tools.effects) } },
    fresh.length > 0 && { rules: fresh.reduce(withRule, known) },
  );
}

function withRule(rules: readonly ToolRule[], rule: object): readonly ToolRule[] {
  const { id } = rule as ToolRule;
  const isTaken = (name: string) => rules.some((one) => one.id === name);
  let name = id;
  for (let number = 2; isTaken(name); number += 1) name = `${id.slice(0, 60)}-${number}`;
  return [...rules, { ...(rule as ToolRule), id: name }];
}

export function toolRulesOf(settings: Settings): readonly ToolRule[] {
  const rules = settingAt(settings, ['tools', 'rules']);
  return Array.isArray(rules) ? (rules as ToolRule[]) : [];
}

/** The member of the settings that has another form than the editor can show without losing a part; undefined if there is none. */
export function unreadableMember(settings: Settings): string | undefined {
  const { tools } = settings;
  if (tools === undefined) return undefined;
  if (!isObject(tools)) return 'tools';
  const map = ['effects', 'sources', 'lists'].find((name) => tools[name] !== undefined && !isObject(tools[name]));
  if (map !== undefined) return `tools.${map}`;
  const { rules = [], lists = {} } = tools;
  const isOdd = (values: unknown) => !isTexts(values) || values.some((value) => value.includes('\n'));
  const list = Object.entries(lists as Settings).find(([, values]) => isOdd(values))?.[0];
  if (list !== undefined) return `tools.lists["${list}"]`;
  if (!Array.isArray(rules)) return 'tools.rules';
  const at = rules.findIndex((rule) => !isReadableRule(rule));
  return at < 0 ? undefined : `tools.rules[${at}]`;
}

function isReadableRule(rule: unknown): boolean {
  if (!isObject(rule)) return false;
  const { args = {}, after = {}, total = {}, tests = {} } = rule;
  if (![args, after, total, tests].every(isObject)) return false;
  const texts = ['id', 'tool', 'action'].every((name) => typeof rule[name] === 'string');
  const effects = rule.effects === undefined || isTexts(rule.effects);
  return effects && texts && Object.values(args as Settings).every(isReadableCondition);
}

function isReadableCondition(condition: unknown): boolean {
  if (!isObject(condition)) return false;
  const lists = ['from', 'match', 'without', 'kinds'].map((name) => condition[name]);
  const numbers = ['min', 'max'].map((name) => condition[name]);
  return (
    (condition.required === undefined || condition.required === true) &&
    lists.every((list) => list === undefined || isTexts(list)) &&
    numbers.every((number) => number === undefined || typeof number === 'number')
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isObject(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: unknown): Settings {
  return isObject(value) ? value : {};
}
