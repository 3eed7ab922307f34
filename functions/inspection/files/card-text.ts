import type { Steps } from '../../kernel/tasks/index.ts';
import type { PartReader, Resolved } from './decode-text.ts';
import { decodeBase64 } from './find-files.ts';
import { fromQuotedPrintable } from './quoted-printable.ts';

const CARD = /^[ \t]{0,8}BEGIN[ \t]{0,8}:[ \t]{0,8}V(?:CARD|CALENDAR|EVENT|TODO|JOURNAL|NOTE|MSG|BODY|ENV)\b/im;
/** A line that begins with white space continues the one before (RFC 5545, 3.1; RFC 6350, 3.2). */
const FOLD = /(?:\r\n|\r|\n)[ \t]/g;
const LINE_END = /\r\n|\r|\n/;
/** The grammar of vCard 2.1 has white space around each sign. */
const QUOTED = /;[ \t]{0,8}(?:encoding[ \t]{0,8}=[ \t]{0,8})?"?quoted-printable\b/i;
const BASE64 = /;[ \t]{0,8}(?:encoding[ \t]{0,8}=[ \t]{0,8})?"?(?:b|base64)"?[ \t]{0,8}(?:;|$)/i;
const CHARSET = /;[ \t]{0,8}charset[ \t]{0,8}=[ \t]{0,8}"?([\w.:-]+)/i;
const ESCAPED = /\\([nN,;:"\\])/g;
/** These lines, and these units, take about a millisecond. */
const STEP_LINES = 2_048;
const STEP_UNITS = 65_536;
/** Longer than the names of charsets, which reports quote. */
const MAX_LABEL = 40;
/** Encoded values of one card: pictures and sounds. More are listed as unread. */
const MAX_ENCODED = 256;

/** Whether a text is a contact (vCard) or a calendar (iCalendar). */
export function isCard(text: string): boolean {
  return CARD.test(text);
}

/** The text of a card with its lines unfolded and its values decoded; undefined if that is the text itself. */
export function* cardText(text: string, read: PartReader): Steps<Resolved | undefined> {
  const { lines, isUnfolded } = yield* unfoldedLines(text);
  const shown: string[] = [];
  // White space of a fold is not shown.
  let isChanged = isUnfolded;
  let unread: string | undefined;
  let encoded = 0;
  for (let at = 0; at < lines.length; at += 1) {
    let line = lines[at] as string;
    if (at % STEP_LINES === 0) yield;
    const colon = line.indexOf(':');
    const name = colon < 0 ? '' : line.slice(0, colon);
    const isQuoted = QUOTED.test(name);
    if (isQuoted) {
      const parts = [line];
      while (parts.at(-1)?.trimEnd().endsWith('=') && at + 1 < lines.length) {
        at += 1;
        parts.push(lines[at] as string);
        if (at % STEP_LINES === 0) yield;
      }
      line = parts.join('\n');
    }
    if (!isQuoted && !BASE64.test(name)) {
      const unescaped = line.replace(ESCAPED, (_, letter: string) => (/n/i.test(letter) ? '\n' : letter));
      isChanged ||= unescaped !== line;
      shown.push(unescaped);
      continue;
    }
    encoded += 1;
    const value = line.slice(colon + 1);
    const bytes = isQuoted ? yield* fromQuotedPrintable(value) : decodeBase64(value);
    const part =
      encoded > MAX_ENCODED || bytes === undefined
        ? undefined
        : yield* read(bytes, { charset: CHARSET.exec(name)?.[1]?.slice(0, MAX_LABEL) });
    if (part === undefined || part.unread !== undefined) unread ??= part?.unread ?? 'a value that is not text';
    const decoded = `${name}:${part?.text ?? ''}`;
    isChanged ||= decoded !== line;
    shown.push(decoded);
    yield;
  }
  if (!isChanged && unread === undefined) return undefined;
  return { text: shown.join('\n'), ...(unread !== undefined && { unread }) };
}

/** The lines of a text, without folds. */
function* unfoldedLines(text: string): Steps<{ readonly lines: string[]; readonly isUnfolded: boolean }> {
  const lines = [''];
  let isUnfolded = false;
  for (let at = 0; at < text.length; ) {
    let end = at + STEP_UNITS;
    while (isInFold(text, end)) end += 1;
    const piece = text.slice(at, end);
    const unfolded = piece.replace(FOLD, '');
    isUnfolded ||= unfolded.length < piece.length;
    const [first = '', ...rest] = unfolded.split(LINE_END);
    lines[lines.length - 1] += first;
    for (const line of rest) lines.push(line);
    at = end;
    yield;
  }
  return { lines, isUnfolded };
}

/** Whether an offset is within a line end, or between it and white space. */
function isInFold(text: string, at: number): boolean {
  const [before, after] = [text[at - 1], text[at]];
  return before === '\r' ? /[\n \t]/.test(after ?? '') : before === '\n' && /[ \t]/.test(after ?? '');
}
