import type { Steps } from '../../kernel/tasks/index.ts';
import { cardText, isCard } from './card-text.ts';
import {
  type Declared,
  type DecodedText,
  decoderOf,
  decodeSteps,
  hasOtherAscii,
  type PartReader,
  type Resolved,
} from './decode-text.ts';
import { ARCHIVE, isArchive, oldFormatOf } from './document-formats.ts';
import { isMail, mailText } from './mail-text.ts';
import { isRtf, rtfText } from './rtf-text.ts';
import { hasEntities, textWithEntities } from './xml-entities.ts';

/** Mails in mails, each encoded in the other. */
const MAX_DEPTH = 4;

/** Formats that are text and whose text is hidden from all but their readers: what they show is not read. */
const UNREAD_FORMATS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\\documentclass\b|\\begin\{document\}/, 'LaTeX'],
  [/^\s*%!/, 'PostScript'],
  [/^begin(?:-base64)? [0-7]{3,4} \S/m, 'uuencoded data'],
  [/^=ybegin /m, 'yEnc data'],
  [/<!ENTITY\s+(?:%|[^\s<]+\s+(?:SYSTEM|PUBLIC)\b)/i, 'XML with outside entities'],
];

/** Where a document itself states its charset: in an XML declaration, a `meta` element or the first rule of a style sheet. */
const STATING = /<(?:\?xml|meta)[^<>]*|^@charset[^;]*/gi;
const STATED = /(?:encoding|charset)[\s=]+["']?([\w.:-]+)/i;
/** Browsers read these as UTF-8, and XML parsers refuse them, where the letters are readable as ASCII. */
const WIDE = /^utf-?16|^ucs|^iso-10646/i;
const HEAD_BYTES = 1024;
/** Longer than the names of charsets, which reports quote. */
const MAX_LABEL = 40;

/**
 * The text in the bytes of a file: as written, and as a reader of its format shows it if that differs. Formats are recognized by their
 * content, since a provider may believe the content, the name or the declared type.
 */
export function* readSteps(bytes: Uint8Array, declared: Declared, depth = 0): Steps<DecodedText | undefined> {
  const decoded = yield* decodeSteps(bytes, { ...declared, charset: statedCharset(bytes) ?? declared.charset });
  if (decoded === undefined) return undefined;
  const { text } = decoded;
  const format = isArchive(bytes) ? ARCHIVE : UNREAD_FORMATS.find(([pattern]) => pattern.test(text))?.[1];
  const unread = oldFormatOf(bytes) ?? decoded.unread ?? format;
  yield;
  if (depth > MAX_DEPTH) return { ...decoded, unread: 'too many files in each other' };
  const resolved = yield* resolve(text, (part, of) => readSteps(part, of, depth + 1));
  const reason = unread ?? resolved?.unread;
  return {
    text: resolved === undefined || resolved.text === '' ? text : `${text}\n\n${resolved.text}`,
    // What a reader shows has no place in the bytes where it could be redacted.
    isUtf8: decoded.isUtf8 && resolved === undefined,
    ...(reason !== undefined && { unread: reason }),
  };
}

/** What each reader shows that takes the text for its format; undefined if that is the text itself. */
function* resolve(text: string, read: PartReader): Steps<Resolved | undefined> {
  const shown = [
    isRtf(text) ? yield* rtfText(text) : undefined,
    isMail(text) ? yield* mailText(text, read) : undefined,
    isCard(text) ? yield* cardText(text, read) : undefined,
    hasEntities(text) ? yield* textWithEntities(text) : undefined,
  ].filter((one) => one !== undefined);
  const unread = shown.find((one) => one.unread !== undefined)?.unread;
  const texts = shown.map((one) => one.text).filter((one) => one !== '');
  return shown.length === 0 ? undefined : { text: texts.join('\n\n'), ...(unread !== undefined && { unread }) };
}

/** A charset in which the bytes are other letters than ASCII, or that cannot be decoded, if the document states one. */
function statedCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  const charset = [...head.matchAll(STATING)].flatMap(
    ([place]) => STATED.exec(place)?.[1]?.slice(0, MAX_LABEL) ?? [],
  )[0];
  if (charset === undefined || WIDE.test(charset)) return undefined;
  const decoder = decoderOf(charset);
  return decoder === undefined || hasOtherAscii(decoder) ? charset : undefined;
}
