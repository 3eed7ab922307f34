import { codeUnits } from '../pattern-engine/index.ts';
import { type PlainWords, type PositionMap, plainWords, type TextViews, type View } from '../views/index.ts';
import { deciphered } from './cipher.ts';
import { type Passage, PassageCutter, type Range, type Reading, type ReadingKind } from './reading.ts';
import { Respeller } from './respelled.ts';
import { TokenScan } from './token-scan.ts';
import { unescaped } from './unescaped.ts';
import { wordShapes } from './word-shapes.ts';
import { vocabularyTrie } from './word-trie.ts';

/** Another reading of a passage, with its raw ranges. */
export interface ReadPassage {
  readonly passage: string;
  readonly reading: Reading;
  /** The raw range of units [start, end) of the reading. */
  readonly rawRange: (start: number, end: number) => Range;
  /** The raw ranges that the reading replaces. */
  readonly replaced: () => Range[];
}

/** Finds other readings of a text that arrives in pieces, passage by passage. */
export class PassageReader {
  readonly view: View = 'folded';
  private readonly positions: PositionMap;
  private readonly cutter = new PassageCutter();
  private readonly without: readonly ReadingKind[];

  /** `without`: the kinds of readings that have led to this text. */
  constructor(views: TextViews, without: readonly ReadingKind[]) {
    this.positions = views.positions(this.view);
    this.without = without;
  }

  /** Takes the next piece of the view's text; yields the readings of complete passages. Each is valid until the next. */
  *read(text: string, last: boolean): Generator<ReadPassage, void> {
    const whole = last && this.cutter.isFresh ? text : undefined;
    for (const passage of this.cutter.push(text, last)) {
      for (const reading of readings().of(passage.text, this.without, plainWordsOf(passage, whole))) {
        yield {
          passage: passage.text,
          reading,
          rawRange: (start, end) => this.rawRange(passage, reading, start, end),
          replaced: () =>
            reading.replaced.map(({ start, end }) => this.toRaw(passage.start + start, passage.start + end)),
        };
      }
    }
  }

  /** View offset from which positions are still needed. */
  get needed(): number {
    return this.cutter.done;
  }

  private rawRange(passage: Passage, { starts, ends }: Reading, start: number, end: number): Range {
    const [first, last] = [start, end - 1];
    // A reading may run backwards.
    const from = Math.min(starts[first] as number, starts[last] as number);
    const to = Math.max(ends[first] as number, ends[last] as number);
    return this.toRaw(passage.start + from, passage.start + to);
  }

  private toRaw(start: number, end: number): Range {
    const { positions } = this;
    return { start: positions.rawStart(start), end: positions.rawEnd(end) };
  }
}

/** The plain words of a passage; for a whole text they may be cached. */
function plainWordsOf({ text, start }: Passage, whole: string | undefined): PlainWords {
  return whole === undefined ? plainWords(text) : plainWords(whole, start, start + text.length);
}

/** Finds the other readings of passages of folded text; most have none. */
class Readings {
  private readonly scan = new TokenScan(wordShapes());
  private readonly respeller = new Respeller(wordShapes(), vocabularyTrie);

  /** `words` are the text's plain words. */
  of(text: string, without: readonly ReadingKind[], words: PlainWords = plainWords(text)): Reading[] {
    const units = codeUnits(text);
    const { length } = text;
    this.scan.read(units, length, words);
    const plain = without.includes('escapes') ? undefined : unescaped(text, units);
    return [
      ...(without.includes('spelling') ? [] : this.respeller.read(units, length, this.scan)),
      ...(without.includes('cipher') ? [] : deciphered(units, length, this.scan)),
      ...(plain === undefined ? [] : [plain]),
    ];
  }
}

let shared: Readings | undefined;

/** Returns the shared instance, created on first use. */
export function readings(): Readings {
  shared ??= new Readings();
  return shared;
}
