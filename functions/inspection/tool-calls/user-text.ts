import { fold } from './folded.ts';
import { isLabelledResult } from './labelled-result.ts';
import { NOUNS } from './tool-meaning.ts';
import { CUES, VERBS, type Verb } from './word-groups.ts';

/** A user's message: what the user wrote, and documents that were pasted into it or retrieved for it. */
export interface UserText {
  readonly own: string;
  readonly pasted: readonly string[];
}

/** Whether a line closes a document. */
type Closes = (line: string) => boolean;

const RULING = new Set('─━═–—=*_-');
const DOCUMENT_NUMBER =
  /^(?:document|source|doc|quelle|fuente|fonte|dokument|документ|источник|文档|资料|文書|資料)\s*#?\d/iu;
const SENDER = /^(?:from|von|de|da|od|от|发件人|差出人)\s*[:：]\s*\S/iu;
const QUOTED = /^\s*>(?!>{1,2}[^<>]*<{2,3}\s*$)/;
/** A label in brackets at the start of a line, or of a point of a list: `[[ Invoice ]]`, `〔2〕`, `>>> Ticket <<<`. No box to tick, no link. */
const LABEL =
  /^(?:[•*-]\s*)?(?:\[\[?[^[\]]{2,80}\](?!\()|【[^】]{1,80}】|〔[^〕]{1,80}〕|《[^》]{1,80}》|<<[^<>]{1,80}>>|>{2,3}[^<>]{1,80}<{2,3})/u;
/** A row of a table, a point of a list, a line that a sign makes a heading. */
const ITEM = /^(?:\||\d{1,2}[.)]\s|[•◆◇■□●○▼▽▶►★☆※§*-]\s?)/u;
const COLON = /[:：]$/;
const ENCLOSED = CUES.bit('enclosed');
const DOCUMENT = CUES.bit('document') | CUES.bit('email');
const READ = VERBS.bit('read');
/** Verbs whose object a user may write after a colon: "send the following", "create a ticket". */
const DICTATES = ['send', 'publish', 'create', 'change', 'enrol'].reduce(
  (set, verb) => set | VERBS.bit(verb as Verb),
  0,
);
const THINGS = CUES.bit('email') | CUES.bit('file') | CUES.bit('number') | CUES.bit('document');
/** A heading, so that what follows is a document. */
const DOCUMENT_BORDER = '───';
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
const ENDS_NEVER: Closes = () => false;

/** Joins the texts of a user's message. One that follows words such as "the attached invoice", or several lines after "Pay this invoice.", are a document. */
export function joinUserTexts(texts: readonly string[]): string {
  let joined = texts[0] ?? '';
  for (const text of texts.slice(1)) {
    const own = fold(splitUserText(joined).own);
    const found = CUES.in(own);
    const isNamed = (found & DOCUMENT) !== 0 && text.trim().includes('\n') && !acts(own, DICTATES);
    const isDocument = (found & ENCLOSED) !== 0 || isNamed;
    joined += `\n${isDocument ? `${DOCUMENT_BORDER}\n` : ''}${text}`;
  }
  return joined;
}

/**
 * Splits a user's message. Fenced and quoted lines are documents; so is all that follows a heading, or words that announce a document, if
 * the user wrote something before it. A message that begins with a heading is the user's own: people structure their tasks too. One that begins
 * as agents' transcripts label a result is a document as a whole.
 */
export function splitUserText(text: string): UserText {
  if (isLabelledResult(text)) return { own: '', pasted: [text] };
  const own: string[] = [];
  const pasted: string[][] = [];
  let ends: Closes | undefined;
  let before = '';
  const lines = text.split('\n');
  const cues = new EnclosedCues(own);
  const hasLabels = lines.filter((line) => LABEL.test(line)).length > 1;
  for (const line of lines) {
    const previous = before;
    before = line;
    if (ends !== undefined) {
      (pasted.at(-1) as string[]).push(line);
      if (ends(line)) ends = undefined;
    } else if (QUOTED.test(line)) pasted.push([line]);
    else {
      const isAfterText = own.length > 0 && !isHeading(own[0] as string);
      ends = endOfDocument(line, isAfterText);
      if (ends === undefined && isAfterText && isAnnounced(line, previous, cues, hasLabels)) ends = ENDS_NEVER;
      if (ends !== undefined) pasted.push([line]);
      else if (line.trim() !== '') own.push(line);
      if (ends?.(line.trimStart().slice(3)) === true) ends = undefined;
    }
  }
  return { own: own.join('\n'), pasted: pasted.map((lines) => lines.join('\n')) };
}

/** What closes the document that a line opens; undefined if it opens none. */
function endOfDocument(line: string, isAfterText: boolean): Closes | undefined {
  const text = line.trim();
  const mark = /^(?:`{3,}|~{3,})/.exec(text)?.[0];
  if (mark !== undefined) return (end) => end.trim() === mark;
  const name = nameOfTag(text);
  if (name !== undefined) return (end) => end.trimEnd().endsWith(`</${name}>`);
  const quotes = /^(?:"""|''')/.exec(text)?.[0];
  if (quotes !== undefined) return (end) => end.trimEnd().endsWith(quotes);
  if (/^-{2,}\s*(?:BEGIN|START|ANFANG|BEGINN)\b/i.test(text))
    return (end) => /^-{2,}\s*(?:END|ENDE|FIN)\b/i.test(end.trimStart());
  return isAfterText && isHeading(line) ? ENDS_NEVER : undefined;
}

/**
 * Whether a line starts a document that the user has announced: by "the mail says:" before it, or by words such as "the excerpts below" before
 * a label, a table or a list. A text that the user dictates ("send the following to Kim:") is announced by a verb that acts.
 */
function isAnnounced(line: string, previous: string, cues: EnclosedCues, hasLabels: boolean): boolean {
  const text = line.trim();
  const isBlockStart = previous.trim() === '' || COLON.test(previous.trim());
  if (text === '' || !isBlockStart) return false;
  const last = cues.lastLine.trim();
  if (COLON.test(last)) {
    const sentence = fold(last.split(/[.!?。！？]/).at(-1) as string);
    const found = CUES.in(sentence);
    if ((found & ENCLOSED) !== 0 && !acts(sentence)) return true;
    // "Pay this invoice:" before a blank line.
    const names = (found & DOCUMENT) !== 0 && previous.trim() === '' && !ITEM.test(text);
    if (names && !acts(sentence, DICTATES)) return true;
  }
  const isLabel = LABEL.test(text);
  if (isLabel && (hasLabels || !/^(?:\[(?!\[)|【|《)/.test(text))) return true;
  return (isLabel || ITEM.test(text)) && cues.areFound();
}

/**
 * Whether the user's lines so far have words that announce a document. Each line is read once: what asks is a line with a sign at its start, so that
 * no phrase goes on in it.
 */
class EnclosedCues {
  private readonly own: readonly string[];
  private readLines = 0;
  private isFound = false;

  /** @param own gets more lines */
  constructor(own: readonly string[]) {
    this.own = own;
  }

  get lastLine(): string {
    return this.own.at(-1) as string;
  }

  areFound(): boolean {
    if (this.isFound || this.readLines === this.own.length) return this.isFound;
    const lines = this.own.slice(this.readLines);
    this.readLines = this.own.length;
    this.isFound = (CUES.in(fold(lines.join('\n'))) & ENCLOSED) !== 0;
    return this.isFound;
  }
}

/** Whether a folded sentence has one of these verbs, by default any that acts; "mail", "note" and "record" are things here. */
export function acts(sentence: string, verbs = ~READ): boolean {
  const words = sentence.match(WORDS) ?? [];
  return words.some(
    (word) => (VERBS.ofWord(word) & verbs) !== 0 && (CUES.ofWord(word) & THINGS) === 0 && !NOUNS.has(word),
  );
}

/** The name of the tag that a line starts with. */
function nameOfTag(text: string): string | undefined {
  const end = text.indexOf('>');
  if (!text.startsWith('<') || end < 0 || text.lastIndexOf('<', end) > 0) return undefined;
  return /^[\p{L}][\p{L}\p{N}_-]*/u.exec(text.slice(1, end).split(/\s/, 1)[0] as string)?.[0];
}

/** A line that is the heading of a document: `### Document 2`, `[1] host/page`, `── Message ──`, `From: ...`, or a rule. */
function isHeading(line: string): boolean {
  const text = line.trim();
  if (/^#{1,6}\s+\S/.test(text) || /^\[\d{1,3}\]/.test(text) || DOCUMENT_NUMBER.test(text) || SENDER.test(text))
    return true;
  if (/^[«【]/.test(text)) return /[»】]$/.test(text) && text.length < 84;
  const [first = '', second = '', third] = text.replace(/\s/g, '');
  return third !== undefined && RULING.has(first) && RULING.has(second);
}
