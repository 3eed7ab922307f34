import type { TextSlot } from '../../pipeline/piece.ts';
import type { AnswerPiece } from '../answer-format.ts';
import { NativeAnswerFormat } from '../native-answer-format.ts';

/** A line that is no speech: the number of a cue, when it is shown, the head of WebVTT, or nothing. */
const FRAME = /^(?:\d{1,6}|(?:\d{1,4}:)?\d{2}:\d{2}[.,]\d{3} --> (?:\d{1,4}:)?\d{2}:\d{2}[.,]\d{3}|WEBVTT|[ \t]*)$/;

/** A line with the line end behind it. */
const LINE = /[^\r\n]*(?:\r\n|[\r\n]|$)/g;

/**
 * Transcripts as text: `text`, `srt` and `vtt`. Their lines of speech are read as one running text, so that what spans two subtitles
 * is found; nothing of ours has a place in them, the headers tell it.
 */
export class PlainTranscriptFormat extends NativeAnswerFormat {
  readonly ended = true;

  readPiece(body: string): AnswerPiece {
    const lines = (body.match(LINE) ?? []).map((line) => {
      const text = line.trimEnd();
      return { text, end: line.slice(text.length), isSpeech: !FRAME.test(text) };
    });
    const slots: TextSlot[] = lines
      .filter(({ isSpeech }) => isSpeech)
      .map(({ text }) => ({ channel: 'text', text, path: [], lead: ' ', isForeign: true }));
    const write = (texts: readonly string[]) => {
      let at = 0;
      return lines.map(({ text, end, isSpeech }) => `${isSpeech ? texts[at++] : text}${end}`).join('');
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
