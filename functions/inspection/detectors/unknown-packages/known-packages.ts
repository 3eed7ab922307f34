import file from './known-packages.generated.json' with { type: 'json' };

/** Prefix that separates the registries in one filter. */
export type Registry = 'npm' | 'pypi';

/** A Bloom filter of names: no false negatives, a few false positives. */
export class NameFilter {
  private readonly bytes: Uint8Array;
  private readonly probes: number;

  constructor(bytes: Uint8Array, probes: number) {
    this.bytes = bytes;
    this.probes = probes;
  }

  add(registry: Registry, name: string): void {
    for (const bit of this.bitsOf(registry, name))
      this.bytes[bit >>> 3] = (this.bytes[bit >>> 3] as number) | (1 << (bit & 7));
  }

  has(registry: Registry, name: string): boolean {
    return this.bitsOf(registry, name).every((bit) => ((this.bytes[bit >>> 3] as number) & (1 << (bit & 7))) !== 0);
  }

  private bitsOf(registry: Registry, name: string): number[] {
    const text = `${registry}:${normalName(registry, name)}`;
    const [first, step] = [hash(text, 0x811c9dc5), hash(text, 0x2c1b3c6d) | 1];
    const size = this.bytes.length * 8;
    return Array.from({ length: this.probes }, (_, probe) => ((first + Math.imul(step, probe)) >>> 0) % size);
  }
}

/** The form of a name that its registry compares. */
function normalName(registry: Registry, name: string): string {
  const lower = name.toLowerCase();
  return registry === 'pypi' ? lower.replace(/[-_.]+/g, '-') : lower;
}

/** FNV-1a with a last mix. */
function hash(text: string, seed: number): number {
  let value = seed;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}

/** Placeholder names. */
const PLACEHOLDER =
  /^(?:@?(?:your|my|some|the|example|sample|foo|bar|baz|test|demo|acme|scope|org|package|module|name)s?)(?:[-_/.]|$)|(?:package|module|project|app)[-_.]?(?:name)?$/i;

let known: NameFilter | undefined;

/** Whether a registry has a package of this name, by the filter; a known scope covers all its packages. */
export function isKnownPackage(registry: Registry, name: string): boolean {
  known ??= new NameFilter(Buffer.from(file.bits, 'base64'), file.probes);
  const asked = registry === 'npm' && name.startsWith('@') ? name.slice(0, name.indexOf('/')) : name;
  return PLACEHOLDER.test(name) || known.has(registry, asked);
}
