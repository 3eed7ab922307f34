const FIRST_CAPACITY = 16;
/** Most streams never see a thread: they share these until the first one comes. */
const NO_STATES = new Int32Array(0);
const NO_STARTS = new Float64Array(0);

/**
 * The states that threads are in, each once, with the earliest and the latest start of the threads that met there.
 *
 * Threads of one state have the same future, so only the earliest start can become a leftmost match; the latest is what
 * goes on when the earliest has grown too long.
 */
export class ThreadList {
  size = 0;
  states = NO_STATES;
  earliest = NO_STARTS;
  latest = NO_STARTS;

  append(state: number, earliest: number, latest: number): void {
    if (this.size === this.states.length) this.#grow();
    this.states[this.size] = state;
    this.earliest[this.size] = earliest;
    this.latest[this.size] = latest;
    this.size += 1;
  }

  #grow(): void {
    const { states, earliest, latest } = this;
    const capacity = Math.max(FIRST_CAPACITY, 2 * this.size);
    this.states = new Int32Array(capacity);
    this.states.set(states);
    this.earliest = new Float64Array(capacity);
    this.earliest.set(earliest);
    this.latest = new Float64Array(capacity);
    this.latest.set(latest);
  }
}
