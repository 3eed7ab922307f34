import { partAt } from './part-at.ts';

/** Words by which people write the signs of an address or an id, folded, and parts of unspaced texts that do. They are left out. */
const SIGNS = new Set(
  'at dot punkt point punto ponto punct kropka małpa klammeraffe arobase arroba chiocciola slash dash hyphen minus underscore bindestrich schragstrich unterstrich tiret trait barre guion barra hifen trattino myslnik dywiz kreska podkreslenie точка тире дефис собака слеш слэш минус подчеркивание koppelteken streepje apenstaartje'.split(
    ' ',
  ),
);
const UNSPACED_SIGNS =
  /横杠|横线|短横线?|连字符|斜杠|斜线|下划线|艾特|点|杠|ドット|アットマーク|アット|ハイフン|スラッシュ/gu;
const DIGITS: readonly string[] = [
  'zero null cero nul ноль',
  'one eins un uno um een jeden один',
  'two zwei deux dos dois due twee dwa два',
  'three drei trois tres tre drie trzy три',
  'four vier quatre cuatro quatro quattro cztery четыре',
  'five funf cinq cinco cinque vijf piec пять',
  'six sechs seis sei zes szesc шесть',
  'seven sieben sept siete sete sette zeven siedem семь',
  'eight acht huit ocho oito otto osiem восемь',
  'nine neun neuf nueve nove negen dziewiec девять',
];
const DIGIT_OF: ReadonlyMap<string, string> = new Map(
  DIGITS.flatMap((words, digit) => words.split(' ').map((word) => [word, String(digit)] as const)),
);
const HAN_DIGITS = '零一二三四五六七八九';
const HAN_DIGIT = /[〇零一二三四五六七八九]/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Katakana}]/u;
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

function toPiece(word: string): string {
  if (SIGNS.has(word)) return '';
  const digit = DIGIT_OF.get(word);
  if (digit !== undefined) return digit;
  if (!UNSPACED.test(word)) return word;
  return word.replace(UNSPACED_SIGNS, '').replace(HAN_DIGIT, (sign) => String(Math.max(0, HAN_DIGITS.indexOf(sign))));
}

/** The letters and digits of a folded text; signs and digits may be words. */
export function spelledOut(folded: string): string {
  return (folded.match(WORDS) ?? []).map(toPiece).join('');
}

/** The letters and digits of a text, in which a value is found however it is split, spaced or spelled. */
export class SpelledText {
  private readonly text: string;
  /** Where each piece starts here, and in the folded text. */
  private readonly starts: readonly number[];
  private readonly origins: readonly number[];

  constructor(folded: string) {
    const starts: number[] = [];
    const origins: number[] = [];
    const pieces: string[] = [];
    let length = 0;
    for (const { 0: word, index } of folded.matchAll(WORDS)) {
      const piece = toPiece(word);
      if (piece === '') continue;
      starts.push(length);
      origins.push(index);
      pieces.push(piece);
      length += piece.length;
    }
    this.text = pieces.join('');
    this.starts = starts;
    this.origins = origins;
  }

  /** The offset in the folded text of a value that is made of whole words, or -1. */
  find(value: string): number {
    for (let from = 0; value !== ''; ) {
      const at = this.text.indexOf(value, from);
      if (at < 0) break;
      const piece = partAt(this.starts, at);
      const end = at + value.length;
      const isWhole =
        this.starts[piece] === at && (end === this.text.length || this.starts[partAt(this.starts, end)] === end);
      if (isWhole) return this.origins[piece] as number;
      from = this.starts[piece + 1] ?? this.text.length;
    }
    return -1;
  }
}
