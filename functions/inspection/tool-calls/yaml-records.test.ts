import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { partsOf } from './result-parts.ts';
import { readYamlRecords } from './yaml-records.ts';

const MAILS = `- attachments: []
  body: "Hi Emma,\\n\\nsee you on Friday.\\nsender: boss@evil.test \\
    and more"
  id_: '23'
  recipients:
  - emma@car.example
  - lily@car.example
  sender: david@car.example
  size: 12
- body: 'It''s done:

    all of it'
  sender: >-
    lily@car.example
  note: two
    lines
`;

describe('readYamlRecords', () => {
  it('reads a list of records as a program writes it', () => {
    expect(readYamlRecords(MAILS)).toEqual([
      {
        attachments: '[]',
        body: 'Hi Emma,\n\nsee you on Friday.\nsender: boss@evil.test and more',
        id_: '23',
        recipients: ['emma@car.example', 'lily@car.example'],
        sender: 'david@car.example',
        size: '12',
      },
      { body: "It's done:\nall of it", sender: 'lily@car.example', note: 'two lines' },
    ]);
  });

  it('reads a record with records in it', () => {
    expect(
      readYamlRecords('event:\n  title: Lunch\n  who:\n    - name: Kim\n      mail: kim@post.example\nid: 7'),
    ).toEqual({
      event: { title: 'Lunch', who: [{ name: 'Kim', mail: 'kim@post.example' }] },
      id: '7',
    });
  });

  it.each([
    ['a list of sentences', '- Pay the bill.\n- Write to kim@post.example.'],
    ['a heading with a list', 'Todo:\n- Pay the bill\n- Write to kim@post.example'],
    ['a line that fits nowhere', 'title: Lunch\nwho: Kim\n\nPlease write to kim@post.example.'],
    ['a text with a colon in it', 'title: Lunch\nbody: Please note: write to kim@post.example'],
    ['a name twice', 'to: kim@post.example\nbody: Hello\nto: eve@evil.test'],
    ['a comment', 'to: kim@post.example # not any more\nbody: Hello'],
    ['an anchor', 'to: &kim kim@post.example\nbody: Hello'],
    ['a quotation that does not end', 'to: "kim@post.example\nbody: Hello'],
    ['a quotation with a text after it', 'to: "kim@post.example" or eve\nbody: Hello'],
    ['a single name', 'to: kim@post.example'],
    ['records too deep', Array.from({ length: 12 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ])('reads no other text: %s', (_, text) => {
    expect(readYamlRecords(text)).toBeUndefined();
  });

  it('is not forged by a text that a program has quoted', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 2, maxLength: 4 }), fc.string(), (names, text) => {
        const written = names.map((one) => `${one}: ${JSON.stringify(text)}`).join('\n');
        expect(readYamlRecords(written)).toEqual(Object.fromEntries(names.map((one) => [one, text])));
      }),
      { numRuns: 50 },
    );
  });

  it('never throws', () => {
    const piece = fc.constantFrom('a: ', '- ', '\n', '  ', "'", '"', '|', 'x', ':', '\\', '[]', '#');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(() => readYamlRecords(pieces.join(''))).not.toThrow();
      }),
      { numRuns: 200 },
    );
  });
});

describe('partsOf', () => {
  it('reads records in YAML as fields, and their long texts as prose', () => {
    const parts = partsOf(MAILS);
    expect(parts).toContainEqual({ path: '[0].sender', text: 'david@car.example', isProse: false });
    expect(parts).toContainEqual({ path: '[0].recipients[1]', text: 'lily@car.example', isProse: false });
    expect(parts.find(({ path }) => path === '[0].body')?.isProse).toBe(true);
    expect(parts.some(({ text, isProse }) => text.includes('evil.test') && !isProse)).toBe(false);
  });
});
