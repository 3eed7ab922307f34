import type { TextSlot } from '../../model/piece.ts';
import type { AnswerPiece } from '../answer-format.ts';
import { NativeAnswerFormat } from '../native-answer-format.ts';

/** A line that is no speech: the number of a cue, when it is shown, the head of WebVTT, or nothing. */
const FRAME = /^(?:\d{1,6}|(?:\d{1,4}:)?\d{2}:\d{2}[.,]\d{3} --> (?:\d{1,4}:)?\d{2}:\d{2}[.,]\d{3}|WEBVTT|[ \t]*)$/;

/** Tags of subtitles that hold no text. */
const TAG = /(<\/?(?:[biuc]|ruby|rt|c\.[a-z]{1,16})>|<(?:\d{1,4}:)?\d{2}:\d{2}\.\d{3}>|\{\\an\d\})/;

/** A line with the line end behind it. */
const LINE = /[^\r\n]*(?:\r\n|[\r\n]|$)/g;

/**
 * Transcripts as text: `text`, `srt` and `vtt`. Their lines of speech are read as one running text, so that what spans two subtitles
 * is found, with a space between them and with none; nothing of ours has a place in them, the headers tell it.
 */
export class PlainTranscriptFormat extends NativeAnswerFormat {
  readonly ended = true;

  readPiece(body: string): AnswerPiece {
    const parts = (body.match(LINE) ?? []).flatMap(partsOf);
    const spoken = parts.filter(({ isSpeech }) => isSpeech);
    const slots = spoken.flatMap(({ text, begins }): TextSlot[] => [
      { channel: 'text', text, path: [], lead: begins ? ' ' : '', isForeign: true },
      { channel: 'text (joined)', text, path: [], repeats: true },
    ]);
    const write = (texts: readonly string[]) => {
      let at = 0;
      const next = (text: string) => merged(text, texts[at++] as string, texts[at++] as string);
      return parts.map(({ text, isSpeech }) => (isSpeech ? next(text) : text)).join('');
    };
    const none = { echoes: [], divisible: false, ends: true, usage: undefined, fault: undefined };
    return { json: body, slots, write, ...none };
  }

  override withSecurity(body: string): string {
    return body;
  }

  cutWhole(body: string, empty: boolean): string {
    return empty ? '' : body;
  }

  leaving({ json }: AnswerPiece): string {
    return json;
  }

  blockedEnd(): never {
    throw new Error('text is never streamed');
  }
}

interface Part {
  readonly text: string;
  readonly isSpeech: boolean;
  /** It is the first of its line. */
  readonly begins: boolean;
}

/** The speech of a line, between its tags, and what is around it. */
function partsOf(line: string): Part[] {
  const text = line.trimEnd();
  const end = { text: line.slice(text.length), isSpeech: false, begins: false };
  if (FRAME.test(text)) return [{ text, isSpeech: false, begins: false }, end];
  const parts = text.split(TAG).map((part, at) => ({ text: part, isSpeech: at % 2 === 0 && part !== '' }));
  const first = parts.findIndex(({ isSpeech }) => isSpeech);
  return [...parts.map((part, at) => ({ ...part, begins: at === first })), end];
}

/** What is left of a text by two readings of it: of where both changed it, nothing. */
function merged(original: string, one: string, other: string): string {
  if (one === original || one === other) return other;
  // A block ends the answer within the first reading, before the second has its turn.
  if (other === original || (other === '' && original.startsWith(one))) return one;
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return `${one.slice(0, start)}[REDACTED]${end === 0 ? '' : one.slice(-end)}`;
}
