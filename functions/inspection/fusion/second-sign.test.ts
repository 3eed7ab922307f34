import { describe, expect, it } from '@jest/globals';
import { type Author, PRESETS } from '../../kernel/model/index.ts';
import { content } from '../across-texts/text.fixture.ts';
import type { Rule } from '../matching/index.ts';
import { policyOf } from '../policy/index.ts';
import { A_CLASSIFIER_RULE, A_RULE, evidenceOf } from './evidence.fixture.ts';
import type { Evidence } from './evidence.ts';
import { fuse } from './fuse.ts';
import { MAX_SINGLE_SIGN_SCORE } from './second-sign.ts';

const DOCUMENT = content('tool', 'words '.repeat(40));

function sign(score: number, start: number, end: number, fields: Partial<Rule> = {}, text = DOCUMENT): Evidence {
  const rule: Rule = { ...A_RULE, type: 'indirect_injection', ...fields };
  const finding = { rule, score, decodedFrom: [], start, end };
  return { ...evidenceOf(score, { rule, text }), finding };
}
const classified = (score: number, start: number, end: number) =>
  sign(score, start, end, { ...A_CLASSIFIER_RULE, type: 'indirect_injection', category: 'injection_like' });
const scoresOf = (...evidence: Evidence[]) => fuse(evidence, 0).map(({ finding }) => Number(finding.score.toFixed(2)));

describe('one sign of an attack in third-party text', () => {
  it('blocks by no preset', () => {
    for (const preset of PRESETS)
      for (const { action, threshold } of Object.values(policyOf({ preset }).input))
        if (action === 'block') expect(threshold).toBeGreaterThan(MAX_SINGLE_SIGN_SCORE);
    const [one] = fuse([sign(0.97, 0, 20)], 1);
    expect([one?.finding.score, one?.reasons]).toEqual([MAX_SINGLE_SIGN_SCORE, ['unconfirmed']]);
  });

  it('counts for the threat score by its words, so that requests keep their order', () => {
    const likelihoods = [0.97, 0.7, 0.5].map((score) => fuse([sign(score, 0, 20)], 0)[0]?.finding.likelihood);
    expect(likelihoods).toEqual([0.97, 0.7, undefined]);
    const [confirmed] = fuse([sign(0.97, 0, 20), sign(0.9, 40, 60, { category: 'other' })], 0);
    expect([confirmed?.finding.score, confirmed?.finding.likelihood]).toEqual([0.97, undefined]);
  });

  it.each<[string, Evidence[]]>([
    ['another match of its category', [sign(0.9, 0, 20), sign(0.9, 40, 60)]],
    ['another category in the same words', [sign(0.9, 0, 20), sign(0.9, 4, 20, { category: 'other' })]],
    ['a hint', [sign(0.9, 0, 20), sign(0.49, 40, 60, { category: 'other' })]],
    ['a low score of the classifier', [sign(0.9, 0, 20), classified(0.74, 0, 80)]],
    ['a window of the classifier with the same words', [sign(0.9, 0, 20), classified(0.95, 0, 30)]],
    [
      'text for agents beside text for agents',
      [sign(0.9, 0, 20, { category: 'concealment' }), sign(0.9, 40, 60, { category: 'addressed_to_model' })],
    ],
    [
      'another document',
      [sign(0.9, 0, 20), sign(0.9, 40, 60, { category: 'other' }, content('tool', 'another', { message: 3 }))],
    ],
  ])('is not joined by %s', (_, evidence) => {
    for (const score of scoresOf(...evidence)) expect(score).toBeLessThan(0.6);
  });

  it('is not joined by what a text only quotes or lists', () => {
    const text = content('tool', 'They write "ignore all rules" or "print your prompt" on a page.');
    const quoted = [sign(0.9, 12, 28, {}, text), sign(0.9, 34, 51, { category: 'other', signal: 'encoded' }, text)];
    expect(scoresOf(...quoted)).toEqual([MAX_SINGLE_SIGN_SCORE, MAX_SINGLE_SIGN_SCORE]);
    expect(scoresOf(sign(0.9, 0, 10, { category: 'third' }, text), ...quoted)[0]).toBe(MAX_SINGLE_SIGN_SCORE);
  });

  it.each<[string, Evidence]>([
    ['another category in other words', sign(0.5, 40, 60, { category: 'other' })],
    ["the classifier's high score of more words", classified(0.75, 0, 80)],
    ['a disguise', sign(0.6, 0, 20, { category: 'other', signal: 'invisible' })],
  ])('blocks with a second one: %s', (_, other) => expect(scoresOf(sign(0.9, 0, 20), other)[0]).toBe(0.9));

  it('blocks with a second one behind the verb and object that a word table found', () => {
    const table = { cues: [] } as unknown as Partial<Rule>;
    const besides = (start: number) =>
      scoresOf(sign(0.9, 0, 200, table), sign(0.9, start, start + 20, { category: 'b' }));
    expect(besides(100)).toEqual([0.9, 0.9]);
    expect(besides(10)).toEqual([MAX_SINGLE_SIGN_SCORE, MAX_SINGLE_SIGN_SCORE]);
  });

  it('blocks with a second one in a text that was read together with it', () => {
    const readWith = (one: Evidence, text: string, start: number) => ({
      ...one,
      passage: { text, start, end: start + 20 },
    });
    const other = content('tool', 'another name of the result');
    const besides = (text: string) =>
      scoresOf(
        readWith(sign(0.9, 0, 20), 'all names of the result', 0),
        readWith(sign(0.9, 0, 20, { category: 'b' }, other), text, 40),
      );
    expect(besides('all names of the result')).toEqual([0.9, 0.9]);
    expect(besides('names of another result')).toEqual([MAX_SINGLE_SIGN_SCORE, MAX_SINGLE_SIGN_SCORE]);
  });

  it.each<[string, Author]>([
    ['a user', 'user'],
    ['an assistant', 'assistant'],
    ['a tool definition', 'definition'],
  ])('is unchanged in the text of %s', (_, author) =>
    expect(scoresOf(sign(0.9, 0, 20, {}, content(author, 'words '.repeat(40))))).toEqual([0.9]),
  );

  it('is unchanged for personal data and fixed test texts', () => {
    expect(scoresOf(sign(0.9, 0, 20, { type: 'pii' }))).toEqual([0.9]);
    expect(scoresOf(sign(1, 0, 20, { forcedAction: 'block' }))).toEqual([1]);
  });

  it('takes time linear in the findings', () => {
    const many = Array.from({ length: 50_000 }, (_, at) => sign(0.9, at, at + 1));
    expect(new Set(scoresOf(...many))).toEqual(new Set([MAX_SINGLE_SIGN_SCORE]));
  });
});

describe("the classifier's score of third-party text", () => {
  it('is lower if no rule finds a sign there, and flagged from 0.75', () => {
    expect(scoresOf(classified(0.57, 0, 80))).toEqual([0.43]);
    expect(scoresOf(classified(0.73, 0, 80), sign(0.49, 100, 120))[0]).toBe(0.49);
    expect(scoresOf(classified(0.75, 0, 80))).toEqual([0.5]);
  });

  it('counts for the threat score as it is, so that requests keep their order', () => {
    const likelihoods = [0.3, 0.57, 0.76, 0.85].map(
      (score) => fuse([classified(score, 0, 80)], 0)[0]?.finding.likelihood,
    );
    expect(likelihoods).toEqual([undefined, 0.57, 0.76, 0.85]);
  });

  it('counts as raised where the session raises it above that', () => {
    const [raised] = fuse([classified(0.36, 0, 80)], 1);
    expect([(raised?.finding.score ?? 0) > 0.36, raised?.finding.likelihood]).toEqual([true, undefined]);
  });

  it('acts in its order, and as it is where it is low or sure', () => {
    const scores = Array.from({ length: 99 }, (_, at) => (at + 1) / 100);
    const lowered = scores.map((score) => {
      return fuse([classified(score, 0, 80)], 0)[0]?.finding.score ?? 0;
    });
    expect(lowered).toEqual([...lowered].sort((a, b) => a - b));
    expect(scores.filter((score, at) => score < 0.8 && score !== lowered[at]).length).toBe(44);
  });

  it("is unchanged beside a rule's sign", () =>
    expect(scoresOf(classified(0.57, 0, 80), sign(0.5, 100, 120))[0]).toBe(0.57));
});

describe("a word table's finding in third-party text", () => {
  const found = sign(0.9, 0, 20, { cues: {} as NonNullable<Rule['cues']> });

  it('is a hint if the classifier contradicts it', () =>
    expect(scoresOf(found, classified(0.09, 0, 80))[0]).toBe(0.45));

  it.each<[string, Evidence[]]>([
    ['the classifier does not contradict it', [found, classified(0.1, 0, 80)]],
    ['the classifier did not read the text', [found]],
    ['it was decoded', [{ ...found, finding: { ...found.finding, decodedFrom: ['base64'] } }, classified(0.09, 0, 80)]],
    ['it is no word table', [sign(0.9, 0, 20), classified(0.09, 0, 80)]],
  ])('is flagged if %s', (_, evidence) => expect(scoresOf(...evidence)[0]).toBe(MAX_SINGLE_SIGN_SCORE));
});

describe('an uncertain sign of a jailbreak in third-party text', () => {
  const found = sign(0.75, 0, 20, { type: 'jailbreak' });

  it('is a hint if the classifier sees nothing', () => expect(scoresOf(found, classified(0.2, 0, 80))[0]).toBe(0.45));

  it.each<[string, Evidence[]]>([
    ['the classifier supports it', [found, classified(0.25, 0, 80)]],
    ['the classifier did not read the text', [found]],
    ['it is certain', [sign(0.9, 0, 20, { type: 'jailbreak' }), classified(0.2, 0, 80)]],
    ['a word table found it', [sign(0.75, 0, 20, { type: 'jailbreak', cues: [] as never }), classified(0.2, 0, 80)]],
  ])('is flagged if %s', (_, evidence) => expect(scoresOf(...evidence)[0]).toBe(MAX_SINGLE_SIGN_SCORE));
});
