import type { Rule } from '../matching/index.ts';
import data from './published-examples.json' with { type: 'json' };

interface ExampleSet {
  readonly rule: string;
  readonly values?: readonly string[];
  readonly forms?: readonly string[];
}

type FindExamples = NonNullable<Rule['documented']>;

const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;
const GROUP = /[\p{L}\d]+/gu;
const SEPARATORS = ' -';
const FINDERS: ReadonlyMap<string, FindExamples> = new Map(data.sets.map((set) => [set.rule, finderOf(set)]));

/** The rule without findings for values that documentation publishes; `published-examples.json` lists them. */
export function ignorePublishedExamples(rule: Rule): Rule {
  const documented = FINDERS.get(rule.id);
  if (documented === undefined) return rule;
  return {
    ...rule,
    check: (match, context) => {
      const score = rule.check === undefined ? rule.score : rule.check(match, context);
      return score === undefined || documented(match).length > 0 ? undefined : score;
    },
    documented,
  };
}

/** Finds the matches of a global pattern. */
export function matchesOf(pattern: RegExp): FindExamples {
  return (text) =>
    Array.from(text.matchAll(pattern), ({ 0: match, index }) => ({ start: index, end: index + match.length }));
}

function finderOf({ values = [], forms = [] }: ExampleSet): FindExamples {
  if (values.every(isNumber) && forms.length === 0) return numbersIn(values);
  const pattern = [...values.map((value) => value.replace(SPECIAL, '\\$&')), ...forms].join('|');
  return matchesOf(new RegExp(`(?<![\\p{L}\\d])(?:${pattern})(?![\\p{L}\\d])`, 'giu'));
}

function isNumber(value: string): boolean {
  return /^[A-Z0-9]+$/.test(value);
}

/** Finds numbers in any grouping, with a space or hyphen between groups. As one pattern they would take up to half a second to compile. */
function numbersIn(values: readonly string[]): FindExamples {
  const whole = new Set(values);
  let starts: ReadonlySet<string> | undefined;
  /** The number of the group with which a value ends that starts with group `first`. */
  const lastGroup = (text: string, groups: readonly RegExpExecArray[], first: number): number | undefined => {
    let number = '';
    for (let at = first; at < groups.length; at++) {
      const { 0: group, index } = groups[at] as RegExpExecArray;
      number += group.toUpperCase();
      if (whole.has(number)) return at;
      const end = index + group.length;
      const goesOn = groups[at + 1]?.index === end + 1 && SEPARATORS.includes(text[end] as string);
      if (!goesOn || !starts?.has(number)) return undefined;
    }
    return undefined;
  };
  return (text) => {
    starts ??= new Set(values.flatMap((value) => Array.from(value, (_, at) => value.slice(0, at + 1))));
    const groups = Array.from(text.matchAll(GROUP));
    const found: { start: number; end: number }[] = [];
    for (let first = 0; first < groups.length; first++) {
      const last = lastGroup(text, groups, first);
      if (last === undefined) continue;
      const { 0: group, index } = groups[last] as RegExpExecArray;
      found.push({ start: groups[first]?.index as number, end: index + group.length });
      first = last;
    }
    return found;
  };
}
