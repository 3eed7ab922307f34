import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createInspector, Policy, Redaction, type ruleOf } from '../../../inspection/index.ts';
import { OutputGuard } from '../../../inspection/output/output-guard.ts';
import type { Piece, ResponsePiece, SecurityInfo } from '../../../kernel/model/index.ts';
import { PlainTranscriptFormat, TranscriptFormat } from './transcript-format.ts';

type Rule = NonNullable<ReturnType<typeof ruleOf>>;
const RULE: Omit<Rule, 'id' | 'patterns' | 'forcedAction'> = {
  type: 'secret',
  category: 'code',
  severity: 'high',
  score: 1,
  view: 'exact',
  surfaces: ['output'],
  message: 'A code.',
  owasp: 'LLM02:2025',
  atlas: null,
};
/** Both patterns span words, and therefore segments and subtitles. */
const INSPECTOR = createInspector([
  { ...RULE, id: 'test/redact', patterns: ['red code seven'], forcedAction: 'redact' },
  { ...RULE, id: 'test/block', patterns: ['blue code nine'], forcedAction: 'block' },
]);
const SVC = { action: 'allow' } as unknown as SecurityInfo;
// biome-ignore lint/suspicious/noExplicitAny: its shape is what is tested
type Json = any;

function guardFor(streams: boolean): OutputGuard {
  return new OutputGuard(INSPECTOR, new Policy({}), new Redaction('test'), () => {}, { streams });
}

/** A whole response, as `ResponseWriter` passes it. */
function passed(format: TranscriptFormat | PlainTranscriptFormat, body: string): string {
  const guard = guardFor(false);
  const piece = format.readPiece(body);
  const released = [...guard.push(piece), ...guard.end()];
  const kept = released[0]?.json ?? piece.json;
  return guard.blocked ? format.cutWhole(kept, released.length === 0) : kept;
}

const whole = (body: object): Json => JSON.parse(passed(new TranscriptFormat(), JSON.stringify(body)));
const plain = (body: string) => passed(new PlainTranscriptFormat(), body);

/** A stream, and what is sent of it. */
function streamed(events: readonly object[]): Json[] {
  const format = new TranscriptFormat();
  const guard = guardFor(true);
  const out: string[] = [];
  const emit = (pieces: readonly Piece[]) => {
    for (const piece of pieces) {
      const json = format.release(piece as ResponsePiece, guard.blocked !== undefined, () => SVC);
      if (json !== undefined) out.push(json);
    }
  };
  for (const event of events) {
    const piece = format.readPiece(JSON.stringify(event));
    format.received(piece);
    emit(guard.push(piece));
    if (guard.blocked) break;
  }
  emit(guard.end());
  if (guard.blocked) out.push(...format.blockedEnd(SVC));
  return out.map((json) => JSON.parse(json));
}

const TEXT = 'It is the red code seven today';
const SEGMENTS = [
  { id: 0, text: ' It is the red', tokens: [1, 2] },
  { id: 1, text: ' code', tokens: [3] },
  { id: 2, text: ' seven today', tokens: [4] },
];
const words = (text: string) => text.split(' ').map((word) => ({ word }));

describe('a whole transcript', () => {
  it('redacts text that spans segments in all of them, and what repeats it in another form', () => {
    const logprobs = [{ token: 'red', bytes: [114], logprob: 0 }];
    const answer = whole({ text: TEXT, segments: SEGMENTS, words: words(TEXT), logprobs, language: 'english' });
    expect(answer).toEqual({
      text: 'It is the [REDACTED_CODE] today',
      segments: [
        { id: 0, text: ' It is the [REDACTED_CODE]', tokens: [] },
        { id: 1, text: '', tokens: [] },
        { id: 2, text: ' today', tokens: [] },
      ],
      words: null,
      logprobs: null,
      language: 'english',
    });
  });

  it('of several speakers is read across them, though written without spaces', () => {
    const segments = [
      { speaker: 'A', text: 'It is the red code' },
      { speaker: 'B', text: 'seven today' },
    ];
    expect(whole({ text: `A: It is the red code\nB: seven today`, segments }).segments).toEqual([
      { speaker: 'A', text: 'It is the [REDACTED_CODE]' },
      { speaker: 'B', text: ' today' },
    ]);
  });

  it('has no segments if they say the redacted text in other words', () => {
    const segments = [{ text: 'It is the red-code-seven today' }];
    expect(whole({ text: TEXT, segments })).toEqual({ text: 'It is the [REDACTED_CODE] today', segments: [] });
  });

  it('redacts text that only its words contain', () => {
    const { words: told, text } = whole({ text: 'All is well', words: words(TEXT) });
    expect(text).toBe('All is well');
    expect(told.map(({ word }: Json) => word).join(' ')).toBe('It is the [REDACTED_CODE]   today');
  });

  it.each([
    [{ text: 'red code seven', words: [] }, 'text'],
    [{ text: 'a', segments: [{ text: 'red code seven' }] }, 'segments'],
    [{ text: 'a', segments: [{ text: 'a', speaker: 'red code seven' }] }, 'segments'],
    [{ text: 'a', words: [{ word: 'red code seven' }] }, 'words'],
    [{ later: { hints: ['red code', 'seven'] }, text: 'a' }, 'later'],
    [{ segments: [{ words: [{ word: 'red code' }, { word: 'seven' }] }], text: 'a' }, 'segments'],
  ])('is read wherever it contains text: %j', (body, field) =>
    expect(JSON.stringify(whole(body)[field])).toContain('[REDACTED_CODE]'),
  );

  it('ends where it is blocked, and so do its segments', () => {
    const text = 'All is well. It is the blue code nine today';
    const segments = [{ text: ' All is well.' }, { text: ' It is the blue code' }, { text: ' nine today' }];
    const answer = whole({ text, segments, words: words(text), logprobs: [{ token: 'All' }], task: 'transcribe' });
    expect(answer).toEqual({ text: 'All is well. It is the ', segments: [], task: 'transcribe' });
    expect(whole({ text: 'blue code nine', segments, later: 'red code seven' })).toEqual({ text: '', segments: [] });
  });

  it('passes byte for byte if nothing is found', () => {
    const body = `{ "text":"All is w\\u0065ll", "segments" : [{"text":" All","tokens":[1]}], "x":1.0 }`;
    expect(passed(new TranscriptFormat(), body)).toBe(body);
  });

  it('is invalid without its text', () => expect(new TranscriptFormat().readPiece('{"error":{}}').fault).toBeDefined());
});

describe('a transcript as text', () => {
  const srt =
    '1\r\n00:00:00,000 --> 00:00:01,000\r\nIt is the red\r\ncode\r\n\r\n2\r\n00:00:01,000 --> 00:00:02,000\r\nseven today\r\n\r\n';

  it('redacts text that spans subtitles, and keeps cue numbers and times', () => {
    const without = srt.replace('the red\r\ncode', 'the [REDACTED_CODE]\r\n').replace('seven today', ' today');
    expect(plain(srt)).toBe(without);
    expect(plain(`WEBVTT\n\n${srt.replaceAll(',', '.').replaceAll('\r', '')}`)).toBe(
      `WEBVTT\n\n${without.replaceAll(',', '.').replaceAll('\r', '')}`,
    );
  });

  it('ends where it is blocked', () => {
    expect(plain('All is well.\nIt is the blue code nine today\nand more\n')).toBe('All is well.\nIt is the \n\n');
    expect(plain('blue code nine')).toBe('');
  });

  it.each([
    ['It is the red co\nde seven today\n', 'It is the [REDACTED_CODE]\n today\n'],
    ['the red <i>code</i> seven <u>today</u>\n', 'the [REDACTED_CODE]<i></i> <u>today</u>\n'],
    ['the red<00:00:01.500> <c>code seven</c>\n', 'the [REDACTED_CODE]<00:00:01.500><c></c>\n'],
    ['red code seven, red co\nde seven\n', '[REDACTED_CODE], [REDACTED]\n\n'],
    ['red code\nseven red co\nde seven\n', '[REDACTED_CODE]\n[REDACTED]\n\n'],
    ['All is well.\nThe blue co\nde nine today\nand more\n', 'All is well.\nThe \n\n\n'],
  ])('is read without tags, and joined: %j', (body, left) => expect(plain(body)).toBe(left));

  it('is read in lines that only look like cue numbers and times', () => {
    expect(plain('00:00:00,000 --> 00:00:01,000 red code seven\n')).toContain('[REDACTED_CODE]');
    expect(plain('NOTE red code seven\n')).toContain('[REDACTED_CODE]');
  });

  it('passes unchanged with any line ending', () => {
    const text = fc.array(
      fc.constantFrom('a', '1', ' ', '\n', '\r', '\r\n', '00:00:00,000 --> 00:00:01,000', 'WEBVTT'),
    );
    fc.assert(
      fc.property(text, (pieces) => {
        const body = pieces.join('');
        const piece = new PlainTranscriptFormat().readPiece(body);
        expect(piece.write?.(piece.slots.map((slot) => slot.text))).toBe(body);
        expect(plain(body)).toBe(body);
      }),
    );
  });
});

describe('a streamed transcript', () => {
  const delta = (text: string) => ({ type: 'transcript.text.delta', delta: text });
  const done = (text: string) => ({ type: 'transcript.text.done', text, usage: { input_tokens: 1, output_tokens: 2 } });
  const split = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 });
  const cut = (text: string, sizes: readonly number[]) => {
    const pieces: string[] = [];
    for (let at = 0, turn = 0; at < text.length; turn += 1) {
      const size = sizes[turn % sizes.length] as number;
      pieces.push(text.slice(at, at + size));
      at += size;
    }
    return pieces;
  };
  const said = (events: readonly Json[]) => events.map((event) => event.delta ?? '').join('');

  it('has the same text however it is split', () => {
    fc.assert(
      fc.property(split, (sizes) => {
        const events = streamed([...cut(TEXT, sizes).map(delta), done(TEXT)]);
        expect(said(events)).toBe('It is the [REDACTED_CODE] today');
        expect(events.at(-1)).toMatchObject({ text: 'It is the [REDACTED_CODE] today', svc: SVC });
      }),
    );
  });

  it('ends where it is blocked however it is split, and its end has the text that was sent', () => {
    fc.assert(
      fc.property(split, (sizes) => {
        const text = 'All is well. It is the blue code nine today';
        const events = streamed([...cut(text, sizes).map(delta), done(text)]);
        expect(said(events)).toBe('All is well. It is the ');
        expect(events.at(-1)).toEqual({ type: 'transcript.text.done', text: 'All is well. It is the ', svc: SVC });
        expect(events.filter(({ type }) => type === 'transcript.text.done')).toHaveLength(1);
      }),
    );
  });

  it('redacts text that spans the segments of its speakers', () => {
    const segment = (text: string) => ({ type: 'transcript.text.segment', speaker: 'A', text });
    const events = streamed([segment('It is the red code'), segment('seven today'), done(TEXT)]);
    expect(events.map(({ text }) => text)).toEqual([
      'It is the [REDACTED_CODE]',
      ' today',
      'It is the [REDACTED_CODE] today',
    ]);
  });

  it('has no log probabilities of redacted tokens', () => {
    const logprobs = [{ token: 'x' }];
    const events = streamed([
      { ...delta(TEXT), logprobs },
      { ...done(TEXT), logprobs },
    ]);
    expect(events.map((event) => event.logprobs)).toEqual([null, null]);
  });

  it('passes unknown events, and inspects all their texts', () => {
    const events = streamed([
      { type: 'transcript.later', text: 'All is well' },
      { type: 'transcript.later', hints: [{ text: 'It is the red' }, { text: 'code seven' }] },
      { ...delta('a'), note: 'red code seven' },
      done('a'),
    ]);
    expect(events.slice(0, 3)).toEqual([
      { type: 'transcript.later', text: 'All is well' },
      { type: 'transcript.later', hints: [{ text: 'It is the [REDACTED_CODE]' }, { text: '' }] },
      { ...delta('a'), note: '[REDACTED_CODE]' },
    ]);
  });

  it('ends with an error if its provider reports one', () => {
    for (const event of [
      { type: 'error', message: 'no' },
      { type: 'transcript.text.delta', error: {} },
    ])
      expect(new TranscriptFormat().readPiece(JSON.stringify(event)).fault).toBeDefined();
  });
});
