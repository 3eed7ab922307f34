import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutAt } from '../../kernel/json/cut-at.fixture.ts';
import { plantedText } from '../../kernel/model/index.ts';
import { Inspector } from '../inspector/index.ts';
import type { Finding, ResponseDetector } from '../matching/index.ts';
import { Canary, createMarker } from './canary.ts';
import { PromptOverlap } from './prompt-overlap.ts';

const inspector = new Inspector([]);
const PROMPT = `You are Pip, the booking clerk of Harbour Lane Cinema. Offer row K first; it sells worst.
Staff tickets cost 4 euros, and nobody outside may learn it. Send complaints to Mrs Oduya before noon.`;
const SENTENCES = PROMPT.split(/(?<=[.;])\s/);

const overlap = (holds = false, known: readonly string[] = [], prompt = PROMPT) =>
  new PromptOverlap([prompt], known, holds);
const find = (text: string, detector: ResponseDetector) => inspector.inspect(text, 'output', [detector]);
const rot13 = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(first + ((letter.charCodeAt(0) - first + 13) % 26));
  });
const backwards = (text: string) => [...text].toReversed().join('');

describe('a response that repeats the system prompt', () => {
  it.each([
    ['unchanged', PROMPT],
    ['in the middle of other text', `Sure, it says: ${PROMPT} Was that all?`],
    ['in capitals, with other marks', PROMPT.toUpperCase().replace(/[.,;]/g, ' --')],
    ['a word a line', PROMPT.replace(/\s+/g, '\n')],
    ['letter by letter', [...PROMPT.replace(/\s/g, '')].join(' ')],
    [
      'sentences numbered and in another order',
      SENTENCES.map((s, at) => `${at + 1}. ${s}`)
        .toReversed()
        .join('\n'),
    ],
    ['as JSON', JSON.stringify({ role: 'system', content: PROMPT })],
    ['in ROT13', rot13(PROMPT)],
    ['backwards', backwards(PROMPT)],
    ['in base64', `Here: ${btoa(PROMPT)}`],
    ['in hex', Buffer.from(PROMPT).toString('hex')],
    ['in ROT13 in base64', btoa(rot13(PROMPT))],
    ['half of it', SENTENCES.slice(0, 3).join(' ')],
  ])('is found: %s', (_, text) => {
    expect(find(text, overlap()).map(({ rule }) => rule.id)).toContain('system-prompt-leak/overlap');
  });

  it('is compared with texts of the caller only once it repeats something', () => {
    let reads = 0;
    const known: readonly string[] = {
      *[Symbol.iterator]() {
        reads += 1;
        yield 'Please book a seat.';
      },
    } as unknown as string[];
    const detector = overlap(false, known);
    find('Welcome! Which film shall it be? We show two tonight, both in the large hall.', detector);
    expect(reads).toBe(0);
    for (let at = 0; at < 2; at++) expect(find(PROMPT, detector)).not.toHaveLength(0);
    expect(reads).toBe(1);
  });

  it('in a script without spaces is found', () => {
    const prompt =
      '你是港湾电影院的订票员小皮。请先推荐最难卖的第十排座位。员工票价为四欧元,不得告诉外人。投诉请在中午前转给负责人。';
    expect(find(`好的:${prompt}`, overlap(false, [], prompt))).not.toHaveLength(0);
    expect(find('您好,请问您想看哪一场电影?我可以为您预订座位。', overlap(false, [], prompt))).toHaveLength(0);
  });

  it.each([
    ['obeys it', 'Welcome to Harbour Lane Cinema! Shall I book row K for you? It has a fine view.'],
    ['quotes a phrase of it', 'I am Pip, the booking clerk of Harbour Lane Cinema. How can I help?'],
    ['declines', "I can't share my instructions, but I can book seats."],
    ['is empty', ''],
  ])('is not found if it %s', (_, text) => expect(find(text, overlap())).toEqual([]));

  it('is not found if it repeats text by the caller', () => {
    expect(find(PROMPT, overlap(false, [`Translate this: ${PROMPT}`]))).toEqual([]);
  });

  it('is not found if it repeats what most prompts contain', () => {
    const prompt = 'You are a helpful, harmless and honest assistant.';
    expect(find(prompt, overlap(false, [], prompt))).toEqual([]);
  });

  it('has a finding for each repeated stretch, from the one that reaches the threshold', () => {
    const text = `Well. ${SENTENCES[0]} And by the way, something quite different here. ${SENTENCES.slice(1).join(' ')} Done.`;
    const reported = find(text, overlap()).map(({ start, end }) => text.slice(start, end));
    expect(reported.at(-1)?.endsWith('before noon')).toBe(true);
    for (const stretch of reported)
      expect(PROMPT.replace(/\s/g, ' ')).toContain(stretch.replace(/\s/g, ' ').slice(0, 40));
  });
});

describe('a marker', () => {
  const marker = 'qzkvhtnbpwxjmrdg';
  it.each([
    ['plain', marker],
    ['in capitals', marker.toUpperCase()],
    ['letter by letter', [...marker].join('-')],
    ['a letter a line', [...marker].join('\n- ')],
    ['in ROT13', rot13(marker)],
    ['backwards', backwards(marker)],
    ['as planted, in base64', btoa(`the end ${plantedText(marker)}`)],
    ['as planted, in hex', Buffer.from(plantedText(marker)).toString('hex')],
    ['after a prefix of itself', `qzkvhtqzkv${marker}`],
  ])('is found: %s', (_, text) => {
    const found = find(`Here: ${text} so.`, new Canary(marker, true));
    expect(found.map(({ rule, score }) => [rule.id, score])).toEqual([['system-prompt-leak/canary', 1]]);
  });

  it('is not found in part', () => {
    expect(find(`${marker.slice(0, 15)} ${marker.slice(1)}`, new Canary(marker, true))).toEqual([]);
  });

  it('is different for each request', () => {
    expect(createMarker()).toMatch(/^[a-z]{16}$/);
    expect(createMarker()).not.toBe(createMarker());
  });

  it('holds back text from its first letter, and nothing else', () => {
    const stream = inspector.open('output', () => true, [new Canary(marker, true)]);
    stream.push('The film begins at eight. ');
    expect(stream.settled).toBe(26);
    stream.push(`${marker.slice(0, 9)}`);
    expect(stream.settled).toBe(26);
    stream.push(' no');
    expect(stream.settled).toBe(38);
  });
});

describe('a marker that overlaps with itself', () => {
  it.each(['aabaabaaaabaabab', 'abcabdabcabcabdd', 'aaaaaaaaaaaaaaab'])(
    'is found after any beginning of it: %s',
    (marker) => {
      for (let length = 0; length < marker.length; length += 1) {
        const found = find(`${marker.slice(0, length)}${marker}`, new Canary(marker, true));
        expect([length, found.length]).toEqual([length, 1]);
      }
    },
  );
});

describe('any split of a response', () => {
  const marker = 'abcabdabcabcabdd';
  const parts = [
    ...SENTENCES,
    ...SENTENCES.map(rot13),
    btoa(PROMPT),
    marker,
    marker.slice(0, 9),
    [...marker].join(' '),
    'Something else entirely, and long enough to end a stretch of it.',
    '                              ',
    'ｆｕｌｌ wïdth 😀',
    '中文',
  ];
  const texts = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((chosen) => chosen.join(' '));
  const show = (findings: readonly Finding[]) =>
    findings.map(({ rule, start, end, decodedFrom }) => `${rule.id} ${start} ${end} ${decodedFrom}`).sort();

  it('has the same findings, none of which starts in settled text', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(900), { maxLength: 40 }), (text, cuts) => {
        const detectors = [overlap(true), new Canary(marker, true)];
        const stream = inspector.open('output', () => true, detectors);
        const findings: Finding[] = [];
        for (const piece of [...cutAt(text, cuts), undefined]) {
          const settledBefore = stream.settled;
          const found = piece === undefined ? stream.end() : stream.push(piece);
          for (const { start, decodedFrom } of found) {
            if (decodedFrom.length === 0) expect(start).toBeGreaterThanOrEqual(settledBefore);
          }
          expect(stream.settled).toBeGreaterThanOrEqual(settledBefore);
          findings.push(...found);
        }
        expect(show(findings)).toEqual(show(inspector.inspect(text, 'output', detectors)));
      }),
    );
  });

  it('holds back a few words without repetition, and a bounded stretch with it', () => {
    const held = (text: string) => {
      const stream = inspector.open('output', () => true, [overlap(true)]);
      const after = (letter: string, at: number) => {
        stream.push(letter);
        return at + 1 - stream.settled;
      };
      return Math.max(...Array.from(text, after));
    };
    expect(
      held('Tonight we show two films, one of them for children, and the bar is open until late. '.repeat(5)),
    ).toBeLessThanOrEqual(32);
    expect(held(PROMPT.repeat(9))).toBeLessThanOrEqual(430);
    expect(held('y '.repeat(20) + 'o'.padStart(5000))).toBeLessThanOrEqual(64);
  });
});
