import type { Allowed, CustomRule, Place, Surface, ThreatType } from '../../kernel/model/index.ts';
import type { Rule } from '../matching/index.ts';
import { TextView, type View } from '../views/index.ts';

/** Default places of a ban: a rule that matches the operator's text would match in every request. */
const UNTRUSTED: readonly Place[] = ['input', 'output'];
const EVERYWHERE: readonly Place[] = ['input', 'system', 'output'];

/** OWASP Top 10 for LLM applications 2025 and MITRE ATLAS by type, for rules that only name a type. */
const STANDARDS: Readonly<Record<ThreatType, Pick<Rule, 'owasp' | 'atlas'>>> = {
  prompt_injection: { owasp: 'LLM01:2025', atlas: 'AML.T0051.000' },
  indirect_injection: { owasp: 'LLM01:2025', atlas: 'AML.T0051.001' },
  jailbreak: { owasp: 'LLM01:2025', atlas: 'AML.T0054' },
  system_prompt_leak: { owasp: 'LLM07:2025', atlas: 'AML.T0056' },
  malicious_url: { owasp: 'LLM05:2025', atlas: null },
  data_exfiltration: { owasp: 'LLM05:2025', atlas: 'AML.T0057' },
  code_injection: { owasp: 'LLM05:2025', atlas: null },
  obfuscation: { owasp: 'LLM01:2025', atlas: 'AML.T0051' },
  denial_of_wallet: { owasp: 'LLM10:2025', atlas: 'AML.T0034' },
  tool_misuse: { owasp: 'LLM06:2025', atlas: 'AML.T0053' },
  pii: { owasp: 'LLM02:2025', atlas: null },
  secret: { owasp: 'LLM02:2025', atlas: null },
  toxicity: { owasp: 'LLM09:2025', atlas: null },
};

/** Converts a custom rule to an engine rule. The score is 1, since the policy's owner defines what counts. */
export function toRule(custom: CustomRule): Rule {
  const { id, type = 'secret', category = 'custom', action, severity = 'medium' } = custom;
  return {
    id: `custom/${id}`,
    type,
    category,
    severity,
    score: 1,
    ...patternsOf(custom),
    surfaces: surfacesOf(custom.surfaces),
    message: custom.message ?? `The custom rule ${id} matched.`,
    ...STANDARDS[type],
    forcedAction: action,
  };
}

/** The rule that matches an allow list entry; undefined if the entry only names rules. */
export function toMatcher(allowed: Allowed, at: number): Rule | undefined {
  const { literal, pattern } = allowed;
  if (literal === undefined && pattern === undefined) return undefined;
  const source = { ...allowed, ...(literal !== undefined && { literals: [literal] }) };
  return { ...internalRule(`allow/${at}`), ...patternsOf(source), surfaces: allowedSurfaces(allowed) };
}

export function allowedSurfaces({ surfaces }: Allowed): Surface[] {
  return surfacesOf(surfaces ?? EVERYWHERE);
}

/** The required fields of an internal rule whose matches are not reported. */
export function internalRule(id: string) {
  const seen = { type: 'toxicity', category: 'custom', severity: 'low', score: 1, message: '' } as const;
  return { id, ...seen, ...STANDARDS.toxicity };
}

export function surfacesOf(places: readonly Place[] = UNTRUSTED): Surface[] {
  return [...new Set(places.flatMap((place): Surface[] => (place === 'input' ? ['user', 'tool'] : [place])))];
}

/** Literals without case match in the view that undoes disguises. Patterns match in the exact view: they may name letters by range. */
function patternsOf({ pattern, literals = [], ignoreCase = false, wholeWord = false }: Partial<CustomRule>) {
  if (pattern !== undefined) return { view: 'exact', patterns: [pattern], ignoreCase } as const;
  const view = literalView(ignoreCase);
  return { view, patterns: alternatives(literals.map((literal) => literalPattern(literal, view, wholeWord))) };
}

const WORD_CHARACTER = /\w/;
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
const SPACES = /\s+/;
const BOUNDARY = '\\b';
/** Replaces `*` at the end of a keyword. */
const ANY_ENDING = '\\w{0,20}';

/** The pattern of a literal in a view; a space matches any white space. Empty if nothing of the literal is visible. */
export function literalPattern(literal: string, view: View, wholeWord = false): string {
  const words = wordsOf(literal, view);
  const pattern = words.map((word) => word.replace(PUNCTUATION, '\\$&')).join('\\s+');
  return wholeWord ? bounded(pattern, words.join(' ')) : pattern;
}

/** The pattern of a keyword in folded text: a whole word or phrase, or a prefix if it ends with `*`. */
export function keywordPattern(keyword: string): string {
  if (!keyword.endsWith('*')) return literalPattern(keyword, 'folded', true);
  const stem = literalPattern(keyword.slice(0, -1), 'folded');
  return stem === '' ? '' : `${startsWord(stem) ? BOUNDARY : ''}${stem}${ANY_ENDING}${BOUNDARY}`;
}

/** The same alternatives; those that start with a word share one boundary, so that the engine can share prefixes. */
export function alternatives(patterns: readonly string[]): string[] {
  const words = patterns.filter((pattern) => pattern.startsWith(BOUNDARY));
  if (words.length < 2) return [...patterns];
  const others = patterns.filter((pattern) => !pattern.startsWith(BOUNDARY));
  return [`${BOUNDARY}(?:${words.map((word) => word.slice(BOUNDARY.length)).join('|')})`, ...others];
}

/** A text in the form that keywords are compared in: folded, with single spaces. */
export function foldWords(text: string): string {
  return wordsOf(text, 'folded').join(' ');
}

/** The view in which a literal is matched. */
export function literalView(ignoreCase: boolean): View {
  return ignoreCase ? 'folded' : 'exact';
}

function wordsOf(text: string, view: View): string[] {
  const reader = new TextView(view);
  const shown = reader.push(text) + reader.end();
  return shown.split(SPACES).filter((word) => word !== '');
}

function bounded(pattern: string, shown: string): string {
  const ends = WORD_CHARACTER.test(shown.at(-1) ?? '');
  return `${startsWord(shown) ? BOUNDARY : ''}${pattern}${ends ? BOUNDARY : ''}`;
}

/** To the engine, letters beyond ASCII are not word characters: between two of them it has no boundary. */
function startsWord(shown: string): boolean {
  return WORD_CHARACTER.test(shown.at(0) ?? '');
}
