import { codeUnits } from '../pattern/code-units.ts';

/** Features are hashed into so many buckets. */
export const BUCKETS = 1 << 18;

/** Of a longer word only the start and these many units count: base64 and the like say nothing by their letters. */
const MAX_WORD_UNITS = 24;
const SHORTEST_GRAM = 3;
const LONGEST_GRAM = 5;

const SPACE = 0;
const LETTER = 1;
const MARK = 2;
/** Of scripts that write no spaces, each character is a token. */
const IDEOGRAPH = 3;
const KINDS = kinds();

const SEED = { word: 0x51ed270b, pair: 0x2c1b3c6d, triple: 0x297a2d39, gram: 0x85ebca6b } as const;

/**
 * The features of a text, token by token: words, pairs and triples of neighbouring words, and the groups of three to five
 * letters in a word, each as a bucket. Reads the folded view, so that case, accents and look-alikes make no difference.
 * One reader serves many texts; what it holds is that of the last one.
 */
export class TextFeatures {
  /** Buckets of all tokens, in order. */
  buckets = new Int32Array(4096);
  /** Features of token `t`: from `firstOf[t]` up to `firstOf[t + 1]`. */
  firstOf = new Int32Array(512);
  /** Where token `t` stands in the text: from `startOf[t]` up to `endOf[t]`. */
  startOf = new Int32Array(512);
  endOf = new Int32Array(512);
  tokens = 0;

  private size = 0;
  private previous = 0;
  private beforePrevious = 0;

  read(text: string): void {
    const units = codeUnits(text);
    const { length } = text;
    this.tokens = 0;
    this.size = 0;
    this.previous = 0;
    this.beforePrevious = 0;
    for (let at = 0; at < length; ) {
      const kind = KINDS[units[at] as number] as number;
      const start = at++;
      if (kind === SPACE) continue;
      if (kind === LETTER) while (at < length && KINDS[units[at] as number] === LETTER) at++;
      // A rule of dashes is one mark, however long.
      else if (kind === MARK) while (at < length && units[at] === units[start]) at++;
      this.addToken(units, start, at, kind === LETTER);
    }
    this.firstOf[this.tokens] = this.size;
  }

  private addToken(units: Uint16Array, start: number, end: number, isWord: boolean): void {
    this.makeRoom();
    const token = this.tokens++;
    this.firstOf[token] = this.size;
    this.startOf[token] = start;
    this.endOf[token] = end;
    const stop = Math.min(end, start + MAX_WORD_UNITS);
    let word: number = SEED.word;
    if (isWord) for (let at = start; at < stop; at++) word = mix(word, foldDigit(units[at] as number));
    else word = mix(mix(word, units[start] as number), Math.min(end - start, 3));
    this.add(word);
    this.add(mix(mix(SEED.pair, this.previous), word));
    this.add(mix(mix(mix(SEED.triple, this.beforePrevious), this.previous), word));
    this.beforePrevious = this.previous;
    this.previous = word;
    if (isWord && stop - start > SHORTEST_GRAM - 2) this.addGrams(units, start, stop);
  }

  /** The word's groups of letters, its edges counting as letters. */
  private addGrams(units: Uint16Array, start: number, stop: number): void {
    for (let from = start - 1; from + SHORTEST_GRAM <= stop + 1; from++) {
      let gram: number = SEED.gram;
      const to = Math.min(from + LONGEST_GRAM, stop + 1);
      for (let at = from; at < to; at++) {
        gram = mix(gram, at < start || at >= stop ? 0 : foldDigit(units[at] as number));
        if (at - from >= SHORTEST_GRAM - 1) this.add(gram);
      }
    }
  }

  private add(hash: number): void {
    this.buckets[this.size++] = finish(hash);
  }

  private makeRoom(): void {
    const most = this.size + 3 + (MAX_WORD_UNITS + 2) * (LONGEST_GRAM - SHORTEST_GRAM + 1);
    if (most > this.buckets.length) this.buckets = grown(this.buckets, 2 * most);
    if (this.tokens + 2 > this.startOf.length) {
      this.firstOf = grown(this.firstOf, 2 * this.firstOf.length);
      this.startOf = grown(this.startOf, 2 * this.startOf.length);
      this.endOf = grown(this.endOf, 2 * this.endOf.length);
    }
  }
}

function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

function finish(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) & (BUCKETS - 1);
}

/** All digits are alike. */
function foldDigit(unit: number): number {
  return unit >= 0x30 && unit <= 0x39 ? 0x30 : unit;
}

function grown(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}

function kinds(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(LETTER);
  const set = (first: number, last: number, kind: number) => table.fill(kind, first, last + 1);
  set(0x00, 0x7f, MARK);
  set(0x00, 0x20, SPACE);
  set(0x30, 0x39, LETTER);
  set(0x41, 0x5a, LETTER);
  set(0x61, 0x7a, LETTER);
  // Inside a word it belongs to it: don't, d'accord.
  set(0x27, 0x27, LETTER);
  set(0x80, 0xbf, MARK);
  set(0xa0, 0xa0, SPACE);
  set(0x2000, 0x206f, MARK);
  set(0x2000, 0x200f, SPACE);
  set(0x2190, 0x2bff, MARK);
  set(0x3000, 0x303f, MARK);
  set(0x3000, 0x3000, SPACE);
  set(0x3040, 0x30ff, IDEOGRAPH);
  set(0x3400, 0x9fff, IDEOGRAPH);
  set(0xf900, 0xfaff, IDEOGRAPH);
  set(0xff00, 0xff0f, MARK);
  return table;
}
