import { expect, it } from '@jest/globals';
import { Output, type OutputOptions } from './output.ts';

/** What a list prints on a terminal of this width. */
function printed(columns: number | undefined, print: (out: Output) => void, options: Partial<OutputOptions> = {}) {
  const texts = { out: '', error: '' };
  const out = new Output({
    json: false,
    columns,
    stdout: (text) => {
      texts.out += text;
    },
    stderr: (text) => {
      texts.error += text;
    },
    ...options,
  });
  print(out);
  return { lines: texts.out.split('\n').slice(0, -1), error: texts.error };
}

const KEY = {
  id: `key_${'5c'.repeat(16)}`,
  name: 'Checkout assistant of the shop',
  state: 'active',
  at: '2026-11-21T09:30:15.123Z',
};
const list = (out: Output) =>
  out.list([KEY], { ID: ({ id }) => id, NAME: ({ name }) => name, STATE: ({ state }) => state, AT: ({ at }) => at });

it('nothing is cut without a terminal', () => {
  expect(printed(undefined, list)).toEqual({
    lines: [
      'ID                                    NAME                            STATE   AT',
      `${KEY.id}  Checkout assistant of the shop  active  2026-11-21T09:30:15.123Z`,
    ],
    error: '',
  });
});

it.each([
  [120, `${KEY.id}  Checkout assistant of the shop  active  2026-11-21T09:30:15.123Z`, ''],
  [94, `${KEY.id}  Checkout assistant of the shop  active  2026-11-21 09:30`, ''],
  [80, `${KEY.id}  Checkout assist…  active  2026-11-21 09:30`, ''],
  [70, `${KEY.id}  Checkout assistant of t…  active`, 'Not shown: AT. Widen the terminal, or use --json.\n'],
  [40, KEY.id, 'Not shown: NAME, STATE, AT. Widen the terminal, or use --json.\n'],
])('a table fits %d columns, and ids stay whole', (columns, row, error) => {
  const { lines, error: said } = printed(columns, list);
  expect([lines[1], said]).toEqual([row, error]);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
});

it('characters that take two columns are counted as two', () => {
  const rows = [{ name: '店店店' }, { name: 'abc' }];
  const { lines } = printed(undefined, (out) => out.list(rows, { NAME: ({ name }) => name, X: () => 1 }));
  expect(lines).toEqual(['NAME    X', '店店店  1', 'abc     1']);
});

it('a long value of one thing continues below its beginning', () => {
  const { lines } = printed(20, (out) => out.thing({ id: 'key_1', tags: 'a'.repeat(20) }));
  expect(lines).toEqual(['id    key_1', `tags  ${'a'.repeat(14)}`, `      ${'a'.repeat(6)}`]);
});

it('progress is shown on a terminal only, and removed before the result', () => {
  const work = (out: Output) => {
    out.progress('Read 100 keys');
    out.line('done');
  };
  expect(printed(80, work, { showsProgress: true })).toEqual({
    lines: ['done'],
    error: '\r\u001b[2KRead 100 keys\r\u001b[2K',
  });
  expect(printed(undefined, work)).toEqual({ lines: ['done'], error: '' });
});

it('no output steers a terminal, and JSON keeps its values', () => {
  const name = 'a\u001b[2J\u009b2J\u007f\u202e\u2028b';
  const prints: ((out: Output) => void)[] = [
    (out) => out.list([{ name }], { NAME: (one) => one.name }),
    (out) => out.thing({ name }),
    (out) => out.objects([{ name }]),
    (out) => out.secret(name, { name }, name),
  ];
  for (const json of [false, true]) {
    for (const print of prints) {
      const { lines, error } = printed(undefined, print, { json });
      expect(lines.join('') + error.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      if (json) expect(JSON.parse(lines.at(-1) as string)).toEqual({ name });
    }
  }
});
