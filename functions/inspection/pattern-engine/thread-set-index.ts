const FIRST_POOL = 1024;

/** What a set is built in. Indexes share it, since each builds and stores a set without a pause. */
let room = { memberList: new Int32Array(0), positions: new Int32Array(0) };

/**
 * Numbers the sets of automaton states of a DFA's states, each with a small tag, in order of appearance. Build a set with `begin` and
 * `insert`, then look it up with `find` or store it with `add`.
 */
export class ThreadSetIndex {
  count = 0;
  /** The tag of each set. */
  tags: Uint8Array;
  /** Members of set `n`: `pool[first[n]]` up to `pool[first[n + 1]]`. */
  first: Int32Array;
  pool = new Int32Array(FIRST_POOL);
  /** Number of members of the current set. */
  size = 0;

  private readonly capacity: number;
  private hashes: Int32Array;
  /** Open addressing: one more than the number of a set, or 0. */
  private slots: Int32Array;
  private readonly memberList: Int32Array;
  /** The position of a state among the members, if it is one; needs no clearing for the next set. */
  private readonly positions: Int32Array;

  /** Allocates room for `initial` sets, and grows to at most `capacity`. */
  constructor(universe: number, initial: number, capacity: number) {
    this.capacity = capacity;
    this.tags = new Uint8Array(initial);
    this.first = new Int32Array(initial + 1);
    this.hashes = new Int32Array(initial);
    this.slots = new Int32Array(slotCount(initial));
    if (universe > room.positions.length)
      room = { memberList: new Int32Array(universe), positions: new Int32Array(universe) };
    ({ memberList: this.memberList, positions: this.positions } = room);
  }

  /** Number of sets that fit without growing. */
  get room(): number {
    return this.tags.length;
  }

  /** Entries of the pool in use. */
  get used(): number {
    return this.first[this.count] as number;
  }

  begin(): void {
    this.size = 0;
  }

  insert(member: number): void {
    if (this.holds(member)) return;
    this.positions[member] = this.size;
    this.memberList[this.size++] = member;
  }

  /** The number of the current set, or -1. */
  find(tag: number): number {
    const hash = this.hash(tag);
    const mask = this.slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (this.slots[slot] as number) - 1;
      if (number < 0) return -1;
      if (this.hashes[number] === hash && this.tags[number] === tag && this.equals(number)) return number;
    }
  }

  /** Stores the current set under the next number. */
  add(tag: number): number {
    const number = this.count;
    if (number >= this.room) this.grow();
    const start = this.used;
    const end = start + this.size;
    if (end > this.pool.length) this.pool = resized(this.pool, Math.max(end, 2 * this.pool.length));
    this.pool.set(this.memberList.subarray(0, this.size), start);
    this.count += 1;
    this.first[this.count] = end;
    this.tags[number] = tag;
    this.hashes[number] = this.hash(tag);
    this.enter(number);
    return number;
  }

  /** The current set. */
  members(): Int32Array {
    return this.memberList.slice(0, this.size);
  }

  private holds(member: number): boolean {
    const position = this.positions[member] as number;
    return position < this.size && this.memberList[position] === member;
  }

  /** Independent of the order of the members, which depends on the path to the set. */
  private hash(tag: number): number {
    let hash = tag + 1;
    for (let i = 0; i < this.size; i++) {
      const mixed = Math.imul((this.memberList[i] as number) + 1, 0x9e3779b1);
      hash = (hash + Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b)) | 0;
    }
    return hash ^ (hash >>> 16);
  }

  private equals(number: number): boolean {
    const start = this.first[number] as number;
    const end = this.first[number + 1] as number;
    if (end - start !== this.size) return false;
    for (let i = start; i < end; i++) if (!this.holds(this.pool[i] as number)) return false;
    return true;
  }

  private enter(number: number): void {
    const mask = this.slots.length - 1;
    let slot = (this.hashes[number] as number) & mask;
    while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
    this.slots[slot] = number + 1;
  }

  private grow(): void {
    const room = Math.min(this.capacity, 2 * this.room);
    const tags = new Uint8Array(room);
    tags.set(this.tags);
    this.tags = tags;
    this.first = resized(this.first, room + 1);
    this.hashes = resized(this.hashes, room);
    this.slots = new Int32Array(slotCount(room));
    for (let number = 0; number < this.count; number++) this.enter(number);
  }
}

/** A power of two that leaves most slots empty. */
function slotCount(room: number): number {
  return 2 ** Math.ceil(Math.log2(3 * room));
}

function resized(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(array);
  return copy;
}
