import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { byDayOrNight } from '../../../test/support/night.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import { cutAt } from '../../kernel/json/cut-at.fixture.ts';
import type { TextSlot } from '../../kernel/model/index.ts';
import { Policy, Redaction } from '../policy/index.ts';
import {
  ACTING,
  ALL,
  ARGUMENTS,
  arbitraryRuns,
  CONTENT,
  content,
  cutsOf,
  guardAll,
  joinedOf,
  left,
  MONITOR,
  NEVER_BLOCKING,
  OTHER,
  PLACEHOLDERS,
  pieces,
  split,
  TINY,
  TINY_PARTS,
  toPiece,
  twelveNumbers,
} from './output-guard.fixture.ts';
import { OutputGuard } from './output-guard.ts';
import type { OutputFinding } from './response-channel.ts';

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
