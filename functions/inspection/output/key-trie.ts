/** Letters and digits. */
export const SYMBOLS = 36;

/** A spelling of a key. */
export interface Word {
  readonly letters: readonly number[];
  /** What the text must be exactly; undefined if only its letters and digits count. */
  readonly exact: string | undefined;
}

/** The automaton under construction. */
export class Trie {
  private readonly next: Int32Array;
  private readonly depths: Int32Array;
  private readonly words: (Word[] | undefined)[] = [undefined];

  constructor(words: readonly Word[]) {
    const states = words.reduce((sum, { letters }) => sum + letters.length, 1);
    this.next = new Int32Array(states * SYMBOLS);
    this.depths = new Int32Array(states);
    for (const word of words) this.add(word);
  }

  private add(word: Word): void {
    let state = 0;
    for (const symbol of word.letters) {
      const at = state * SYMBOLS + symbol;
      if (this.next[at] === 0) {
        this.next[at] = this.words.length;
        this.depths[this.words.length] = (this.depths[state] as number) + 1;
        this.words.push(undefined);
      }
      state = this.next[at] as number;
    }
    this.words[state] = [...(this.words[state] ?? []), word];
  }

  /** Completes each state's row by that of the longest other prefix that the text there ends with. */
  link() {
    const { next, depths, words } = this;
    const isLongest = words.map((_, state) =>
      next.subarray(state * SYMBOLS, (state + 1) * SYMBOLS).every((to) => to === 0),
    );
    const shorter = new Int32Array(words.length);
    const order = [0];
    for (const state of order) {
      for (let symbol = 0; symbol < SYMBOLS; symbol += 1) {
        const at = state * SYMBOLS + symbol;
        const below = next[at] as number;
        const otherwise = state === 0 ? 0 : (next[(shorter[state] as number) * SYMBOLS + symbol] as number);
        if (below === 0) next[at] = otherwise;
        else {
          shorter[below] = otherwise;
          const ending = words[otherwise];
          if (ending !== undefined) words[below] = [...(words[below] ?? []), ...ending];
          order.push(below);
        }
      }
    }
    return { next, depths, found: words, isLongest };
  }
}
