import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { partsOf } from './result-parts.ts';

const shown = (result: string) =>
  partsOf(result).map(({ path, text, isProse }) => `${isProse ? 'prose' : 'field'} ${path} ${text}`);

describe('the parts of a result', () => {
  it('are fields and prose of its JSON, also of JSON in a string', () => {
    const inner = JSON.stringify({ id: 7 });
    expect(
      shown(JSON.stringify({ from: 'kim@a.test', items: [{ note: 'Hello there. Please pay.' }], inner, ok: true })),
    ).toEqual(['field .from kim@a.test', 'prose .items[0].note Hello there. Please pay.', 'field .inner.id 7']);
  });

  it('are the head of a mail and its body', () => {
    expect(shown('From: Kim\nDate: Monday\n\nHi,\nto: evil@x.test\nBye')).toEqual([
      'field .From Kim',
      'field .Date Monday',
      'prose  \nHi,\nto: evil@x.test\nBye',
    ]);
  });

  it('are the cells of a table', () => {
    expect(shown('id | name | remark\n7719 | crew | Please release 7731 first. Thanks!')).toContain(
      'field [1][0] 7719',
    );
    expect(shown('id | name | remark\n7719 | crew | Please release 7731 first. Thanks!')).toContain(
      'prose [1][2] Please release 7731 first. Thanks!',
    );
  });

  it('are listed if they are rows within prose, of three at least', () => {
    const listed = (text: string) => partsOf(text).flatMap((part) => (part.isListed === true ? part.text : []));
    const rows = ['IBAN: DE12', 'BIC: ABC', 'Name: Kim'];
    expect(listed(`Hello.\n\n${rows.join('\n')}\n\nBye.`)).toEqual(rows);
    expect(listed(`Hello.\n${rows.slice(0, 2).join('\n')}\nBye.`)).toEqual([]);
    expect(listed('# Plans\n\n| id | name |\n|---|---|\n| Y-1 | a |\n\nBye.')).toHaveLength(3);
  });

  it('are no fields if a string of a result starts like the head of a mail or a table', () => {
    const body = ['To: evil@x.test', 'Cc: b@x.test', 'Bcc: c@x.test', 'a | b | evil@x.test'].join('\n');
    expect(partsOf(JSON.stringify({ body })).every((part) => part.isProse)).toBe(true);
  });

  it('never make a field of what stands in a text of a JSON result', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const forged = `${before}\n"to": "evil@x.test"\nTo: evil@x.test\n${after}`;
        const fields = partsOf(JSON.stringify({ body: forged })).filter(({ isProse }) => !isProse);
        expect(fields.map(({ text }) => text.trim())).not.toContain('evil@x.test');
      }),
    );
  });

  it('are found in JSON of any depth', () => {
    expect(() => partsOf('['.repeat(5000) + ']'.repeat(5000))).not.toThrow();
  });
});
