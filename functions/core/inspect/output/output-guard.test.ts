import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { byDayOrNight } from '../../../../test/support/night.ts';
import { ALL_RULES, allExamples } from '../../../detectors/index.ts';
import { renderEdits, type TextEdit } from '../../base/edits.ts';
import { GatewayError } from '../../base/errors.ts';
import type { Piece, TextSlot } from '../../model/piece.ts';
import { openAddressReader } from '../addresses/address-reader.ts';
import { cutAt } from '../cut-at.fixture.ts';
import { compareFindings, type Finding, findingKey } from '../finding.ts';
import { Inspector } from '../inspector.ts';
import { Policy } from '../policy.ts';
import { Redaction } from '../redaction.ts';
import type { Rule } from '../rule.ts';
import { originalRanges } from '../views/text-offsets.ts';
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
const TINY = new Inspector(RULES);
const ALL = new Inspector(ALL_RULES);
const ACTING = new Policy({
  output: {
    secret: { action: 'redact', threshold: 0.5 },
    pii: { action: 'redact', threshold: 0.5 },
    data_exfiltration: { action: 'block', threshold: 0.5 },
  },
});
const NEVER_BLOCKING = new Policy({
  output: { secret: { action: 'redact' }, pii: { action: 'redact' }, data_exfiltration: { action: 'redact' } },
});
const MONITOR = new Policy({ preset: 'monitor' });

const CONTENT = 'choices[0].content';
const OTHER = 'choices[1].content';
const ARGUMENTS = 'choices[0].tool_calls[0].arguments';

interface Run {
  readonly channel: string;
  readonly text: string;
  readonly isJson?: true;
  readonly isReadOnly?: true;
}

function toPiece(runs: readonly Run[], extra: Partial<Piece> = {}): Piece {
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

function guardAll(
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

const withoutEmpty = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
const show = (found: readonly OutputFinding[]) =>
  found.map(({ channel, finding }) => `${channel} ${findingKey(finding)}`).sort();

interface Expected {
  readonly texts: Readonly<Record<string, string>>;
  readonly blocked: OutputFinding | undefined;
  /** Findings that start in released text or at its end. */
  readonly findings: readonly OutputFinding[];
}

/** The specification: every channel is inspected as a whole, and all text before the first block is released. */
function expectedOf(runs: readonly Run[], inspector: Inspector, policy: Policy, redaction: Redaction): Expected {
  const whole: Record<string, string> = {};
  for (const { channel, text } of runs) whole[channel] = (whole[channel] ?? '') + text;
  const findings = Object.entries(whole).flatMap(([channel, text]) => {
    const restorations = redaction.restorations(text, 0);
    const asCame = originalRanges(restorations);
    return inspector
      .inspect(rendered(text, text.length, restorations), 'output')
      .map((finding) => ({ ...finding, ...asCame(finding) }))
      .filter(({ rule, start, end }) => {
        const within = restorations.filter((edit) => edit.start >= start && edit.end <= end);
        return !within.some((edit) => rule.type === 'pii' || (edit.start === start && edit.end === end));
      })
      .map((finding) => ({ channel, finding, action: policy.decide(finding, 'output') }));
  });
  const blocks = findings.filter(({ finding }) => policy.decide(finding, 'output') === 'block');
  const left: Record<string, number> = {};
  let blocked: OutputFinding | undefined;
  for (const { channel, text } of runs) {
    const from = left[channel] ?? 0;
    const hits = blocks.filter(
      (block) => block.channel === channel && block.finding.start >= from && block.finding.start < from + text.length,
    );
    blocked = hits.sort((a, b) => compareFindings(a.finding, b.finding))[0];
    left[channel] = blocked ? blocked.finding.start : from + text.length;
    if (blocked) break;
  }
  const texts = Object.entries(left).map(([channel, upTo]) => {
    const text = whole[channel] as string;
    const redacted = findings.filter(
      (found) => found.channel === channel && policy.decide(found.finding, 'output') === 'redact',
    );
    const edits = redacted.map(({ finding: { start, end, rule } }) => ({
      start,
      end,
      text: `[REDACTED_${rule.category.toUpperCase().replace(/[^A-Z]+/g, '_')}]`,
    }));
    return [channel, rendered(text, upTo, [...edits, ...restoredOutsideOfAddresses(text, redaction)])];
  });
  const end = ({ channel }: OutputFinding) => (left[channel] ?? 0) + (channel === blocked?.channel ? 1 : 0);
  return {
    texts: withoutEmpty(Object.fromEntries(texts)),
    blocked,
    findings: findings.filter((found) => found.finding.start < end(found)),
  };
}

/** The edits that restore placeholders outside of addresses, each decided on the whole text before it. */
function restoredOutsideOfAddresses(text: string, redaction: Redaction): TextEdit[] {
  const made: TextEdit[] = [];
  for (const edit of redaction.restorations(text, 0)) {
    const reader = openAddressReader(false);
    reader.read(renderEdits(text.slice(0, edit.start), 0, made));
    if (!reader.isInAddress()) made.push(edit);
  }
  return made;
}

function rendered(text: string, upTo: number, edits: readonly { start: number; end: number; text: string }[]): string {
  let out = '';
  for (let at = 0; at < upTo; ) {
    const here = edits
      .filter(({ start }) => start === at)
      .sort((a, b) => b.end - a.end || (a.text < b.text ? -1 : 1))[0];
    if (!here) {
      out += text[at];
      at += 1;
      continue;
    }
    out += here.text;
    let end = here.end;
    for (let more = true; more; ) {
      const wider = edits.find((edit) => edit.start < end && edit.end > end);
      more = wider !== undefined;
      end = wider?.end ?? end;
    }
    at = end;
  }
  return out;
}

/** Splits the runs further and puts neighbours into one piece where `joined` says so. */
function split(runs: readonly Run[], cuts: readonly (readonly number[])[], joined: readonly boolean[]): Piece[] {
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

const oneByOne = (runs: readonly Run[]) =>
  runs.flatMap(({ channel, text }) => text.split('').map((character) => toPiece([{ channel, text: character }])));

function arbitraryRuns(parts: readonly string[], maxParts: number): fc.Arbitrary<Run[]> {
  const text = fc.array(fc.constantFrom(...parts), { maxLength: maxParts }).map((all) => all.join(''));
  return fc.array(fc.record({ channel: fc.constantFrom(CONTENT, OTHER, ARGUMENTS), text }), { maxLength: 6 });
}
const cutsOf = fc.array(fc.array(fc.nat(60), { maxLength: 6 }), { minLength: 1, maxLength: 6 });
const joinedOf = fc.array(fc.boolean(), { minLength: 1, maxLength: 6 });

const NUMBER: Finding = { rule: RULES[1] as Rule, score: 1, start: 0, end: 1, decodedFrom: [] };
const original = (n: number) => `+${'0'.repeat(n)}`;

/** A redaction with placeholders for twelve numbers. */
function twelveNumbers(): Redaction {
  const redaction = new Redaction('test');
  for (let at = 1; at <= 12; at += 1) redaction.hideInput(NUMBER, original(at));
  return redaction;
}

const PLACEHOLDERS = Array.from({ length: 13 }, (_, at) => new Redaction('test').hideInput(NUMBER, original(at)));

/** The text with the numbers 1 to 12 replaced by those of the placeholders. */
function numbered(text: string): string {
  return text.replace(/NUMBER_([1-9]\d*)/g, (all, number) => PLACEHOLDERS[number]?.slice(1, -1) ?? all);
}

function checkLaw(
  pieces: readonly Piece[],
  runs: readonly Run[],
  inspector: Inspector,
  policy: Policy,
  redaction: Redaction,
): void {
  const outcome = guardAll(pieces, inspector, policy, redaction);
  const expected = expectedOf(runs, inspector, policy, redaction);
  expect(outcome.texts).toEqual(expected.texts);
  expect(outcome.blocked && [outcome.blocked.channel, outcome.blocked.finding.start]).toEqual(
    expected.blocked && [expected.blocked.channel, expected.blocked.finding.start],
  );
  const reported = show(outcome.reported);
  const all = show(expected.findings);
  if (!expected.blocked) expect(reported).toEqual(all);
  // A rule that only flags may need text beyond the block.
  const acting = show(
    expected.findings.filter(({ finding }) => policy.actsOnOutput(finding.rule) && finding.decodedFrom.length === 0),
  );
  expect(new Set(reported).size).toBe(reported.length);
  expect(all).toEqual(expect.arrayContaining(reported));
  expect(reported).toEqual(expect.arrayContaining(acting));
}

const TINY_PARTS = [
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
const MILD_PARTS = TINY_PARTS.filter((part) => !part.includes('il') && !part.includes('7'));
const EXAMPLE_PARTS = Object.values(allExamples())
  .flatMap(({ positives }) => positives.slice(0, 1))
  .filter((text) => text.length < 200);
const REAL_PARTS = [
  ...EXAMPLE_PARTS,
  'The weather is fine. ',
  'SVC-TEST-REDACT-7f3a',
  'SVC-TEST-BLOCK-7f3a',
  'SVC-TEST-FLAG-7f3a',
  ' ',
  '\n',
  numbered('[NUMBER_3]'),
  '\u200b',
];

describe('any split of the same texts has the same released text, findings and block', () => {
  it.each([
    ['acting rules', TINY_PARTS, TINY, ACTING, 400],
    ['redactions only', MILD_PARTS, TINY, NEVER_BLOCKING, 200],
    ['nothing that acts', TINY_PARTS, TINY, MONITOR, 100],
    ['the rules we ship, balanced', REAL_PARTS, ALL, new Policy({}), 60],
    ['the rules we ship, strict', REAL_PARTS, ALL, new Policy({ preset: 'strict' }), 60],
  ])('with %s', (_, parts, inspector, policy, numRuns) => {
    fc.assert(
      fc.property(
        arbitraryRuns(parts, parts === REAL_PARTS ? 3 : 8),
        cutsOf,
        joinedOf,
        fc.boolean(),
        (runs, cuts, joined, placeholders) => {
          const redaction = placeholders ? twelveNumbers() : new Redaction('test');
          checkLaw(split(runs, cuts, joined), runs, inspector, policy, redaction);
          checkLaw(oneByOne(runs), runs, inspector, policy, redaction);
        },
      ),
      { numRuns },
    );
  });
});

const content = (text: string): Run => ({ channel: CONTENT, text });
const pieces = (...texts: string[]) => texts.map((text) => toPiece([content(text)]));
const left = (outcome: Outcome) => outcome.texts[CONTENT] ?? '';

describe('reasoning', () => {
  const REASONING = 'choices[0].reasoning_content';
  const thought = 'key_abc evil 12-3 ';

  it('passes unchanged and at once, and its findings are flagged', () => {
    const reported: OutputFinding[] = [];
    const guard = new OutputGuard(TINY, ACTING, twelveNumbers(), (found) => reported.push(found));
    const slot = (text: string) => toPiece([{ channel: REASONING, text, isReadOnly: true }]);
    const text = `${thought}${PLACEHOLDERS[1]} `;
    const left = [...text].map((character) => guard.push(slot(character)).map(({ slots }) => slots[0]?.text));
    guard.end();
    expect(left).toEqual([...text].map((character) => [character]));
    expect(guard.blocked).toBeUndefined();
    expect(reported.map(({ channel, finding, action }) => [channel, finding.rule.id, action])).toEqual([
      [REASONING, 'test/key', 'flag'],
      [REASONING, 'test/evil', 'flag'],
      [REASONING, 'test/number', 'flag'],
      [REASONING, 'test/number', 'flag'],
    ]);
  });
});

describe('arguments of a tool call', () => {
  it('stay valid JSON for any redaction and split', () => {
    const word = fc.constantFrom('key_ab1', '12-3', '7', '\n', '"', '\\', 'ä', 'so', ' ', '\u2028');
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(''));
    const value = fc.dictionary(text, fc.oneof(text, fc.nat(), fc.array(text, { maxLength: 3 })), { maxKeys: 4 });
    const redacting = new Policy({
      output: { secret: { action: 'redact' }, pii: { action: 'redact', threshold: 0.5 } },
    });
    fc.assert(
      fc.property(value, fc.array(fc.nat(80)), (given, places) => {
        const json = JSON.stringify(given);
        const reported = cutAt(json, places).map((part) => toPiece([{ channel: ARGUMENTS, text: part, isJson: true }]));
        const left = guardAll(reported, TINY, redacting).texts[ARGUMENTS] ?? '';
        expect(() => JSON.parse(left)).not.toThrow();
        expect(left).not.toMatch(/key_ab|\d-\d/);
      }),
      { numRuns: byDayOrNight(75, 300) },
    );
  });
});

describe('a match of an acting rule', () => {
  it('is never released, not even in part, for any split', () => {
    const secret = `key_${'qzx'.repeat(40)}`;
    const reported: OutputFinding[] = [];
    const guard = new OutputGuard(TINY, ACTING, new Redaction('test'), (found) => reported.push(found));
    for (const character of `so ${secret}`) {
      for (const piece of guard.push(toPiece([content(character)])))
        expect(piece.slots[0]?.text).not.toMatch(/[qzx]|key/);
    }
    const rest = guard.end();
    expect(rest.map(({ slots }) => slots[0]?.text).join('')).toBe('[REDACTED_KEY]');
    expect(reported).toHaveLength(1);
  });

  it('also holds back later pieces of other channels, so that the order is kept', () => {
    const guard = new OutputGuard(TINY, ACTING, new Redaction('test'), () => {});
    expect(guard.push(toPiece([content('key_a')]))).toEqual([]);
    expect(guard.push(toPiece([{ channel: OTHER, text: 'good' }]))).toEqual([]);
    expect(guard.push(toPiece([content('. ')])).map(({ slots }) => slots[0]?.text)).toEqual([
      '[REDACTED_KEY]',
      'good',
      '. ',
    ]);
  });

  it('that blocks at the start releases nothing', () => {
    expect(guardAll(pieces('evil', ' and more'), TINY, ACTING)).toMatchObject({
      pieces: [],
      blocked: { finding: { start: 0 } },
    });
  });

  it('that blocks within a redaction releases only the placeholder', () => {
    const outcome = guardAll(pieces('a 12-3', ' evil b'), TINY, ACTING);
    expect([left(outcome), outcome.blocked?.finding.rule.id]).toEqual(['a [REDACTED_PAIR]', 'test/evil']);
  });

  it('that blocks where a redaction starts releases neither', () => {
    expect(left(guardAll(pieces('a 7', '-7 b'), TINY, ACTING))).toBe('a ');
  });

  it('that overlaps another is redacted completely and once', () => {
    const policy = NEVER_BLOCKING;
    expect(left(guardAll(pieces('a 12-3', ' evil deeds b'), TINY, policy))).toBe('a [REDACTED_PAIR] b');
  });

  it('ends the response in every channel', () => {
    const guard = new OutputGuard(TINY, ACTING, new Redaction('test'), () => {});
    guard.push(toPiece([content('evil deeds. ')]));
    expect(guard.blocked?.channel).toBe(CONTENT);
    expect([...guard.push(toPiece([{ channel: OTHER, text: 'fine' }])), ...guard.end()]).toEqual([]);
  });

  it('reports nothing beyond the block, even if it was inspected', () => {
    const outcome = guardAll(pieces('very rude evil. very rude 12'), TINY, ACTING);
    expect(outcome.reported.map(({ finding }) => [finding.rule.id, finding.start])).toEqual([
      ['test/rude', 0],
      ['test/evil', 10],
    ]);
  });
});

describe('a piece', () => {
  it('is released at once and byte for byte if no rule acts', () => {
    fc.assert(
      fc.property(arbitraryRuns(TINY_PARTS, 6), cutsOf, joinedOf, (runs, cuts, joined) => {
        const guard = new OutputGuard(TINY, MONITOR, new Redaction('test'), () => {});
        for (const piece of split(runs, cuts, joined)) {
          const [same, ...more] = guard.push(piece);
          expect(same).toBe(piece);
          expect(more).toEqual([]);
        }
        expect(guard.end()).toEqual([]);
      }),
    );
  });

  it('whose text is not changed keeps its JSON byte for byte, its log probabilities too', () => {
    const piece = toPiece([content('A fine day. ')], { echoes: [['logprobs']], divisible: false });
    expect(guardAll([piece], ALL, new Policy({ preset: 'strict' })).pieces.map(({ json }) => json)).toEqual([
      piece.json,
    ]);
  });

  it('whose text is changed has its log probabilities set to null and every other byte kept', () => {
    const piece = toPiece([content('It is key_a1. ')], { echoes: [['logprobs']], divisible: false });
    expect(guardAll([piece], TINY, ACTING).pieces.map(({ json }) => json)).toEqual([
      ' {"id": 1.50, "texts": ["It is [REDACTED_KEY]. "], "logprobs": null}',
    ]);
  });

  it('that is not divisible is released completely or not at all', () => {
    const guard = new OutputGuard(TINY, ACTING, new Redaction('test'), () => {});
    expect(guard.push(toPiece([content('so key_')], { divisible: false }))).toEqual([]);
    expect(guard.push(toPiece([content('a ')]))).toHaveLength(2);
  });

  it('that is divisible is released up to the start of a possible match', () => {
    const guard = new OutputGuard(TINY, ACTING, new Redaction('test'), () => {});
    expect(guard.push(toPiece([content('so key_')])).map(({ slots }) => slots[0]?.text)).toEqual(['so ']);
  });

  it('without text waits for earlier pieces and is then released unchanged', () => {
    const guard = new OutputGuard(TINY, ACTING, new Redaction('test'), () => {});
    const finish = toPiece([]);
    guard.push(toPiece([content('key_a')]));
    expect(guard.push(finish)).toEqual([]);
    expect(guard.end()[1]).toBe(finish);
  });
});

describe('a piece that closes channels', () => {
  const finish = toPiece([], { closes: ['choices[0].'] });

  it('is released at once, after all findings of its channels are reported', () => {
    const reported: OutputFinding[] = [];
    for (const policy of [MONITOR, ACTING]) {
      reported.length = 0;
      const guard = new OutputGuard(TINY, policy, new Redaction('test'), (found) => reported.push(found));
      guard.push(toPiece([content('call 12')]));
      expect(guard.push(finish).at(-1)).toBe(finish);
      expect(reported.map(({ finding }) => finding.rule.id)).toEqual(['test/number']);
    }
  });

  it('keeps other choices open', () => {
    const guard = new OutputGuard(TINY, ACTING, new Redaction('test'), () => {});
    guard.push(toPiece([content('a')]));
    guard.push(toPiece([{ channel: OTHER, text: 'key_' }]));
    expect(guard.push(finish)).toEqual([]);
    expect(guard.push(toPiece([{ channel: OTHER, text: 'a. ' }])).map(({ slots }) => slots[0]?.text)).toEqual([
      '[REDACTED_KEY]',
      undefined,
      '. ',
    ]);
  });

  it('makes later text a provider error, since a match might span both', () => {
    const guard = new OutputGuard(TINY, ACTING, new Redaction('test'), () => {});
    guard.push(toPiece([content('key_')]));
    guard.push(finish);
    expect(() => guard.push(toPiece([content('abc')]))).toThrow(GatewayError);
  });
});

describe('a redacted original of the request', () => {
  it.each([
    ['with the text around it', 'so [NUMBER_1] deeds', 'evil', 'so '],
    ['in part', '7-[NUMBER_1]', '7', ''],
    ['beside a redaction', 'key_[NUMBER_1] [NUMBER_1]', 'ab', '[REDACTED_KEY] ab'],
  ])('is inspected in its restored form: %s', (_, shape, value, released) => {
    const redaction = new Redaction('test');
    const text = shape.replaceAll('[NUMBER_1]', redaction.hideInput(NUMBER, value));
    for (const all of [pieces(text), pieces(...text)])
      expect(left(guardAll(all, TINY, ACTING, redaction))).toBe(released);
  });

  it('is restored in tool call arguments as a JSON string', () => {
    const redaction = new Redaction('test');
    const name = 'Ann "the\nLine" O\\Neil';
    const text = JSON.stringify({ to: `for ${redaction.hideInput(NUMBER, name)}.` });
    for (const all of [[text], [...text]]) {
      const reported = all.map((part) => toPiece([{ channel: ARGUMENTS, text: part, isJson: true }]));
      expect(JSON.parse(guardAll(reported, TINY, MONITOR, redaction).texts[ARGUMENTS] ?? '')).toEqual({
        to: `for ${name}.`,
      });
    }
  });

  it.each([
    ['a placeholder', 'call [NUMBER_1] now', `call ${original(1)} now`],
    [
      'one whose number starts like another',
      '[NUMBER_1]0 [NUMBER_10] [NUMBER_12]',
      `${original(1)}0 ${original(10)} ${original(12)}`,
    ],
    ['one right after a bracket', '[[NUMBER_2]]', `[${original(2)}]`],
    ['several without a space', '[NUMBER_1][NUMBER_1]', original(1) + original(1)],
    ['at the end', 'x[NUMBER_3]', `x${original(3)}`],
  ])('is restored: %s', (_, shape, restored) => {
    const text = numbered(shape);
    for (const all of [pieces(text), pieces(...text)])
      expect(left(guardAll(all, TINY, MONITOR, twelveNumbers()))).toBe(restored);
  });

  it.each([
    ['[NUMBER_99]'],
    [`${PLACEHOLDERS[1]?.slice(0, -1)}0]`],
    [`${PLACEHOLDERS[1]?.slice(0, -2)}]`],
    ['[EMAIL_1]'],
    ['[NUMBER_01]'],
    ['[number_1]'],
    [numbered('[NUMBER_1')],
    [numbered('NUMBER_1]')],
    ['[NUMBER_ 1]'],
    ['[REDACTED_KEY]'],
  ])('is not restored for text that is no placeholder: %s', (text) => {
    for (const all of [pieces(text), pieces(...text)])
      expect(left(guardAll(all, TINY, MONITOR, twelveNumbers()))).toBe(text);
  });

  it('is not restored if nothing was redacted, and nothing waits for it', () => {
    const guard = new OutputGuard(TINY, MONITOR, new Redaction('test'), () => {});
    expect(guard.push(toPiece([content('[NUMBER_1')])).map(({ slots }) => slots[0]?.text)).toEqual(['[NUMBER_1']);
  });

  it('waits only where a placeholder may be open', () => {
    const guard = new OutputGuard(TINY, MONITOR, twelveNumbers(), () => {});
    const number = numbered('NUMBER_1').slice(3);
    const out = ['a [NUM', number, '] b [', 'x', `[${'A'.repeat(60)}`].map((text) =>
      guard.push(toPiece([content(text)])).map(({ slots }) => slots[0]?.text),
    );
    expect(out).toEqual([['a '], [], [original(1), '', ' b '], ['[', 'x'], [`[${'A'.repeat(60)}`]]);
  });

  it('has a placeholder that is restored, for every category of personal data', () => {
    for (const rule of ALL_RULES.filter(({ type }) => type === 'pii')) {
      const redaction = new Redaction('test');
      const placeholder = redaction.hideInput({ rule, score: 1, start: 0, end: 1, decodedFrom: [] }, 'the original');
      expect(left(guardAll(pieces(...placeholder), TINY, MONITOR, redaction))).toBe('the original');
    }
  });
});

it('a response has at most 1,024 texts at once', () => {
  const texts = (count: number) =>
    toPiece(Array.from({ length: count }, (_, at) => ({ channel: `choices[${at}]`, text: 'a' })));
  const guard = (count: number) => new OutputGuard(TINY, MONITOR, new Redaction('test'), () => {}).push(texts(count));
  expect(() => guard(1_024)).not.toThrow();
  expect(() => guard(1_025)).toThrow('1024 texts at once');
});

describe('a text of more than 4,096 characters in one piece', () => {
  const far = 'word '.repeat(2_000);

  it('is inspected in slices and released whole, with its redactions', () => {
    const { texts, reported } = guardAll([toPiece([{ channel: CONTENT, text: `${far}key_abc ${far}` }])], TINY, ACTING);
    expect(texts[CONTENT]).toBe(`${far}[REDACTED_KEY] ${far}`);
    expect(reported.map(({ finding }) => [finding.start, finding.end])).toEqual([[10_000, 10_007]]);
  });

  it('is cut at a block in any slice', () => {
    const { texts, blocked } = guardAll([toPiece([{ channel: CONTENT, text: `${far}evil ${far}` }])], TINY, ACTING);
    expect(texts[CONTENT]).toBe(far);
    expect(blocked?.finding.start).toBe(10_000);
  });
});

it('text before a slot is inspected with it and not released', () => {
  const slots = [{ channel: CONTENT, lead: '1-', text: '2 evil now', path: ['texts', 0] }] as unknown as TextSlot[];
  const guard = new OutputGuard(TINY, ACTING, new Redaction('test'), () => {});
  const piece = { json: '{"texts": ["2 evil now"]}', slots, echoes: [], divisible: false };
  expect([...guard.push(piece), ...guard.end()].map(({ json }) => json)).toEqual([]);
  expect(guard.blocked?.finding).toMatchObject({ start: 4, end: 8 });
});

it('a finding in one channel names no other', () => {
  const { reported } = guardAll([toPiece([{ channel: CONTENT, text: 'key_abc' }])], TINY, ACTING);
  expect(reported).toHaveLength(1);
  expect(reported[0]).not.toHaveProperty('rest');
});

describe('a text that follows another', () => {
  const after = (text: string) => {
    const slots = [{ channel: CONTENT, before: 'say evil', text, path: ['texts', 0] }] as unknown as TextSlot[];
    const guard = new OutputGuard(TINY, ACTING, new Redaction('test'), () => {});
    const piece = { json: JSON.stringify({ texts: [text] }), slots, echoes: [], divisible: false };
    return [[...guard.push(piece), ...guard.end()].length, guard.blocked?.finding.rule.id];
  };

  it('is blocked by a match that begins in the other, not by one that ends there', () => {
    expect(after(' deeds')).toEqual([0, 'test/evil']);
    expect(after('. And so on')).toEqual([1, undefined]);
  });
});
