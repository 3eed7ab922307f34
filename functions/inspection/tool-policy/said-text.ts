import { type ComparedValue, GROUPING, normalise } from './compared-value.ts';

const WORD = /[\p{L}\p{N}\p{M}_]/u;
/** Scripts without spaces between words: a value may be beside such a letter. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u;
/** What may continue an address, a path, an id or an amount. */
const CONNECTORS = /[.@/\\+\-%#&=~?!*^:,']/;
const DIGIT = /\d/;
/** What a form of an address leaves out. */
const WEB_SCHEME = /https?:\/\/$/;
const GROUPS = /[^\s()./-]+/g;
/** Characters that are looked at beside a value. A longer run of connectors counts as a part of it. */
const BESIDE = 8;
const WORDS = /[\p{L}\p{N}\p{M}_]+/gu;
/** A sentence ends within it: no number goes on. */
const SENTENCE_END = '. ';

/** Occurrences of a value that are looked at. */
const MAX_PLACES = 1_000;
/** Between the texts of two messages. */
const BORDER = '\0';

interface ReadText {
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

interface PackedText {
  readonly bare: string;
  /** For each character of `bare`, its offset in the text. */
  readonly offsets: readonly number[];
}

/** What someone has written, in which whole values are looked up. */
export class SaidText {
  private readonly texts: string[] = [];
  private read: ReadText | undefined;
  private packed: PackedText | undefined;
  private readonly found = new Map<string, boolean>();

  add(text: string): void {
    this.texts.push(normalise(text));
    this.read = undefined;
    this.packed = undefined;
    this.found.clear();
  }

  /** Whether a value occurs as a whole: `bob@x.co` is not in "bob@x.co.uk", nor 500 in "1,500". */
  has({ forms, packed }: ComparedValue): boolean {
    const key = forms[0] as string;
    let found = this.found.get(key);
    if (found === undefined) {
      found = forms.some((form) => this.hasForm(form)) || (packed !== undefined && this.hasPacked(packed));
      this.found.set(key, found);
    }
    return found;
  }

  private readText(): ReadText {
    if (this.read === undefined) {
      const text = this.texts.join(BORDER);
      this.read = { text, words: new Set(wordsOf(text)) };
    }
    return this.read;
  }

  private hasForm(form: string): boolean {
    const { text, words } = this.readText();
    // Most values are not in the text: their words show it at once.
    if (form === '' || form.includes(BORDER) || wordsOf(form).some((word) => !words.has(word))) return false;
    let at = text.indexOf(form);
    for (let place = 0; at >= 0 && place < MAX_PLACES; place++) {
      if (isWhole(text, at, at + form.length)) return true;
      at = text.indexOf(form, at + 1);
    }
    return false;
  }

  /** Account and telephone numbers in other groups. */
  private hasPacked(packed: string): boolean {
    const { text } = this.readText();
    this.packed ??= pack(text);
    const { bare, offsets } = this.packed;
    let at = bare.indexOf(packed);
    for (let place = 0; at >= 0 && place < MAX_PLACES; place++) {
      const start = offsets[at] as number;
      const end = (offsets[at + packed.length - 1] as number) + 1;
      const isOne = !text.slice(start, end).includes(SENTENCE_END);
      if (isOne && isWhole(text, start, end) && !continues(text, start, end)) return true;
      at = bare.indexOf(packed, at + 1);
    }
    return false;
  }
}

/** The words of a text, without letters of scripts that have no spaces between words. */
function wordsOf(text: string): string[] {
  const words: readonly string[] = text.match(WORDS) ?? [];
  return words.flatMap((word) => (UNSPACED.test(word) ? word.split(UNSPACED).filter((part) => part !== '') : [word]));
}

function pack(text: string): PackedText {
  const offsets: number[] = [];
  let bare = '';
  for (const { 0: group, index } of text.matchAll(GROUPS)) {
    bare += group;
    for (let at = 0; at < group.length; at++) offsets.push(index + at);
  }
  return { bare, offsets };
}

/** Whether more digits follow or precede, which may belong to the number. */
function continues(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start).replace(GROUPING, '');
  const after = text.slice(end, end + 2).replace(GROUPING, '');
  return DIGIT.test(before) || DIGIT.test(after);
}

function isWhole(text: string, start: number, end: number): boolean {
  const before = [...text.slice(Math.max(0, start - BESIDE), start)].reverse();
  const after = [...text.slice(end, end + BESIDE)];
  const first = String.fromCodePoint(text.codePointAt(start) as number);
  const last = [...text.slice(Math.max(start, end - 2), end)].at(-1) as string;
  if (DIGIT.test(first) && before[0] === '-') return false;
  const isStart = WEB_SCHEME.test(text.slice(Math.max(0, start - BESIDE), start)) || !goesOn(first, before, false);
  return isStart && !goesOn(last, after, true);
}

/** Whether what is beside the edge of a value belongs to it; `beside` goes away from it. */
function goesOn(edge: string, beside: readonly string[], isAfter: boolean): boolean {
  const [next = ''] = beside;
  if (isWordChar(next)) {
    return (isWordChar(edge) && !UNSPACED.test(edge) && !UNSPACED.test(next)) || CONNECTORS.test(edge);
  }
  if (!CONNECTORS.test(next)) return false;
  const at = beside.findIndex((one) => !CONNECTORS.test(one));
  if (at < 0) return beside.length === BESIDE;
  const far = beside[at] as string;
  if (!isWordChar(far) || UNSPACED.test(far)) return false;
  const isInNumber = DIGIT.test(edge) && DIGIT.test(far);
  if (at > 1) return true;
  if (next === ',') return isInNumber;
  // "bob's" names Bob; "o'brien@x.example" is not Brien.
  if (next === "'") return isInNumber || !isAfter;
  // "to:bob@x.example" names the value; "x.example:8080" goes on.
  if (next === ':') return isInNumber || isAfter;
  return true;
}

function isWordChar(char: string): boolean {
  return char !== '' && WORD.test(char);
}
