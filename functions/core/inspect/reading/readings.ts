import { codeUnits } from '../pattern/code-units.ts';
import { deciphered } from './cipher.ts';
import type { Reading } from './reading.ts';
import { Respeller } from './respelled.ts';
import { TokenScan } from './token-scan.ts';
import { unescaped } from './unescaped.ts';
import { wordShapes } from './word-shapes.ts';
import { vocabularyTrie } from './word-trie.ts';

/** Gives the other ways in which a passage of folded text can be read; none for most. */
export class Readings {
  private readonly scan = new TokenScan(wordShapes());
  private readonly respeller = new Respeller(wordShapes(), vocabularyTrie);

  of(text: string): Reading[] {
    const units = codeUnits(text);
    this.scan.read(units, text.length);
    const plain = unescaped(text, units);
    return [
      ...this.respeller.read(units, text.length, this.scan),
      ...deciphered(units, text.length, this.scan),
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
