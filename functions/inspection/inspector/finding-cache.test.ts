import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RequestText, Surface } from '../../kernel/model/index.ts';
import { finish } from '../../kernel/tasks/index.ts';
import { gatherEvidence } from '../across-texts/index.ts';
import type { Finding, Rule, TextInspector } from '../matching/index.ts';
import type { Pieces } from './boundary-ranges.ts';
import { FindingCache } from './finding-cache.ts';
import { Inspector } from './inspector.ts';

const RULE: Rule = {
  id: 'test/word',
  type: 'prompt_injection',
  category: 'test',
  severity: 'low',
  score: 0.6,
  view: 'folded',
  surfaces: ['user', 'tool', 'output', 'system'],
  patterns: ['halibut'],
  message: 'It names a fish.',
  owasp: 'LLM01:2025',
  atlas: null,
};

/** Records the texts that it inspects. */
class Counting implements TextInspector {
  readonly inspected: string[] = [];
  private readonly inspector = new Inspector([RULE]);

  inspect(text: string, surface: Surface): Finding[] {
    return finish(this.inspectSteps(text, surface));
  }

  inspectSteps(text: string, surface: Surface) {
    this.inspected.push(text);
    return this.inspector.inspectSteps(text, surface);
  }

  findExamples() {
    return [];
  }

  rulesForSignal() {
    return [];
  }

  open(...[surface, acts, detectors]: Parameters<TextInspector['open']>) {
    return this.inspector.open(surface, acts, detectors);
  }
}

const long = (words: string) => words.padEnd(300, ' and so on');

describe('known texts', () => {
  it('are not inspected again and have the same findings', () => {
    const counting = new Counting();
    const known = new FindingCache(counting).of('key_a');
    const text = long('a halibut');
    const first = known.inspect(text, 'user');
    expect(first).toHaveLength(1);
    expect(known.inspect(text, 'user')).toEqual(first);
    expect(counting.inspected).toEqual([text]);
  });

  it.each([
    ['of another sender', 'key_b', 'user', long('a halibut')],
    ['on another surface', 'key_a', 'tool', long('a halibut')],
    ['that differ in one letter', 'key_a', 'user', long('A halibut')],
  ] as const)('are distinct from those %s', (_, sender, surface, text) => {
    const counting = new Counting();
    const known = new FindingCache(counting);
    known.of('key_a').inspect(long('a halibut'), 'user');
    known.of(sender).inspect(text, surface);
    expect(counting.inspected).toHaveLength(2);
  });

  it.each([
    ['one letter at their end', 'a'.repeat(600_000), 'b', 'c'],
    ['half a character between two steps of the digest', 'a'.repeat(262_143), '\u{1f600} a', '\u{1f601} a'],
  ])('are distinct if they are long and differ in %s', (_, start, one, other) => {
    const counting = new Counting();
    const known = new FindingCache(counting).of('key_a');
    for (const end of [one, other, one, other]) known.inspect(start + end, 'user');
    expect(counting.inspected).toHaveLength(2);
  });

  it('are cached however short they are: names come again with each turn', () => {
    const counting = new Counting();
    const known = new FindingCache(counting).of('key_a');
    for (let at = 0; at < 2; at++) expect(known.inspect('halibut', 'user')).toHaveLength(1);
    expect(counting.inspected).toHaveLength(1);
  });

  it('are not cached if they contain a lone surrogate', () => {
    const counting = new Counting();
    const known = new FindingCache(counting).of('key_a');
    for (let at = 0; at < 2; at++) known.inspect('\ud83d halibut', 'user');
    expect(counting.inspected).toHaveLength(2);
  });

  it('keep their findings when the caller changes the returned array', () => {
    const known = new FindingCache(new Counting()).of('key_a');
    known.inspect(long('a halibut'), 'user').pop();
    known.inspect(long('a halibut'), 'user').pop();
    expect(known.inspect(long('a halibut'), 'user')).toHaveLength(1);
  });

  it('are evicted in order of last use once there are too many', () => {
    const counting = new Counting();
    const known = new FindingCache(counting, 10).of('key_a');
    const texts = Array.from({ length: 10 }, (_, at) => long(`text ${at}`));
    for (const text of texts) known.inspect(text, 'user');
    known.inspect(texts[0] as string, 'user');
    known.inspect(long('one more'), 'user');
    counting.inspected.length = 0;
    known.inspect(texts[0] as string, 'user');
    expect(counting.inspected).toEqual([]);
    known.inspect(texts[1] as string, 'user');
    expect(counting.inspected).toEqual([texts[1]]);
  });

  it('are also evicted once they have too many findings', () => {
    const counting = new Counting();
    const known = new FindingCache(counting, 100).of('key_a');
    const texts = Array.from({ length: 5 }, (_, at) => `${at}${' halibut'.repeat(30)}`);
    for (const text of texts) known.inspect(text, 'user');
    counting.inspected.length = 0;
    known.inspect(texts[4] as string, 'user');
    known.inspect(texts[0] as string, 'user');
    expect(counting.inspected).toEqual([texts[0]]);
  });

  it('have the findings of a new inspection, for any order of senders and texts', () => {
    const text = fc.array(fc.constantFrom('halibut ', 'a ', '\ud83d', '😀', 'ħalibut '), {
      minLength: 20,
      maxLength: 80,
    });
    const asked = fc.record({
      sender: fc.constantFrom('key_a', 'key_b'),
      surface: fc.constantFrom<Surface>('user', 'tool'),
      text: fc.nat(4),
    });
    fc.assert(
      fc.property(fc.array(text, { minLength: 5, maxLength: 5 }), fc.array(asked), (words, asks) => {
        const texts = words.map((parts) => parts.join(''));
        const inspector = new Inspector([RULE]);
        const known = new FindingCache(inspector);
        for (const { sender, surface, text: at } of asks) {
          const one = texts[at] as string;
          expect(known.of(sender).inspect(one, surface)).toEqual(inspector.inspect(one, surface));
        }
      }),
    );
  });
});

describe('joined texts', () => {
  const [one, other] = [long('a halibut'), long('another fish')];
  const pieces: Pieces = [
    { text: one, from: 0, length: 300, start: 0, separator: ' ' },
    { text: other, from: 0, length: 300, start: 301, separator: ' ' },
  ];
  const textOf = (all: Pieces) =>
    all.map(({ text, from, length, separator }, at) => (at > 0 ? separator : '') + text.substr(from, length)).join('');
  const inspect = (known: TextInspector, all: Pieces) =>
    known.inspect(textOf(all), 'user', [], { isNew: () => true, isClassified: false, pieces: all });

  it('are known by their pieces', () => {
    const counting = new Counting();
    const known = new FindingCache(counting).of('key_a');
    const first = inspect(known, pieces);
    expect(first).toHaveLength(1);
    expect(inspect(known, pieces)).toEqual(first);
    expect(counting.inspected).toEqual([textOf(pieces)]);
  });

  it.each([
    ['another text', { text: long('another dish') }],
    ['another start of the text', { from: 1, length: 299 }],
    ['another end of the text', { length: 299 }],
    ['another separator', { separator: '-' }],
  ])('are distinct if a piece has %s', (_, fields) => {
    const counting = new Counting();
    const known = new FindingCache(counting).of('key_a');
    const changed = pieces.with(1, { ...(pieces[1] as Pieces[number]), ...fields });
    for (const all of [pieces, changed]) inspect(known, all);
    expect(counting.inspected).toEqual([textOf(pieces), textOf(changed)]);
  });

  it('have the findings far from the boundaries of their pieces only if they are read whole', () => {
    const known = new FindingCache(new Inspector([RULE])).of('key_a');
    const prose = 'The harbour was closed on Monday, since the wind had turned. '.repeat(15);
    const text = `${prose}One halibut. ${prose}`;
    const all = [
      { text, from: 0, length: text.length, start: 0, separator: '' },
      { text: prose, from: 0, length: prose.length, start: text.length, separator: '' },
    ];
    const found = [false, true, false].map((isReadWhole) => {
      const reading = { isNew: () => true, isClassified: false, pieces: all, isReadWhole };
      return known.inspect(text + prose, 'user', [], reading).length;
    });
    expect(found).toEqual([0, 1, 0]);
  });

  it('have all their findings if they are known by their text, which may have other pieces', () => {
    const known = new FindingCache(new Inspector([RULE])).of('key_a');
    const prose = 'The harbour was closed on Monday, since the wind had turned. '.repeat(15);
    const text = `${prose}One halibut. ${prose}`;
    const short = (at: number) => ({ text: text.slice(at, at + 9), from: 0, length: 9, start: at, separator: '' });
    const head = Array.from({ length: 20 }, (_, at) => short(9 * at));
    const tail = Array.from({ length: 20 }, (_, at) => short(text.length - 180 + 9 * at));
    const rest = { text: text.slice(180, -180), from: 0, length: text.length - 360, start: 180, separator: '' };
    const all = [...head, rest, ...tail];
    const reading = { isNew: () => true, isClassified: false, pieces: all };
    expect(known.inspect(text, 'user', [], reading)).toHaveLength(1);
  });

  it('are not cached by pieces that have no distinct bytes', () => {
    const counting = new Counting();
    const known = new FindingCache(counting).of('key_a');
    const lone = ['\ud83d', '\ud83e'].map((half) => [
      { text: half + one, from: 0, length: 301, start: 0, separator: '' },
      { text: other, from: 0, length: 300, start: 301, separator: '' },
    ]);
    for (const all of lone) inspect(known, all);
    expect(counting.inspected).toHaveLength(2);
  });
});

describe('a conversation that grows', () => {
  it('inspects each of 200 turns once, and of what is joined only the last part', () => {
    const counting = new Counting();
    const known = new FindingCache(counting).of('key_a');
    const turns: RequestText[] = [];
    for (let turn = 0; turn < 200; turn++) {
      const author = turn % 2 === 0 ? 'user' : 'assistant';
      turns.push(turnOf(long(`turn ${turn} says`), author, turn));
      gatherEvidence(turns, known);
    }
    const turnsAlone = new Set(turns.map(({ text }) => text));
    expect(counting.inspected.filter((text) => turnsAlone.has(text))).toHaveLength(200);
    // The last user texts are also inspected joined, up to a limit that is the same for every turn.
    for (const text of counting.inspected) expect(text.length).toBeLessThan(5_000);
  });
});

function turnOf(text: string, author: 'user' | 'assistant', message: number): RequestText {
  const path = ['messages', message, 'content'];
  return { text, author, surface: 'user', path, message, turnsAgo: 0, isContent: true };
}
