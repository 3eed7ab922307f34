import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isAllowedAddress, readIpAddress, readIpRange } from './ip-range.ts';

/** Few different bits, so that ranges and addresses meet. */
const octet = fc.constantFrom(0, 1, 10, 127, 128, 192, 254, 255);
const ipv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'));
const group = fc.constantFrom('0', '1', 'ff', '8000', 'FFFF', '00a0', '2001', 'db8');
const ipv6 = fc.oneof(
  fc.tuple(group, group, group, group, group, group, group, group).map((groups) => groups.join(':')),
  fc
    .tuple(fc.array(group, { maxLength: 3 }), fc.array(group, { maxLength: 3 }))
    .map(([head, tail]) => `${head.join(':')}::${tail.join(':')}`),
);

const toBits = (address: string) => readIpAddress(address) as bigint;
function toIpv4(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.');
}
function toIpv6(bits: bigint): string {
  return [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((bits >> shift) & 0xffffn).toString(16)).join(':');
}
const masked = (bits: bigint, width: number, prefix: number) =>
  (bits >> BigInt(width - prefix)) << BigInt(width - prefix);

describe('an address list', () => {
  it("holds exactly the addresses that node's own BlockList does: IPv4", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(ipv4, fc.integer({ min: 0, max: 32 })), { minLength: 1, maxLength: 3 }),
        ipv4,
        (blocks, address) => {
          const list = new BlockList();
          const ranges = blocks.map(([start, prefix]) => {
            const network = toIpv4(masked(toBits(start) & 0xffffffffn, 32, prefix));
            list.addSubnet(network, prefix);
            return `${network}/${prefix}`;
          });
          expect(isAllowedAddress(ranges, address)).toBe(list.check(address));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("holds exactly the addresses that node's own BlockList does: IPv6", () => {
    fc.assert(
      fc.property(ipv6, fc.integer({ min: 0, max: 128 }), ipv6, (start, prefix, address) => {
        const network = toIpv6(masked(toBits(start), 128, prefix));
        const list = new BlockList();
        list.addSubnet(network, prefix, 'ipv6');
        // An IPv4-mapped address is the IPv4 address to us; BlockList looks it up in its IPv4 rules.
        fc.pre(!/^0:0:0:0:0:ffff:/i.test(toIpv6(toBits(address))));
        expect(isAllowedAddress([`${network}/${prefix}`], address)).toBe(list.check(address, 'ipv6'));
      }),
      { numRuns: 500 },
    );
  });

  it('takes both notations of one IPv4 address as the same', () => {
    fc.assert(
      fc.property(ipv4, (address) => {
        expect(isAllowedAddress([address], `::ffff:${address}`)).toBe(true);
        expect(isAllowedAddress([`::ffff:${address}`], address)).toBe(true);
      }),
    );
  });

  it('that is empty holds every address, and one it cannot read', () => {
    for (const address of ['1.2.3.4', '::1', 'junk', '']) expect(isAllowedAddress([], address)).toBe(true);
  });

  it('that is not empty holds no address that it cannot read', () => {
    for (const address of ['junk', '', '1.2.3', '1.2.3.4 ', '1.2.3.4:80', 'fe80::1%eth0', '01.2.3.4']) {
      expect(isAllowedAddress(['0.0.0.0/0', '::/0'], address)).toBe(false);
    }
  });

  it('holds nothing by an entry that cannot be read', () =>
    expect(isAllowedAddress(['junk', '1.2.3.4/99'], '1.2.3.4')).toBe(false));
});

describe('reading', () => {
  it('takes as an address what node takes, zones left out', () => {
    const text = fc.oneof(
      ipv4,
      ipv6,
      fc.stringMatching(/^[0-9a-f:.]{0,20}$/),
      fc.stringMatching(/^(?:\d{1,3}\.){3}\d{1,3}$/),
    );
    fc.assert(
      fc.property(text, (address) =>
        expect(readIpAddress(address) !== undefined).toBe(isIPv4(address) || isIPv6(address)),
      ),
      { numRuns: 1000 },
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
  ])('takes the range %s', (text) => expect(readIpRange(text)).toBeDefined());

  it.each([
    '10.0.0.1/8',
    '1.2.3.4/33',
    '::1/129',
    '2001:db8::1/32',
    '1.2.3.4/',
    '1.2.3.4/-1',
    '1.2.3.4/08',
    '1.2.3.4/8/8',
    '/8',
    '',
    '1.2.3.4/a',
    '1.2.3.4.5',
    '256.1.1.1',
    '1:2:3:4:5:6:7',
    '1::2::3',
    ':::',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    '1.2.3.4::',
    `${'0'.repeat(50)}::`,
  ])('refuses the range %j', (text) => expect(readIpRange(text)).toBeUndefined());
});
