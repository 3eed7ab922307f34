import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { corsOrigins, flag, settingsIn, variablesOf, wholeNumber } from './env.ts';

describe('allowed origins', () => {
  const { schema } = corsOrigins;

  it('are comma-separated origins', () => {
    expect(schema.parse('https://a.example, http://localhost:5173')).toEqual([
      'https://a.example',
      'http://localhost:5173',
    ]);
    expect(schema.parse(undefined)).toEqual([]);
  });

  it.each(['*', 'https://*.example.com', 'a.example', 'https://a.example/', 'https://A.example', 'file:///x', 'null'])(
    'are refused if one is not an origin: %s',
    (text) => expect(schema.safeParse(text).success).toBe(false),
  );
});

describe('an integer', () => {
  const { schema } = wholeNumber({ unit: 'milliseconds', min: 100, max: 870_000, default: 500 });

  it.each([
    [undefined, 500],
    ['100', 100],
    ['870000', 870_000],
  ])('is parsed: %j', (text, value) => expect(schema.parse(text)).toBe(value));

  it.each(['', '99', '0100', '1e3', ' 100', '100.5', '-100', '1000000'])('is refused outside its range: %j', (text) =>
    expect(() => schema.parse(text)).toThrow('must be a whole number of milliseconds from 100 to 870000'),
  );

  it('is refused above the maximum', () => expect(schema.safeParse('870001').success).toBe(false));
});

it('settings have their names, and their defaults if a variable is absent', () => {
  const table = {
    keepaliveMs: {
      variable: 'SVC_A',
      ...wholeNumber({ unit: 'milliseconds', min: 1, max: 9, default: 5 }),
      description: '',
    },
    isOn: { variable: 'SVC_B', ...flag(true), description: '' },
  } as const;
  const read = (env: object) => settingsIn(table, z.object(variablesOf(table)).parse(env));
  expect(read({})).toEqual({ keepaliveMs: 5, isOn: true });
  expect(read({ SVC_A: '7', SVC_B: 'false', SVC_C: 'other' })).toEqual({ keepaliveMs: 7, isOn: false });
});
