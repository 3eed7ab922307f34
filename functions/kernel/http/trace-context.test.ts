import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readTraceParent, readTraceState, writeTraceParent } from './request-trace.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const VALID = `00-${TRACE}-${SPAN}-01`;

const hex = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
    .map((digits) => digits.join(''))
    .filter((text) => /[^0]/.test(text));
const parent = fc.record({ traceId: hex(32), parentId: hex(16), sampled: fc.boolean(), random: fc.boolean() });

describe('a traceparent', () => {
  it('is read as it was written', () =>
    fc.assert(fc.property(parent, (told) => expect(readTraceParent(writeTraceParent(told))).toEqual(told))));

  it('is read with both flags that are known, and without those that are not', () => {
    const flagsOf = (flags: string) => readTraceParent(`00-${TRACE}-${SPAN}-${flags}`);
    expect(flagsOf('00')).toMatchObject({ sampled: false, random: false });
    expect(flagsOf('03')).toMatchObject({ sampled: true, random: true });
    expect(flagsOf('fe')).toMatchObject({ sampled: false, random: true });
    expect(writeTraceParent(flagsOf('ff') as never)).toBe(`00-${TRACE}-${SPAN}-03`);
  });

  it.each([
    ['absent', null],
    ['empty', ''],
    ['of version ff', `ff${VALID.slice(2)}`],
    ['of upper case', VALID.toUpperCase()],
    ['of an all-zero trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['of an all-zero span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['too short', VALID.slice(0, -1)],
    ['longer than version 00 is', `${VALID}-00`],
    ['longer by a blank', `${VALID} `],
    ['two, as joined headers', `${VALID}, ${VALID}`],
    ['of a later version that goes on without a dash', `01${VALID.slice(2)}.what`],
    ['without dashes', VALID.replaceAll('-', '_')],
    ['of other digits', VALID.replace('4bf9', '4bg9')],
  ])('is none where it is %s', (_why, value) => expect(readTraceParent(value)).toBeUndefined());

  it.each([`cc${VALID.slice(2)}`, `01${VALID.slice(2)}-what-comes-then`, `01${VALID.slice(2)}-`])(
    'of a later version is read by what this one knows: %s',
    (value) => expect(readTraceParent(value)).toMatchObject({ traceId: TRACE, parentId: SPAN, sampled: true }),
  );

  it('that is changed anywhere is another one, or none', () =>
    fc.assert(
      fc.property(fc.nat(54), fc.constantFrom(...' _-gG.0a9\u0000'), (at, character) => {
        const changed = VALID.slice(0, at) + character + VALID.slice(at + 1);
        const told = readTraceParent(changed);
        if (told === undefined || changed === VALID) return;
        // Flags and version may differ without a change in meaning.
        expect(at <= 1 || at >= 53 || told.traceId !== TRACE || told.parentId !== SPAN).toBe(true);
      }),
    ));

  it('never throws, and never tells ids that are none', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ minLength: 55, maxLength: 60 })), (text) => {
        const told = readTraceParent(text);
        if (told !== undefined) expect(told.traceId + told.parentId).toMatch(/^[0-9a-f]{48}$/);
      }),
    ));
});

describe('a tracestate', () => {
  it.each([
    ['congo=t61rcWkgMzE', 'congo=t61rcWkgMzE'],
    ['rojo=00f067aa0ba902b7, congo=t61rcWkgMzE', 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'],
    [' a=1 ,\t b=2\t', 'a=1,b=2'],
    ['a=1,,b=2', 'a=1,b=2'],
    ['fw529a3039@dt=FfAA!~ x', 'fw529a3039@dt=FfAA!~ x'],
    ['0a=1', '0a=1'],
  ])('passes %s on', (value, passed) => expect(readTraceState(value)).toBe(passed));

  it.each([
    ['absent', null],
    ['empty', ''],
    ['of a key twice', 'a=1,b=2,a=3'],
    ['of a key in upper case', 'A=1'],
    ['without a value', 'a='],
    ['without a key', '=1'],
    ['without an equals sign', 'a'],
    ['of a value with an equals sign', 'a=1=2'],
    ['of two systems', 'a@b@c=1'],
    ['of 33 members', Array.from({ length: 33 }, (_, at) => `k${at}=1`).join(',')],
    ['longer than everybody passes on', `a=${'x'.repeat(255)},b=${'x'.repeat(255)}`],
    ['of what is no ASCII', 'a=é'],
  ])('is dropped where it is %s', (_why, value) => expect(readTraceState(value)).toBeNull());

  it('that was passed on is passed on again as it is', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        const passed = readTraceState(text);
        if (passed !== null) expect(readTraceState(passed)).toBe(passed);
      }),
    ));
});
