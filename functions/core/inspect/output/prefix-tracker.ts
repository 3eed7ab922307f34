/** Follows how much of one word a growing text ends with (Knuth, Morris and Pratt: one step a letter on average). */
export class PrefixTracker {
  private readonly word: readonly number[];
  /** For each length: the longest shorter beginning of the word that a beginning of this length ends with. */
  private readonly shorter: readonly number[];
  private readonly places: number[] = [];

  constructor(word: readonly number[]) {
    this.word = word;
    this.shorter = shorterBeginnings(word);
  }

  /** Takes the next letter, which stands at `place`. @returns whether the text now ends with the whole word */
  push(letter: number, place: number): boolean {
    const { word, places } = this;
    let matched = places.length === word.length ? this.shorterThan(word.length) : places.length;
    while (matched > 0 && word[matched] !== letter) matched = this.shorterThan(matched);
    if (matched < places.length) places.splice(0, places.length - matched);
    if (word[matched] === letter) places.push(place);
    return places.length === word.length;
  }

  /** Where what may become the word begins; Infinity where nothing may. */
  get start(): number {
    return this.places[0] ?? Number.POSITIVE_INFINITY;
  }

  clear(): void {
    this.places.length = 0;
  }

  private shorterThan(length: number): number {
    return this.shorter[length] as number;
  }
}

function shorterBeginnings(word: readonly number[]): number[] {
  const shorter = [0, 0];
  for (let length = 2; length <= word.length; length++) {
    let matched = shorter[length - 1] as number;
    while (matched > 0 && word[matched] !== word[length - 1]) matched = shorter[matched] as number;
    shorter.push(word[matched] === word[length - 1] ? matched + 1 : 0);
  }
  return shorter;
}
