import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

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

test('loopback is told from all else that is not public', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].map(isLoopbackAddress)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(['0.0.0.0', '10.0.0.1', '169.254.169.254', '::', 'localhost', '8.8.8.8'].some(isLoopbackAddress)).toBe(false);
});
