import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { findUrlFault } from '../../../functions/control/webhooks/index.ts';
import { hostileString, nearText } from '../hostile-json.ts';
import type { FuzzTarget } from '../target.ts';

/** Written down again here, so that a hole in the code's own list is not a hole in this one. */
const PRIVATE = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 96],
  ['64:ff9b::', 32],
  ['2002::', 16],
  ['2001::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6');

/** Webhooks' addresses in every spelling: none that is taken leads to a private place by its text. */
export function addressTarget(): FuzzTarget {
  const octets = fc.tuple(
    fc.constantFrom(127, 10, 169, 192, 0, 8, 172),
    fc.constantFrom(254, 0, 168, 16),
    fc.nat(255),
    fc.nat(255),
  );
  const spelled = fc.tuple(octets, fc.nat(6)).map(([[a, b, c, d], way]) => {
    const number = a * 2 ** 24 + b * 2 ** 16 + c * 256 + d;
    const hex = (value: number) => `0x${value.toString(16)}`;
    return [
      `${a}.${b}.${c}.${d}`,
      String(number),
      hex(number),
      `0${a.toString(8)}.${hex(b)}.${c}.${d}`,
      `${a}.${b}.${c * 256 + d}`,
      `[::ffff:${a}.${b}.${c}.${d}]`,
      `[64:ff9b::${a}.${b}.${c}.${d}]`,
    ][way] as string;
  });
  const host = fc.oneof(
    spelled,
    fc.ipV6().map((ip) => `[${ip}]`),
    fc.domain(),
    fc.constantFrom('localhost', 'a.localhost.', 'LOCALHOST'),
    hostileString,
  );
  const url = fc
    .tuple(
      fc.constantFrom('https', 'http', 'HTTPS', 'ftp', 'https:'),
      fc.constantFrom('', 'u@', 'u:p@', '@'),
      host,
      fc.constantFrom('', ':443', ':0', '/x', '?a=b', '#f', '\\x', '.'),
    )
    .map(([scheme, user, name, rest]) => `${scheme}://${user}${name}${rest}`);
  return {
    name: 'webhooks’ addresses',
    share: 5,
    property: fc.asyncProperty(fc.oneof(url, nearText(url)), async (text) => {
      const taken = findUrlFault(text, { allowLoopback: false }) === undefined;
      if (!taken) return;
      const { hostname, protocol } = new URL(text);
      const address = hostname.replace(/^\[|\]$/g, '');
      const kind = isIP(address);
      if (protocol !== 'https:') throw new Error(`taken though it is ${protocol}`);
      if (kind !== 0 && PRIVATE.check(address, kind === 6 ? 'ipv6' : 'ipv4'))
        throw new Error(`taken though it is ${address}`);
      if (/(?:^|\.)localhost\.?$/.test(hostname)) throw new Error('taken though it is this machine');
    }),
  };
}
