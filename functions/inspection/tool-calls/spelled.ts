import { partAt } from './part-at.ts';
import { eachWord } from './word-units.ts';

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
/** Words that are written for a sign, which is left out, or for a digit. */
const PIECES: ReadonlyMap<string, string> = new Map([
  ...[...SIGNS].map((word) => [word, ''] as const),
  ...DIGITS.flatMap((words, digit) => words.split(' ').map((word) => [word, String(digit)] as const)),
]);
const LONGEST_SIGN = Math.max(...[...PIECES.keys()].map(({ length }) => length));
const HAN_DIGITS = '零一二三四五六七八九';
const HAN_DIGIT = /[〇零一二三四五六七八九]/gu;
/** Letters of scripts without spaces, and some other: a cheap test. */
const UNSPACED = /[\u2e80-\uffff]/;

function toPiece(word: string): string {
  const known = word.length > LONGEST_SIGN ? undefined : PIECES.get(word);
  if (known !== undefined) return known;
  if (!UNSPACED.test(word)) return word;
  return word.replace(UNSPACED_SIGNS, '').replace(HAN_DIGIT, (sign) => String(Math.max(0, HAN_DIGITS.indexOf(sign))));
}

/** The letters and digits of a folded text; signs and digits may be words. */
export function spelledOut(folded: string): string {
  let letters = '';
  eachWord(folded, (start, end) => {
    letters += toPiece(folded.slice(start, end));
  });
  return letters;
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
    let text = '';
    eachWord(folded, (start, end) => {
      const piece = toPiece(folded.slice(start, end));
      if (piece === '') return;
      starts.push(text.length);
      origins.push(start);
      text += piece;
    });
    this.text = text;
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
