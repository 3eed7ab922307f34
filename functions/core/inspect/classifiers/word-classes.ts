/** Places for words; a power of two, two thirds of them taken. */
const SLOTS = 1 << 16;
/** A place is three bytes: of the word's hash so many bits that its index does not say, and the class. */
const CLASS_BITS = 11;
const TAG_BITS = 13;
const BYTES_A_SLOT = 3;

/** Classes are numbered from 1 up to here; words without one come after. */
export const MOST_CLASSES = (1 << CLASS_BITS) - 1;

/**
 * Words by meaning: those used alike share a class, so that what is learned of one holds for the others. A word is known by
 * its token's hash; one word in some thousand that has no class is taken for another's.
 */
export class WordClasses {
  /** As packed: read where they lie, since a start would pay for slots that no text asks for. */
  private readonly bytes: Uint8Array;

  private constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** @throws RangeError where the text is not what `pack` gave */
  static unpack(packed: string): WordClasses {
    const bytes = Buffer.from(packed, 'base64');
    if (bytes.length !== SLOTS * BYTES_A_SLOT) throw new RangeError(`word classes of ${bytes.length} bytes`);
    return new WordClasses(bytes);
  }

  /** From the classes of words by their tokens' hashes; of two words with one hash the first counts. @throws RangeError where they do not fit */
  static of(classes: Iterable<readonly [hash: number, wordClass: number]>): WordClasses {
    const slots = new WordClasses(new Uint8Array(SLOTS * BYTES_A_SLOT));
    let taken = 0;
    for (const [hash, wordClass] of classes) {
      if (wordClass < 1 || wordClass > MOST_CLASSES || ++taken > 0.8 * SLOTS)
        throw new RangeError('too many word classes');
      const tag = tagOf(hash);
      let slot = slotOf(hash);
      while (slots.at(slot) !== 0 && slots.at(slot) >>> CLASS_BITS !== tag) slot = (slot + 1) & (SLOTS - 1);
      if (slots.at(slot) === 0) slots.put(slot, (tag << CLASS_BITS) | wordClass);
    }
    return slots;
  }

  pack(): string {
    return Buffer.from(this.bytes).toString('base64');
  }

  /** The class of the word whose token has this hash; 0 where it has none. */
  classOf(hash: number): number {
    const tag = tagOf(hash);
    for (let slot = slotOf(hash); ; slot = (slot + 1) & (SLOTS - 1)) {
      const value = this.at(slot);
      if (value === 0) return 0;
      if (value >>> CLASS_BITS === tag) return value & MOST_CLASSES;
    }
  }

  private at(slot: number): number {
    const at = slot * BYTES_A_SLOT;
    const { bytes } = this;
    return (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
  }

  private put(slot: number, value: number): void {
    for (let byte = 0; byte < BYTES_A_SLOT; byte++)
      this.bytes[slot * BYTES_A_SLOT + byte] = (value >>> (8 * byte)) & 0xff;
  }
}

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}

function tagOf(hash: number): number {
  return hash >>> (32 - TAG_BITS);
}
