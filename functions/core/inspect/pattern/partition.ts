/** The numbers below some size in parts, which are numbered from 0 without gaps; at first all are in one. */
export class Partition {
  count = 1;
  /** The part of each member. */
  readonly of: Int32Array;
  /** Members of each part. */
  readonly #sizes: Int32Array;
  /** Of the members being looked at: how many are in each part, else 0, and the part that these go to. */
  readonly #inside: Int32Array;
  readonly #becomes: Int32Array;

  constructor(size: number) {
    this.of = new Int32Array(size);
    this.#sizes = new Int32Array(size);
    this.#sizes[0] = size;
    this.#inside = new Int32Array(size);
    this.#becomes = new Int32Array(size);
  }

  /** Makes two of each part that has some of these members, each given once, and others. */
  split(members: readonly number[] | Int32Array): void {
    for (const part of this.#look(members)) {
      const inside = this.#inside[part] as number;
      this.#inside[part] = 0;
      const isWhole = inside === this.#sizes[part];
      this.#becomes[part] = isWhole ? part : this.count;
      if (isWhole) continue;
      this.#sizes[part] = (this.#sizes[part] as number) - inside;
      this.#sizes[this.count++] = inside;
    }
    for (const member of members) this.of[member] = this.#becomes[this.of[member] as number] as number;
  }

  /** Numbers the parts in the order in which they have these members, then in the order of all. */
  renumber(first: readonly number[]): void {
    const numbers = new Map<number, number>();
    const number = (member: number): number => {
      const part = this.of[member] as number;
      const known = numbers.get(part) ?? numbers.size;
      numbers.set(part, known);
      return known;
    };
    for (const member of first) number(member);
    const sizes = this.#sizes.slice();
    this.of.forEach((part, member) => {
      this.of[member] = number(member);
      this.#sizes[this.of[member]] = sizes[part] as number;
    });
  }

  /** The parts that have any of these members. */
  partsOf(members: readonly number[]): number[] {
    const parts = this.#look(members);
    for (const part of parts) this.#inside[part] = 0;
    return parts;
  }

  /** The same, and leaves behind how many of the members are in each. */
  #look(members: readonly number[] | Int32Array): number[] {
    const parts: number[] = [];
    for (const member of members) {
      const part = this.of[member] as number;
      const known = this.#inside[part] as number;
      if (known === 0) parts.push(part);
      this.#inside[part] = known + 1;
    }
    return parts;
  }
}
