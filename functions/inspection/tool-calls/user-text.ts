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
const QUOTED = /^\s*>/;
const ENDS_NEVER: Closes = () => false;

/**
 * Splits a user's message. Fenced and quoted lines are documents; so is all that follows a heading, if the user wrote something before it.
 * A message that begins with a heading is the user's own: people structure their tasks too.
 */
export function splitUserText(text: string): UserText {
  const own: string[] = [];
  const pasted: string[][] = [];
  let ends: Closes | undefined;
  for (const line of text.split('\n')) {
    if (ends !== undefined) {
      (pasted.at(-1) as string[]).push(line);
      if (ends(line)) ends = undefined;
    } else if (QUOTED.test(line)) pasted.push([line]);
    else {
      ends = endOfDocument(line, own.length > 0 && !isHeading(own[0] as string));
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
