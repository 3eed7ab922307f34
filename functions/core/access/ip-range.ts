/** An address as 128 bits, IPv4 in its IPv4-mapped form (RFC 4291, 2.5.5.2), so that both notations of one address are equal. */
type Address = bigint;

const IPV4_MAPPED = 0xffff00000000n;

/** A block of addresses; a single address is a block of one. */
export interface IpRange {
  readonly network: Address;
  readonly prefixBits: number;
}

/** Reads an IPv4 or IPv6 address; undefined for anything else (leading zeros, zones and short forms of IPv4 included). */
export function readIpAddress(text: string): Address | undefined {
  if (text.length > 45) return undefined;
  return text.includes(':') ? readIpv6(text) : mapped(readIpv4(text));
}

/** Reads an address or CIDR block; undefined where it is neither, or where bits beyond the prefix are set. */
export function readIpRange(text: string): IpRange | undefined {
  const slash = text.indexOf('/');
  const address = readIpAddress(slash < 0 ? text : text.slice(0, slash));
  if (address === undefined) return undefined;
  if (slash < 0) return { network: address, prefixBits: 128 };
  const prefix = text.slice(slash + 1);
  const width = text.includes(':') ? 128 : 32;
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > width) return undefined;
  const prefixBits = Number(prefix) + 128 - width;
  const hostBits = (1n << BigInt(128 - prefixBits)) - 1n;
  return (address & hostBits) === 0n ? { network: address, prefixBits } : undefined;
}

/** Whether the range holds the address. */
export function containsAddress(range: IpRange, address: Address): boolean {
  return (address ^ range.network) >> BigInt(128 - range.prefixBits) === 0n;
}

/** Whether one of the ranges holds the address. An address that cannot be read is in none; an empty list allows any. */
export function isAllowedAddress(ranges: readonly string[], address: string): boolean {
  if (ranges.length === 0) return true;
  const read = readIpAddress(address);
  if (read === undefined) return false;
  return ranges.some((text) => {
    const range = readIpRange(text);
    return range !== undefined && containsAddress(range, read);
  });
}

function mapped(ipv4: bigint | undefined): Address | undefined {
  return ipv4 === undefined ? undefined : IPV4_MAPPED | ipv4;
}

function readIpv4(text: string): bigint | undefined {
  const octets = text.split('.');
  if (octets.length !== 4 || !octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) < 256))
    return undefined;
  return octets.reduce((address, octet) => (address << 8n) | BigInt(octet), 0n);
}

function readIpv6(text: string): Address | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = readGroups(halves[0] ?? '', halves.length === 1);
  const tail = readGroups(halves[1] ?? '', true);
  if (!head || !tail) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const groups = [...head, ...new Array<bigint>(missing).fill(0n), ...tail];
  return groups.reduce((address, group) => (address << 16n) | group, 0n);
}

/** Colon-separated groups; an IPv4 address in the last place counts as two. */
function readGroups(text: string, mayEndInIpv4: boolean): bigint[] | undefined {
  if (text === '') return [];
  const groups: bigint[] = [];
  const parts = text.split(':');
  for (const [at, part] of parts.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(BigInt(`0x${part}`));
    else {
      const ipv4 = mayEndInIpv4 && at === parts.length - 1 ? readIpv4(part) : undefined;
      if (ipv4 === undefined) return undefined;
      groups.push(ipv4 >> 16n, ipv4 & 0xffffn);
    }
  }
  return groups;
}
