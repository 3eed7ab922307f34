import type { Rule } from '../matching/index.ts';
import data from './published-examples.json' with { type: 'json' };

interface ExampleSet {
  readonly rule: string;
  readonly values?: readonly string[];
  readonly forms?: readonly string[];
}

const SEPARATOR = '[ -]?';
const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;
const PATTERNS: ReadonlyMap<string, string> = new Map(
  data.sets.map((set: ExampleSet) => [set.rule, [...(set.values ?? []).map(spaced), ...(set.forms ?? [])].join('|')]),
);

/** The rule without findings for values that documentation publishes; `published-examples.json` lists them. */
export function ignorePublishedExamples(rule: Rule): Rule {
  const pattern = PATTERNS.get(rule.id);
  if (pattern === undefined) return rule;
  const whole = `(?<![\\p{L}\\d])(?:${pattern})(?![\\p{L}\\d])`;
  const published = new RegExp(whole, 'iu');
  return {
    ...rule,
    check: (match, context) =>
      published.test(match) ? undefined : rule.check === undefined ? rule.score : rule.check(match, context),
    documented: new RegExp(whole, 'giu'),
  };
}

/** The value with optional spaces or hyphens between the characters of a number. */
function spaced(value: string): string {
  const isNumber = /^[A-Z0-9]+$/.test(value);
  return [...value].map((character) => character.replace(SPECIAL, '\\$&')).join(isNumber ? SEPARATOR : '');
}
