import { type CharSet, intersection, NOT_WORD_CHARS, WORD_CHARS } from './char-set.ts';
import { OTHER, type Side, WORD } from './context.ts';

/** A set of sides that a character can be on: bit `1 << side`. */
export type Sides = number;
export const OTHERS: Sides = 1 << OTHER;
export const WORDS: Sides = 1 << WORD;

/** The distinct sets that some patterns use, each under a number. */
export class CharSetPool {
  readonly sets: CharSet[] = [];
  /** Per set, the sides that its characters are on. */
  readonly sides: Sides[] = [];
  readonly #idOfObject = new Map<CharSet, number>();
  readonly #idOfContent = new Map<string, number>();

  idOf(set: CharSet): number {
    // By identity first: literals share their objects, and comparing contents costs more than the rest of the work.
    let id = this.#idOfObject.get(set);
    if (id === undefined) {
      const content = set.join();
      id = this.#idOfContent.get(content) ?? this.#add(set);
      this.#idOfContent.set(content, id);
      this.#idOfObject.set(set, id);
    }
    return id;
  }

  /** The part of a set that is on one side. */
  partOf(id: number, side: Side): number {
    return this.idOf(intersection(this.sets[id] as CharSet, side === WORD ? WORD_CHARS : NOT_WORD_CHARS));
  }

  #add(set: CharSet): number {
    const words = intersection(set, WORD_CHARS).length > 0 ? WORDS : 0;
    const others = intersection(set, NOT_WORD_CHARS).length > 0 ? OTHERS : 0;
    this.sides.push(words | others);
    return this.sets.push(set) - 1;
  }
}
