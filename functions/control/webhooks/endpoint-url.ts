import { findAddressFault, isListed } from '../../kernel/http/index.ts';

/** Longer addresses are unnecessary, and each attempt's log would contain them. */
const MAX_URL_CHARS = 2_048;

export interface EndpointUrlRules {
  /** Locally: also http and loopback addresses, no other private ones. */
  readonly allowLoopback: boolean;
}

const LOCALHOST = /(?:^|\.)localhost\.?$/;

/**
 * The fault of an endpoint's address, as far as its text shows: a phrase that follows its name, or undefined. It is
 * parsed as by `fetch`, so `0x7f.1` and `2130706433` are 127.0.0.1 here too. Host names are resolved and checked at
 * each attempt.
 */
export function findUrlFault(text: string, { allowLoopback }: EndpointUrlRules): string | undefined {
  if (text.length > MAX_URL_CHARS) return `must have at most ${MAX_URL_CHARS} characters`;
  const fault = findAddressFault(text);
  if (fault !== undefined) return fault;
  const { protocol, hostname } = new URL(text);
  if (protocol === 'http:' && !allowLoopback) return 'must begin with https://';
  const isAddress = hostname.startsWith('[') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(hostname);
  const address = hostname.replace(/^\[|\]$/g, '');
  if (LOCALHOST.test(hostname) || (isAddress && isLoopbackAddress(address))) {
    return allowLoopback ? undefined : 'must not lead to this machine';
  }
  return isAddress && !isPublicAddress(address) ? 'must be an address of the public internet' : undefined;
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** IPv4 addresses, also in their IPv4-mapped form, which the range `::/96` of IPv6 does not contain. */
const IPV4 = ['0.0.0.0/0'];
/** All that is assigned to networks of the internet: https://www.iana.org/assignments/ipv6-address-space */
const GLOBAL_IPV6 = ['2000::/3'];

/**
 * Not hosts of the public internet, by IANA's registries of special purpose addresses:
 * https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry. Addresses that embed IPv4
 * (NAT64, 6to4, Teredo) are always refused: NAT64 and other IPv6 ranges lie outside of 2000::/3.
 */
const SPECIAL = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carriers' NAT; metadata of Alibaba Cloud
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's own services, on an address that looks public
  '169.254.0.0/16', // link-local; metadata of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; metadata of Oracle's cloud
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // multicast tunnels
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '2001::/23', // protocol assignments: Teredo, ORCHID, benchmarks
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
];

/** Whether an address (IPv4 in four decimal parts, or IPv6) is on the public internet. False for other text. */
export function isPublicAddress(text: string): boolean {
  return !isListed(SPECIAL, text) && (isListed(IPV4, text) || isListed(GLOBAL_IPV6, text));
}

/** Whether an address belongs to this machine. */
export function isLoopbackAddress(text: string): boolean {
  return isListed(LOOPBACK, text);
}
