import { codeUnits } from '../../pattern-engine/code-units.ts';
import { type PlainWords, plainWords } from '../views/plain-words.ts';
import { deciphered } from './cipher.ts';
import type { Reading, ReadingKind } from './reading.ts';
import { Respeller } from './respelled.ts';
import { TokenScan } from './token-scan.ts';
import { unescaped } from './unescaped.ts';
import { wordShapes } from './word-shapes.ts';
import { vocabularyTrie } from './word-trie.ts';

/** Gives the other ways in which a passage of folded text can be read; none for most. */
export class Readings {
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

/** The one reader of passages, made when it is first needed. */
export function readings(): Readings {
  shared ??= new Readings();
  return shared;
}
