import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isIpAddress } from '../base/ip-range.ts';
import { readViewerAddress } from './front-door.ts';

const port = fc.integer({ min: 1, max: 65_535 });

describe('an address with a port', () => {
  test.each([
    ['203.0.113.7:46532', '203.0.113.7'],
    ['2406:2d40:728d:fa10::c4a:42838', '2406:2d40:728d:fa10::c4a'],
    ['[2406:2d40:728d:fa10::c4a]:42838', '2406:2d40:728d:fa10::c4a'],
    ['2001:db8:1:2:3:4:5:6:1', '2001:db8:1:2:3:4:5:6'],
    ['::1:65535', '::1'],
    ['[::ffff:203.0.113.7]:443', '::ffff:203.0.113.7'],
  ])('%s is read', (text, address) => expect(readViewerAddress(text)).toBe(address));

  test('is read, whatever the address', () => {
    fc.assert(
      fc.property(fc.ipV4(), port, (address, at) => {
        expect(readViewerAddress(`${address}:${at}`)).toBe(address);
      }),
    );
    fc.assert(
      fc.property(fc.ipV6(), port, (address, at) => {
        // fast-check also writes IPv6 as RFC 3986 allows it: what we do not read as an address is read nowhere.
        const read = isIpAddress(address) ? address : undefined;
        expect(readViewerAddress(`${address}:${at}`)).toBe(read);
        expect(readViewerAddress(`[${address}]:${at}`)).toBe(read);
      }),
    );
  });
});

describe('anything else is none', () => {
  test.each([
    ['empty', ''],
    ['without a port', '203.0.113.7'],
    ['IPv6 of eight groups without a port', '2001:db8:1:2:3:4:5:6'],
    ['IPv6 in brackets without a port', '[2001:db8::1]'],
    ['port 0', '203.0.113.7:0'],
    ['a port with a zero before it', '203.0.113.7:0443'],
    ['a port that is too large', '203.0.113.7:65536'],
    ['a port that is no number', '203.0.113.7:https'],
    ['a sign before the port', '203.0.113.7:+443'],
    ['IPv4 in brackets', '[203.0.113.7]:443'],
    ['one bracket', '[2001:db8::1:443'],
    ['a zone', '[fe80::1%eth0]:443'],
    ['a list', '203.0.113.7:443, 198.51.100.1:443'],
    ['white space', ' 203.0.113.7:443'],
    ['zeros before an octet', '203.0.113.07:443'],
    ['a name', 'localhost:443'],
  ])('%s', (_, text) => expect(readViewerAddress(text)).toBeUndefined());

  test('what is read is an address that stands in the text, before a colon and a port', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f:.[\]]{0,50}$/)), (text) => {
        const address = readViewerAddress(text);
        if (address === undefined) return;
        expect(isIpAddress(address)).toBeDefined();
        expect([`${address}:`, `[${address}]:`].some((start) => text.startsWith(start))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
