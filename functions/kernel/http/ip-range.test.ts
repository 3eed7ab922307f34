import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isAllowedAddress, isIpAddress, isIpRange, isWithinRanges, networkOf } from './ip-range.ts';

/** Few different bits, so that random ranges contain random addresses. */
const octet = fc.constantFrom(0, 1, 10, 127, 128, 192, 254, 255).map(BigInt);
const group: fc.Arbitrary<bigint> = fc.oneof(
  fc.constant(0n),
  fc.constantFrom(1n, 0xffn, 0x8000n, 0xffffn, 0xa0n, 0x2001n, 0xdb8n),
);
const MAPPED = 0xffff00000000n;
const ipv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.reduce((bits, part) => (bits << 8n) | part));
const ipv6 = fc
  .oneof(
    fc
      .array(group, { minLength: 8, maxLength: 8 })
      .map((groups) => groups.reduce((bits, part) => (bits << 16n) | part)),
    ipv4,
    ipv4.map((bits) => MAPPED | bits),
  )
  .map((bits) => bits & ((1n << 128n) - 1n));

const parts = (bits: bigint, count: number, width: number) =>
  Array.from({ length: count }, (_, at) => (bits >> BigInt((count - 1 - at) * width)) & ((1n << BigInt(width)) - 1n));
const toIpv4 = (bits: bigint) => parts(bits, 4, 8).join('.');

/** An IPv6 address in one of the notations of RFC 4291, 2.2: padded or not, zeros left out or not, IPv4 at its end or not. */
const writtenIpv6 = (bits: bigint) =>
  fc
    .record({ pad: fc.boolean(), upper: fc.boolean(), dotted: fc.boolean(), from: fc.nat(7), to: fc.nat(8) })
    .map((way) => {
      const groups = parts(bits, 8, 16).map((value) => value.toString(16).padStart(way.pad ? 4 : 1, '0'));
      const written = way.dotted ? [...groups.slice(0, 6), toIpv4(bits & 0xffffffffn)] : groups;
      const isZero = groups.slice(way.from, way.to).every((text) => Number.parseInt(text, 16) === 0);
      const isWhole = way.to > way.from && way.to <= (way.dotted ? 6 : 8);
      const text =
        isZero && isWhole
          ? `${written.slice(0, way.from).join(':')}::${written.slice(way.to).join(':')}`
          : written.join(':');
      return way.upper ? text.toUpperCase() : text;
    });

const masked = (bits: bigint, width: number, prefix: number) =>
  (bits >> BigInt(width - prefix)) << BigInt(width - prefix);

describe('an address list', () => {
  it('holds exactly the addresses with the bits of a block: IPv4', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(ipv4, fc.integer({ min: 0, max: 32 })), { minLength: 1, maxLength: 3 }),
        ipv4,
        (blocks, address) => {
          const ranges = blocks.map(([start, prefix]) => `${toIpv4(masked(start, 32, prefix))}/${prefix}`);
          const expected = blocks.some(([start, prefix]) => masked(start, 32, prefix) === masked(address, 32, prefix));
          expect(isAllowedAddress(ranges, toIpv4(address))).toBe(expected);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('holds exactly the addresses with the bits of a block: IPv6, in any notation', () => {
    const cases = fc
      .tuple(ipv6, fc.integer({ min: 0, max: 128 }), ipv6)
      .chain(([start, prefix, address]) =>
        fc.tuple(
          writtenIpv6(masked(start, 128, prefix)),
          writtenIpv6(address),
          fc.constant({ prefix, expected: masked(start, 128, prefix) === masked(address, 128, prefix) }),
        ),
      );
    fc.assert(
      fc.property(cases, ([network, address, { prefix, expected }]) => {
        expect(isIpRange(`${network}/${prefix}`)).toBe(true);
        expect(isAllowedAddress([`${network}/${prefix}`], address)).toBe(expected);
      }),
      { numRuns: 5000 },
    );
  });

  it('takes both notations of one IPv4 address as the same', () => {
    fc.assert(
      fc.property(ipv4, fc.integer({ min: 0, max: 32 }), ipv4, (start, prefix, bits) => {
        const network = toIpv4(masked(start, 32, prefix));
        const address = toIpv4(bits);
        const expected = masked(start, 32, prefix) === masked(bits, 32, prefix);
        expect(isAllowedAddress([`${network}/${prefix}`], `::ffff:${address}`)).toBe(expected);
        expect(isAllowedAddress([`::ffff:${network}/${96 + prefix}`], address)).toBe(expected);
        expect(isAllowedAddress([address], `::ffff:${address}`)).toBe(true);
        expect(isAllowedAddress([`::ffff:${address}`], address)).toBe(true);
      }),
    );
  });

  it('that is empty holds every address, and one it cannot read', () => {
    for (const address of ['1.2.3.4', '::1', 'junk', '']) expect(isAllowedAddress([], address)).toBe(true);
  });

  it('that is not empty holds no address that it cannot read', () => {
    for (const address of [
      'junk',
      '',
      '1.2.3',
      '1.2.3.4 ',
      '1.2.3.4:80',
      'fe80::1%eth0',
      '::1%',
      '01.2.3.4',
      '[::1]',
    ]) {
      expect(isAllowedAddress(['0.0.0.0/0', '::/0'], address)).toBe(false);
    }
  });

  it('holds nothing by an entry that cannot be read', () =>
    expect(isAllowedAddress(['junk', '1.2.3.4/99', '1.2.3.5/24', '1.2.3.4/'], '1.2.3.4')).toBe(false));

  it('follows each list, whichever was asked before', () => {
    const first = ['10.0.0.0/8'];
    const second = ['11.0.0.0/8'];
    for (let round = 0; round < 3; round++) {
      expect([isAllowedAddress(first, '10.1.1.1'), isAllowedAddress(second, '10.1.1.1')]).toEqual([true, false]);
    }
  });
});

describe('a range', () => {
  it('has host bits of 0', () => {
    const cases = fc.tuple(ipv6, fc.integer({ min: 0, max: 128 })).chain(([bits, prefix]) =>
      fc.tuple(
        writtenIpv6(bits).map((text) => `${text}/${prefix}`),
        fc.constant(masked(bits, 128, prefix) === bits),
      ),
    );
    fc.assert(
      fc.property(cases, ([range, expected]) => expect(isIpRange(range)).toBe(expected)),
      { numRuns: 3000 },
    );
    fc.assert(
      fc.property(ipv4, fc.integer({ min: 0, max: 32 }), (bits, prefix) =>
        expect(isIpRange(`${toIpv4(bits)}/${prefix}`)).toBe(masked(bits, 32, prefix) === bits),
      ),
    );
  });

  it.each([
    '1.2.3.4',
    '1.2.3.4/32',
    '10.0.0.0/8',
    '0.0.0.0/0',
    '::/0',
    '2001:db8::/32',
    '::1',
    '::ffff:1.2.3.4/128',
    '::1.2.3.4',
    '1:2:3:4:5:6:7::',
  ])('is %s', (text) => expect(isIpRange(text)).toBe(true));

  it.each([
    '10.0.0.1/8',
    '1.2.3.4/33',
    '::1/129',
    '2001:db8::1/32',
    '1.2.3.4/',
    '1.2.3.4/-1',
    '1.2.3.4/08',
    '1.2.3.4/8/8',
    '1.2.3.4/1e1',
    '1.2.3.4/ 32',
    '/8',
    '',
    '1.2.3.4/a',
    '1.2.3.4.5',
    '256.1.1.1',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7::8',
    '1:2:3:4:5:6:7:8::',
    '::1:2:3:4:5:6:7:8',
    '1::2::3',
    ':::',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    '1.2.3.4::',
    'fe80::1%eth0',
    'fe80::%1/64',
    '[::1]',
    `${'0'.repeat(50)}::`,
  ])('is not %j', (text) => {
    expect(isIpRange(text)).toBe(false);
    expect(isIpAddress(text)).toBe(false);
  });
});

describe('a range', () => {
  it.each([
    ['10.1.2.3', ['10.0.0.0/8']],
    ['10.0.0.0/8', ['192.0.2.1', '10.0.0.0/8']],
    ['10.128.0.0/9', ['10.0.0.0/8']],
    ['1.2.3.4', ['0.0.0.0/0']],
    ['::ffff:10.1.2.3', ['10.0.0.0/8']],
    ['10.1.2.3', ['::ffff:10.0.0.0/104']],
    ['2001:db8:1::/48', ['2001:db8::/32']],
    ['::1', ['::/0']],
  ])('%s is within %j', (range, ranges) => expect(isWithinRanges(range, ranges)).toBe(true));

  it.each([
    ['10.0.0.0/7', ['10.0.0.0/8']],
    ['0.0.0.0/0', ['0.0.0.0/1']],
    ['11.0.0.1', ['10.0.0.0/8']],
    ['1.2.3.4', ['::/0', '::1.2.3.4']],
    ['::/0', ['0.0.0.0/0']],
    ['2001:db8::/31', ['2001:db8::/32']],
    ['10.0.0.1', []],
  ])('%s is not within %j', (range, ranges) => expect(isWithinRanges(range, ranges)).toBe(false));
});

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
  ['2001:db8::1', '20010db800000000/64'],
  ['2001:0DB8:0:0:ffff::', '20010db800000000/64'],
  ['2001:db8:0:1::1', '20010db800000001/64'],
  ['::1', '0000000000000000/64'],
  ['', ''],
])('the network of %j is %j', (address, network) => expect(networkOf(address)).toBe(network));
