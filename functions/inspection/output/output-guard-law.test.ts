import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { byDayOrNight } from '../../../test/support/night.ts';
import { renderEdits, type TextEdit } from '../../kernel/json/index.ts';
import type { Piece } from '../../kernel/model/index.ts';
import { openAddressReader } from '../addresses/index.ts';
import { allExamples } from '../detectors/all-rules.ts';
import type { Inspector } from '../inspector/index.ts';
import { compareFindings, findingKey } from '../matching/index.ts';
import { Policy, Redaction } from '../policy/index.ts';
import { originalRanges } from '../views/index.ts';
import {
  ACTING,
  ALL,
  arbitraryRuns,
  cutsOf,
  guardAll,
  joinedOf,
  MONITOR,
  NEVER_BLOCKING,
  numbered,
  type Run,
  split,
  TINY,
  TINY_PARTS,
  toPiece,
  twelveNumbers,
  withoutEmpty,
} from './output-guard.fixture.ts';
import type { OutputFinding } from './response-channel.ts';

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

const oneByOne = (runs: readonly Run[]) =>
  runs.flatMap(({ channel, text }) => text.split('').map((character) => toPiece([{ channel, text: character }])));

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
      { numRuns: byDayOrNight(numRuns / 2, numRuns) },
    );
  });
});
