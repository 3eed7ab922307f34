import { expect } from '@jest/globals';
import fc from 'fast-check';
import { cutAt } from '../../kernel/json/cut-at.fixture.ts';
import type { Piece, TextSlot } from '../../kernel/model/index.ts';
import { ALL_RULES } from '../detectors/index.ts';
import { Inspector } from '../inspector/index.ts';
import type { Finding, Rule } from '../matching/index.ts';
import { Policy, Redaction } from '../policy/index.ts';
import { OutputGuard } from './output-guard.ts';
import type { OutputFinding } from './response-channel.ts';

const SHARED = {
  category: 'test',
  severity: 'low',
  score: 0.9,
  message: 'A test.',
  owasp: 'LLM02:2025',
  atlas: null,
  surfaces: ['user', 'output'],
} as const;
const RULES: readonly Rule[] = [
  { ...SHARED, id: 'test/key', type: 'secret', category: 'key', view: 'exact', patterns: ['key_[a-z0-9]+'] },
  { ...SHARED, id: 'test/number', type: 'pii', category: 'number', view: 'exact', patterns: ['\\d+(?:-\\d+)*'] },
  { ...SHARED, id: 'test/pair', type: 'pii', category: 'pair', view: 'exact', patterns: ['\\d+-\\d+ evil'] },
  { ...SHARED, id: 'test/evil', type: 'data_exfiltration', view: 'folded', patterns: ['evil(?: deeds?)?', '7-7'] },
  { ...SHARED, id: 'test/rude', type: 'toxicity', view: 'folded', patterns: ['(?:very )+rude'] },
  { ...SHARED, id: 'test/invisible', type: 'obfuscation', view: 'raw', patterns: [], signal: 'invisible' },
  { ...SHARED, id: 'test/encoded', type: 'obfuscation', view: 'raw', patterns: [], signal: 'encoded' },
];
export const TINY = new Inspector(RULES);
export const ALL = new Inspector(ALL_RULES);
export const ACTING = new Policy({
  output: {
    secret: { action: 'redact', threshold: 0.5 },
    pii: { action: 'redact', threshold: 0.5 },
    data_exfiltration: { action: 'block', threshold: 0.5 },
  },
});
export const NEVER_BLOCKING = new Policy({
  output: { secret: { action: 'redact' }, pii: { action: 'redact' }, data_exfiltration: { action: 'redact' } },
});
export const MONITOR = new Policy({ preset: 'monitor' });

export const CONTENT = 'choices[0].content';
export const OTHER = 'choices[1].content';
export const ARGUMENTS = 'choices[0].tool_calls[0].arguments';

export interface Run {
  readonly channel: string;
  readonly text: string;
  readonly isJson?: true;
  readonly isReadOnly?: true;
}

export function toPiece(runs: readonly Run[], extra: Partial<Piece> = {}): Piece {
  const slots = runs.map((run, at): TextSlot => ({ ...run, path: ['texts', at] }));
  const json = ` {"id": 1.50, "texts": ${JSON.stringify(runs.map(({ text }) => text))}, "logprobs": {"a": "b"}}`;
  return { json, slots, echoes: [], divisible: runs.length === 1, ...extra };
}

interface Outcome {
  /** The released text, by channel. */
  readonly texts: Readonly<Record<string, string>>;
  readonly blocked: OutputFinding | undefined;
  readonly reported: readonly OutputFinding[];
  readonly pieces: readonly Piece[];
}

export function guardAll(
  pieces: readonly Piece[],
  inspector: Inspector,
  policy: Policy,
  redaction = new Redaction('test'),
): Outcome {
  const reported: OutputFinding[] = [];
  const guard = new OutputGuard(inspector, policy, redaction, (found) => reported.push(found));
  const left = [...pieces.flatMap((piece) => guard.push(piece)), ...guard.end()];
  const texts: Record<string, string> = {};
  for (const piece of left) {
    const written = (JSON.parse(piece.json) as { texts: string[] }).texts;
    expect(written).toEqual(piece.slots.map(({ text }) => text));
    for (const { channel, text } of piece.slots) texts[channel] = (texts[channel] ?? '') + text;
  }
  return { texts: withoutEmpty(texts), blocked: guard.blocked, reported, pieces: left };
}

export const withoutEmpty = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));

/** Splits the runs further and puts neighbours into one piece where `joined` says so. */
export function split(runs: readonly Run[], cuts: readonly (readonly number[])[], joined: readonly boolean[]): Piece[] {
  const small = runs.flatMap(({ channel, text }, at) =>
    cutAt(text, cuts[at % Math.max(1, cuts.length)] ?? []).map((part) => ({ channel, text: part })),
  );
  const groups: Run[][] = [];
  for (const [at, run] of small.entries()) {
    const last = groups[groups.length - 1];
    if (last && joined[at % Math.max(1, joined.length)]) last.push(run);
    else groups.push([run]);
  }
  return groups.map((group) => toPiece(group));
}

export function arbitraryRuns(parts: readonly string[], maxParts: number): fc.Arbitrary<Run[]> {
  const text = fc.array(fc.constantFrom(...parts), { maxLength: maxParts }).map((all) => all.join(''));
  return fc.array(fc.record({ channel: fc.constantFrom(CONTENT, OTHER, ARGUMENTS), text }), { maxLength: 6 });
}
export const cutsOf = fc.array(fc.array(fc.nat(60), { maxLength: 6 }), { minLength: 1, maxLength: 6 });
export const joinedOf = fc.array(fc.boolean(), { minLength: 1, maxLength: 6 });

export const NUMBER: Finding = { rule: RULES[1] as Rule, score: 1, start: 0, end: 1, decodedFrom: [] };
export const original = (n: number) => `+${'0'.repeat(n)}`;

/** A redaction with placeholders for twelve numbers. */
export function twelveNumbers(): Redaction {
  const redaction = new Redaction('test');
  for (let at = 1; at <= 12; at += 1) redaction.hideInput(NUMBER, original(at));
  return redaction;
}

export const PLACEHOLDERS = Array.from({ length: 13 }, (_, at) =>
  new Redaction('test').hideInput(NUMBER, original(at)),
);

/** The text with the numbers 1 to 12 replaced by those of the placeholders. */
export function numbered(text: string): string {
  return text.replace(/NUMBER_([1-9]\d*)/g, (all, number) => PLACEHOLDERS[number]?.slice(1, -1) ?? all);
}

export const TINY_PARTS = [
  'key_',
  'key_ab1',
  'evil',
  'ev\u200bil',
  ' deed',
  's',
  '7',
  '-',
  '7-7',
  '12-3 evil',
  ' ',
  'very ',
  'rude',
  '😀',
  '\ud83d',
  'é',
  '[',
  ']',
  '[NUMBER_',
  '[NUMBER_1]',
  '[NUMBER_1',
  '[NUMBER_10]',
  ' http://a.example/?to=',
  'https:\\\\',
  '<img src="',
  ' srcset=',
  '<base href=//a>',
  '](',
  'url(',
  '/&',
  'sol;',
  '\\2f ',
  '0]',
  '[NUMBER_99]',
  'NUMBER',
  btoa('evil deeds, very rude'),
  '\n',
  '"',
  '\\',
  '%65',
  'key%5F',
  'e&#118;il',
  '&#1',
  '8;',
  '\0',
].map(numbered);

export const content = (text: string): Run => ({ channel: CONTENT, text });
export const pieces = (...texts: string[]) => texts.map((text) => toPiece([content(text)]));
export const left = (outcome: Outcome) => outcome.texts[CONTENT] ?? '';
