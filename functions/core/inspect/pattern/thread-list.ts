const FIRST_CAPACITY = 16;

/**
 * The states that threads are in, each once, with the earliest and the latest start of the threads that met there.
 *
 * Threads of one state have the same future, so only the earliest start can become a leftmost match; the latest is what
 * goes on when the earliest has grown too long.
 */
export class ThreadList {
  size = 0;
  states = new Int32Array(FIRST_CAPACITY);
  earliest = new Float64Array(FIRST_CAPACITY);
  latest = new Float64Array(FIRST_CAPACITY);

  append(state: number, earliest: number, latest: number): void {
    if (this.size === this.states.length) this.#grow();
    this.states[this.size] = state;
    this.earliest[this.size] = earliest;
    this.latest[this.size] = latest;
    this.size += 1;
  }

  #grow(): void {
    const { states, earliest, latest } = this;
    this.states = new Int32Array(2 * this.size);
    this.states.set(states);
    this.earliest = new Float64Array(2 * this.size);
    this.earliest.set(earliest);
    this.latest = new Float64Array(2 * this.size);
    this.latest.set(latest);
  }
}
