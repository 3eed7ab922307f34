import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isLoopbackAddress, isPublicAddress } from './endpoint-url.ts';

describe('an address is refused where it is', () => {
  test.each([
    ['this network', '0.0.0.0'],
    ['loopback', '127.0.0.1'],
    ['loopback, far in its block', '127.255.255.254'],
    ['private', '10.0.0.1'],
    ['private, at the ends of 172.16/12', '172.16.0.0'],
    ['private, at the ends of 172.16/12', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['link-local', '169.254.1.1'],
    ['metadata of AWS, Google, Azure', '169.254.169.254'],
    ['metadata of ECS', '169.254.170.2'],
    ['metadata of Alibaba', '100.100.100.200'],
    ['metadata of Oracle', '192.0.0.192'],
    ['the wire server of Azure', '168.63.129.16'],
    ["a carrier's NAT", '100.64.0.1'],
    ["a carrier's NAT, its end", '100.127.255.255'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.7'],
    ['documentation', '203.0.113.9'],
    ['for benchmarks', '198.19.255.255'],
    ['a 6to4 relay', '192.88.99.1'],
    ['multicast', '224.0.0.1'],
    ['multicast, its end', '239.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
    ['IPv4-mapped loopback in hexadecimal', '::ffff:7f00:1'],
    ['IPv4-mapped metadata', '::ffff:169.254.169.254'],
    ['IPv4-compatible loopback', '::127.0.0.1'],
    ['IPv4-translated', '::ffff:0:127.0.0.1'],
    ['NAT64 of loopback', '64:ff9b::127.0.0.1'],
    ['NAT64 of metadata', '64:ff9b::a9fe:a9fe'],
    ['NAT64 of a public address', '64:ff9b::8.8.8.8'],
    ['local NAT64', '64:ff9b:1::a9fe:a9fe'],
    ['discard only', '100::1'],
    ['6to4 of loopback', '2002:7f00:1::'],
    ['6to4 of a private network', '2002:c0a8:101::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['ORCHID', '2001:20::1'],
    ['for benchmarks', '2001:2::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff:1::1'],
    ['segment routing', '5f00::1'],
    ['private', 'fc00::1'],
    ['private, metadata of AWS', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    // What a URL parser or a resolver would have put into four decimal parts before it comes here is no address.
    ['a number', '2130706433'],
    ['hexadecimal', '0x7f000001'],
    ['hexadecimal in parts', '0x7f.0.0.1'],
    ['octal', '0177.0.0.1'],
    ['short', '127.1'],
    ['hexadecimal and short', '0x7f.1'],
    ['padded', '127.000.000.001'],
    ['in brackets', '[::1]'],
    ['in brackets, public', '[2606:4700:4700::1111]'],
    ['public with a zone', '2606:4700:4700::1111%eth0'],
    ['public with a port', '8.8.8.8:443'],
    ['public with a prefix', '8.8.8.8/32'],
    ['public with a dot after it', '8.8.8.8.'],
    ['public with a space', ' 8.8.8.8'],
    ['public with a line break', '8.8.8.8\n'],
    ['public with a NUL', '8.8.8.8\0.127.0.0.1'],
    ['in full-width digits', '１２７.０.０.１'],
    ['of eight groups and a gap of none', '2606:4700:3:4:5:6:7::8'],
    ['empty', ''],
    ['a name', 'localhost'],
  ])('%s: %s', (_, address) => expect(isPublicAddress(address)).toBe(false));
});

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '192.0.1.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450::1',
  '::ffff:8.8.8.8',
])('an address of the public internet passes: %s', (address) => expect(isPublicAddress(address)).toBe(true));

test('an IPv4 address and its IPv4-mapped form are judged alike', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
      expect(isLoopbackAddress(`::ffff:${address}`)).toBe(isLoopbackAddress(address));
    }),
  );
});

/** The first and last address of each block of IANA's registry that is not global, and of what clouds add to it. */
const SPECIAL_IPV4 = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
].map(([first, last]) => [toNumber(first as string), toNumber(last as string)] as const);

function toNumber(ipv4: string): number {
  return ipv4.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

test('of IPv4 all is public but the special blocks, to their first and last address and in every notation', () => {
  const ends = SPECIAL_IPV4.flatMap(([first, last]) => [first - 1, first, last, last + 1]).filter(
    (value) => value >= 0 && value < 2 ** 32,
  );
  const values = fc.oneof(fc.constantFrom(...ends), fc.nat({ max: 2 ** 32 - 1 }));
  fc.assert(
    fc.property(values, (value) => {
      const isPublic = !SPECIAL_IPV4.some(([first, last]) => value >= first && value <= last);
      const dotted = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
      const hex = `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;
      for (const address of [
        dotted,
        `::ffff:${dotted}`,
        `::FFFF:${hex}`,
        `0:0:0:0:0:ffff:${hex}`,
        `0000::ffff:${dotted}`,
      ])
        expect(`${address} ${isPublicAddress(address)}`).toBe(`${address} ${isPublic}`);
      // Carried in another address it is refused, whatever it is.
      for (const address of [
        `::${dotted}`,
        `::ffff:0:${dotted}`,
        `64:ff9b::${dotted}`,
        `64:ff9b:1::${hex}`,
        `2002:${hex}::1`,
        `2001:0:${hex}::1`,
        `fe80::${hex}`,
        `fd00::${hex}`,
      ])
        expect(`${address} ${isPublicAddress(address)}`).toBe(`${address} false`);
    }),
    { numRuns: 2000 },
  );
});

test('loopback addresses are no other special addresses', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].map(isLoopbackAddress)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(['0.0.0.0', '10.0.0.1', '169.254.169.254', '::', 'localhost', '8.8.8.8'].some(isLoopbackAddress)).toBe(false);
});
