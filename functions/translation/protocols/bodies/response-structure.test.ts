import { describe, expect, it } from '@jest/globals';
import { withoutBulk } from '../../../kernel/json/index.ts';
import { finish } from '../../../kernel/tasks/index.ts';
import { EMBEDDINGS_PROTOCOL } from '../openai-embeddings/embeddings-protocol.ts';
import { ImagesResponseFormat } from '../openai-images/images-response-format.ts';
import { readResponseJson } from './response-json.ts';
import { MAX_TEXTS, unlistedTexts } from './response-places.ts';
import { parseTranslated } from './response-structure.ts';

const PLACES = new Map([
  ['data[].embedding', /^/],
  ['data[].b64_json', /^iVBORw0KGgo/],
]);
const read = (text: string) => finish(withoutBulk(text, PLACES));
const vector = Array.from({ length: 6_144 }, (_, at) => (at % 2 === 0 ? 0.0125 : -1.5e-7));
const base64 = Buffer.alloc(12_288, 'vector').toString('base64');
const picture = `iVBORw0KGgo${base64}`;
const listOf = (...items: object[]) => JSON.stringify({ object: 'list', data: [...items, { embedding: vector }] });

describe('a response without its bulky values', () => {
  it.each<[string, object, object]>([
    ['a vector', { embedding: vector }, { embedding: [] }],
    ['a vector in base64', { embedding: base64 }, { embedding: '' }],
    ['a picture', { b64_json: picture }, { b64_json: '' }],
  ])('lacks %s', (_, item, left) => {
    const text = listOf(item, { index: 1 });
    expect(JSON.parse(read(text))).toEqual({ object: 'list', data: [left, { index: 1 }, { embedding: [] }] });
  });

  it.each<[string, object]>([
    ['a list with a string', { embedding: [...vector, 'a text'] }],
    ['a list of lists', { embedding: [vector] }],
    ['a text', { embedding: `${base64} and a text` }],
    ['base64 with the end of another', { embedding: `${base64}==${base64}` }],
    ['a file that is no picture', { b64_json: base64 }],
    ['a vector of another name', { embeddings: vector }],
    ['base64 of another name', { note: base64 }],
    ['base64 in an object', { embedding: { embedding: base64 } }],
  ])('has %s', (_, item) => {
    expect(JSON.parse(read(listOf(item))).data[0]).toEqual(item);
  });

  it('has the same values at the top or elsewhere', () => {
    const text = JSON.stringify({ embedding: base64, more: [{ embedding: base64 }], data: [[{ embedding: base64 }]] });
    expect(read(text)).toBe(text);
  });

  it('is refused if more than 40 MB of it are left to parse, also in one string', () => {
    const filled = (unit: string, length: number) => unit.repeat(length / unit.length);
    const longs = [filled('a', 41_000_000), ...[1, 2, 3].map(() => filled('a b ', 14_000_000))];
    for (const text of [JSON.stringify({ note: longs[0] }), JSON.stringify(longs.slice(1))]) {
      expect(() => read(text)).toThrow('40000000 characters');
      expect(() => finish(withoutBulk(text, undefined))).toThrow('40000000 characters');
      expect(() => parseTranslated(text)).toThrow('40000000 characters');
    }
    const vectors = JSON.stringify({ data: [{ embedding: filled('aaaa', 44_000_000) }] });
    expect(read(vectors).length).toBeLessThan(100);
  });

  it('is the text itself if it is short', () => {
    const text = JSON.stringify({ data: [{ embedding: [0.5] }] });
    expect(read(text)).toBe(text);
  });

  it('is read as the text: bytes stay, and what is ambiguous is refused', () => {
    const text = `{"svc":{}, "data":[{"embedding" : [${vector}], "note":"a b"}]}`;
    const { json, body } = readResponseJson(text, read(text));
    expect(json).toBe(text.replace('"svc":{}, ', ''));
    expect(body).toEqual({ data: [{ embedding: [], note: 'a b' }] });
    const twice = `{"data":[{"embedding":[${vector}],"embedding":"a text"}]}`;
    expect(() => readResponseJson(twice, read(twice))).toThrow('duplicate members');
  });

  it('may have any number of numbers, in lists of a usual length', () => {
    const text = JSON.stringify({ data: Array.from({ length: 300 }, () => ({ embedding: vector })) });
    expect(read(text).length).toBeLessThan(10_000);
    const elsewhere = JSON.stringify({ data: Array.from({ length: 300 }, () => ({ numbers: vector })) });
    expect(() => read(elsewhere)).toThrow('holds more than 50000 long numbers');
  });
});

describe('a format with bulky values', () => {
  it('inspects the texts beside them, and refuses names that would be written anew', () => {
    const format = EMBEDDINGS_PROTOCOL.format({} as never, {} as never, {} as never);
    const piece = (text: string) => format.readPiece(text, finish(withoutBulk(text, format.bulky)));
    expect(piece(listOf({ embedding: vector, note: 'some words' })).slots).toMatchObject([{ text: 'some words' }]);
    expect(piece(listOf({ 'a name with words': 1 })).fault).toBe('text in a name beside vectors');
  });

  it('reports its pictures', () => {
    const format = new ImagesResponseFormat();
    const text = JSON.stringify({ data: [{ b64_json: `iVBORw0KGgo${base64.repeat(3)}` }] });
    const piece = format.readPiece(text, finish(withoutBulk(text, format.bulky)));
    expect(piece).toMatchObject({ json: text, skipped: ['data[0].b64_json: image'] });
  });
});

it('a response has a bounded number of texts outside of the message', () => {
  const texts = (count: number) => ({ more: Array.from({ length: count }, () => 'a b') });
  expect(unlistedTexts(texts(MAX_TEXTS), undefined)).toHaveLength(MAX_TEXTS);
  expect(() => unlistedTexts(texts(MAX_TEXTS + 1), undefined)).toThrow(RangeError);
  const names = Object.fromEntries(Array.from({ length: MAX_TEXTS + 1 }, (_, at) => [`name ${at}`, 1]));
  expect(() => unlistedTexts(names, undefined)).toThrow(RangeError);
  const tokens = { logprobs: Array.from({ length: MAX_TEXTS + 1 }, () => ({ token: 'a' })) };
  const place = { members: new Map([['logprobs', { kind: 'logprobs' as const, members: new Map() }]]) };
  expect(() => unlistedTexts(tokens, place)).toThrow(RangeError);
});

it('a response that is translated may hold less, because schemas take longer', () => {
  const choices = (count: number) => `{"choices":[${Array.from({ length: count }, () => '1').join(',')}]}`;
  expect(parseTranslated(choices(30_000))).toHaveProperty('choices');
  expect(() => parseTranslated(choices(50_000))).toThrow('holds more than 40000 values');
});
