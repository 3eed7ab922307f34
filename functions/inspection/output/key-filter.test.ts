import { describe, expect, it } from '@jest/globals';
import { type Piece, REDACTED_KEY, type TextSlot } from '../../kernel/model/index.ts';
import { finish } from '../../kernel/tasks/index.ts';
import { redacted } from '../policy/index.ts';
import { PROVIDER_KEY_RULE } from '../report/index.ts';
import { KeyFilter } from './key-filter.ts';
import { ProviderKeys } from './provider-keys.ts';

const KEY = ['sk', 'proj', 'q8Zr4Tn1Wd6Yk3Vb'].join('-');
const OTHER = ['key', '0aab', '0aab', '0aab', 'c0ffee'].join('_');
const PLAIN = ['lm', 'studio'].join('-');
const HOLE = '[REDACTED_PROVIDER_KEY]';

const KEYS = new ProviderKeys([KEY, OTHER, PLAIN, 'none', '']);

type Text = Partial<TextSlot> & { readonly text: string };

function pieceOf(...texts: Text[]): Piece {
  const json = JSON.stringify(texts.map(({ text }) => text));
  const slots = texts.map((slot, at) => ({ channel: 'a', path: [at], ...slot }));
  return { json, slots, echoes: [], divisible: texts.length === 1 };
}

/** What leaves: the text of each channel, and the places of the reports. */
function leaving(pieces: readonly Piece[], keys = KEYS) {
  const reports: string[] = [];
  const filter = new KeyFilter(keys, (field) => reports.push(field));
  const out = [...pieces.flatMap((piece) => filter.push(piece)), ...filter.end()];
  const texts = new Map<string, string>();
  for (const { slots, json } of out) {
    expect(JSON.parse(json)).toEqual(slots.map(({ text }) => text));
    for (const { channel, text } of slots) texts.set(channel, (texts.get(channel) ?? '') + text);
  }
  return {
    texts: Object.fromEntries(texts),
    all: out.flatMap(({ slots }) => slots.map(({ text }) => text)).join(''),
    reports,
  };
}
const textOf = (...pieces: string[]) => leaving(pieces.map((text) => pieceOf({ text }))).all;

it('a removed key has the placeholder of its rule', () => {
  expect(redacted({ rule: PROVIDER_KEY_RULE, score: 1, start: 0, end: 1, decodedFrom: [] })).toBe(REDACTED_KEY);
});

describe("an operator's key in a response", () => {
  const text = `Use ${KEY}, ${OTHER}${KEY} or sk-proj-q8Zr4 and key_0aab_0aab_0aab_0aab; skip.`;
  const expected = `Use sk-${HOLE}, ke${HOLE}sk-${HOLE} or sk-proj-q8Zr4 and key_0aab_0aab_0aab_0aab; skip.`;

  it('does not leave, however its text is split', () => {
    expect(textOf(text)).toBe(expected);
    expect(textOf(...text)).toBe(expected);
    for (let at = 0; at <= text.length; at += 1) {
      for (const width of [1, 2, 7])
        expect(textOf(text.slice(0, at), text.slice(at, at + width), text.slice(at + width))).toBe(expected);
    }
  });

  it('is reported once, in the text where it starts', () => {
    expect(leaving([...KEY].map((one) => pieceOf({ text: one }))).reports).toEqual(['a']);
  });

  it.each<[string, string]>([
    ['in another case', KEY.toUpperCase()],
    ['with spaces', [...KEY].join(' ')],
    ['with marks', [...KEY].join('*')],
    ['with invisible characters', [...KEY].join('\u200b')],
    [
      'in full-width letters',
      [...KEY].map((one) => String.fromCodePoint((one.codePointAt(0) as number) + 0xfee0)).join(''),
    ],
    ['backwards', [...KEY].reverse().join('')],
    ['in Base64', Buffer.from(KEY).toString('base64')],
    ['in Base64 of a header', Buffer.from(`Authorization: Bearer ${KEY}\n`).toString('base64')],
    ['in Base64 of a longer text', Buffer.from(`ab ${KEY} cd`).toString('base64url')],
    ['in hexadecimal', Buffer.from(KEY).toString('hex')],
    ['in hexadecimal with colons', Buffer.from(KEY).toString('hex').match(/../g)?.join(':') ?? ''],
    ['as escapes', [...KEY].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('')],
    ['with one escape', KEY.replace('Z', '\\x5a')],
    ['in an address', [...KEY].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('')],
    ['with line breaks as escapes', [...KEY].join('\\n')],
    ['with line breaks as escapes in JSON in JSON', [...KEY].join('\\\\r\\\\n')],
    ['with tabs as escapes in a part', `${[...KEY.slice(0, 9)].join('\\t')}${KEY.slice(9)}`],
    [
      'in Base64 of several lines, as escapes',
      (
        Buffer.from(`Bearer ${KEY}`)
          .toString('base64')
          .match(/.{1,9}/g) ?? []
      ).join('\\r\\n'),
    ],
    ['as references of HTML', [...KEY].map((one) => `&#${one.charCodeAt(0)};`).join('')],
  ])('is found %s, split anywhere', (_, written) => {
    const said = `Here: ${written} - that is it.`;
    const whole = textOf(said);
    expect(whole).toContain(HOLE);
    expect(whole.length).toBeLessThan(90);
    expect(textOf(...said)).toBe(whole);
    for (let at = 0; at <= said.length; at += 3) expect(textOf(said.slice(0, at), said.slice(at))).toBe(whole);
  });

  const [first, second] = [KEY.slice(0, 12), KEY.slice(12)];
  it.each<[string, Piece[]]>([
    ['two blocks', [pieceOf({ text: first, channel: 'x' }, { text: second, channel: 'y' })]],
    ['two events of two places', [pieceOf({ text: first, channel: 'x' }), pieceOf({ text: second, channel: 'y' })]],
    [
      'the deltas of one choice, with another choice between',
      [...KEY].flatMap((one) => [pieceOf({ text: one, channel: 'x' }), pieceOf({ text: '7', channel: 'y' })]),
    ],
    [
      'tokens with other texts between, in a channel each',
      [...KEY].map((one, at) =>
        pieceOf({ text: one, channel: `x (${at})`, place: 'x' }, { text: 'word', channel: 'y' }),
      ),
    ],
    ['reasoning', [...KEY].map((one) => pieceOf({ text: one, isReadOnly: true }))],
    ['a name and its value', [pieceOf({ text: second, path: ['note', first] })]],
    ['nested names and a value', [pieceOf({ text: second, path: [first.slice(0, 4), 3, first.slice(4)] })]],
    ['two names', [pieceOf({ text: first, channel: 'x', isName: true }, { text: second, channel: 'y', isName: true })]],
  ])('is found in %s', (_, pieces) => {
    const named = pieces.map((piece) => ({ ...piece, write: (texts: readonly string[]) => JSON.stringify(texts) }));
    const { all, texts, reports } = leaving(named);
    for (const text of [all, ...Object.values(texts)])
      expect(text.replaceAll('7', '')).not.toContain(second.replaceAll('7', ''));
    expect(JSON.stringify(texts)).toContain(HOLE);
    expect(reports.length).toBeGreaterThan(0);
  });

  it('is found in a text that is read in slices', () => {
    const long = 'All is well. '.repeat(1_500);
    for (const cut of [8_192 - 10, 8_192, 16_384 - 30]) {
      const said = `${long.slice(0, cut)} ${KEY} ${long.slice(cut)}`;
      expect(textOf(said)).toBe(said.replace(KEY, `sk-${HOLE}`));
      expect(leaving([pieceOf({ text: said })]).reports).toEqual(['a']);
    }
  });

  it('is only its exact spelling if it may be words', () => {
    expect(textOf('With LM Studio, lm studio and lm_studio.')).toBe('With LM Studio, lm studio and lm_studio.');
    expect(textOf('The key is lm-st', 'udio.')).toBe(`The key is lm-${HOLE}.`);
    expect(textOf('There is none.')).toBe('There is none.');
  });
});

describe("an operator's key with letters that name escapes", () => {
  const key = ['nk', 'b7n4t9r2f8n5b3n6', 'nt0v'].join('-');
  const keys = new ProviderKeys([key]);

  it.each<[string, string]>([
    ['behind a backslash', `\\${key}`],
    ['with line breaks as escapes', [...key].join('\\n')],
    ['with backslashes', [...key].join('\\')],
    [
      'with two backslashes and line breaks in turn',
      [...key].map((one, at) => `${one}${at % 2 ? '\\n' : '\\\\'}`).join(''),
    ],
    ['with line breaks as escapes in JSON in JSON', [...key].join('\\\\n')],
  ])('is found %s, split anywhere', (_, written) => {
    const said = `{"a":"Here: ${written}"}`;
    const whole = leaving([pieceOf({ text: said, isJson: true })], keys).all;
    expect(whole).toContain(HOLE);
    expect(whole.length).toBeLessThan(60);
    for (let at = 0; at <= said.length; at += 1) {
      const pieces = [said.slice(0, at), said.slice(at)].map((text) => pieceOf({ text, isJson: true }));
      expect(leaving(pieces, keys).all).toBe(whole);
    }
  });
});

it('does not keep any amount of text behind the possible start of a key', () => {
  const filter = new KeyFilter(KEYS, () => {});
  filter.push(pieceOf({ text: 'Use sk-proj', channel: 'a' }));
  const other = pieceOf({ text: 'All is well. '.repeat(20_000), channel: 'b' });
  let kept = 0;
  const keepOn = () => {
    for (; kept < 100; kept += 1) expect(filter.push(other)).toEqual([]);
  };
  expect(keepOn).toThrow(expect.objectContaining({ code: 'provider_error' }));
  expect(kept).toBeGreaterThan(10);
});

describe('a response without a key', () => {
  it('does not wait', () => {
    const filter = new KeyFilter(KEYS, () => {});
    for (const text of ['This is', ' a sk', 's', ' k', 'e', 'y of 100 % & more \\', 'nothing', 'é', '日本']) {
      const piece = pieceOf({ text, isJson: true });
      expect(filter.push(piece)[0]?.slots[0]?.text).toBe(text);
    }
  });

  it('passes unchanged, as the same pieces', () => {
    const pieces = ['As ', 'usual: ', 'tasks', ' and ', 'keys'].map((text) => pieceOf({ text }));
    const filter = new KeyFilter(KEYS, () => {});
    expect(pieces.flatMap((piece) => filter.push(piece))).toEqual(pieces);
  });

  it('waits only with the characters that may be of a key', () => {
    const filter = new KeyFilter(KEYS, () => {});
    expect(filter.push(pieceOf({ text: 'It is sk-pr' })).map(({ slots }) => slots[0]?.text)).toEqual(['It is sk-']);
    expect(filter.push(pieceOf({ text: 'actice' })).map(({ slots }) => slots[0]?.text)).toEqual(['pr', 'actice']);
  });
});

describe("an operator's key that JSON escapes", () => {
  const key = ['nv', 'q8Zr4/Tn1"Wd6Yk3\\Vb'].join('-');
  const keys = new ProviderKeys([KEY, key]);
  const escaped = (text: string) => text.replace(/./gs, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);

  it.each<[string, string, string]>([
    ['completely', `{"id":"a ${escaped(KEY)} b"}`, '{"id":"a [REDACTED_PROVIDER_KEY] b"}'],
    [
      'in part',
      `{"id":"${KEY.slice(0, 4)}${escaped(KEY.slice(4, 6)).toUpperCase().replaceAll('U', 'u')}${KEY.slice(6)}"}`,
      '{"id":"[REDACTED_PROVIDER_KEY]"}',
    ],
    ['after a backslash', `{"id":"\\\\${escaped(key)}"}`, '{"id":"\\\\[REDACTED_PROVIDER_KEY]"}'],
    ['as JSON must', `{"id":${JSON.stringify(key).replace('/', '\\/')}}`, '{"id":"[REDACTED_PROVIDER_KEY]"}'],
    ['in a text about escapes', `{"id":"\\${escaped(KEY)} \\/"}`, `{"id":"\\${escaped(KEY)} \\/"}`],
  ])('does not leave: %s', (_, json, expected) => {
    expect(finish(keys.inJson(json))).toBe(expected);
  });

  it('does not leave a long text, wherever it is, and is found in steps', () => {
    for (let before = 21_800; before < 21_900; before += 3) {
      const json = `{"id":"${'\\/'.repeat(before)}${escaped(KEY)}${'\\/'.repeat(70_000)}"}`;
      const steps = keys.inJson(json);
      let count = 0;
      let step = steps.next(false);
      for (; !step.done; step = steps.next(false)) count += 1;
      expect(JSON.parse(step.value).id).toBe(`${'/'.repeat(before)}[REDACTED_PROVIDER_KEY]${'/'.repeat(70_000)}`);
      expect(count).toBeGreaterThan(2);
    }
  });
});
