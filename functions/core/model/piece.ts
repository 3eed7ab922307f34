import { type JsonEdit, type JsonPath, spliceJson } from '../base/edits.ts';

/** A text inside a piece that the model wrote. */
export interface TextSlot {
  /** Texts of one channel, over all pieces in order, are one text: `choices[0].content`. */
  readonly channel: string;
  readonly text: string;
  readonly path: JsonPath;
  /**
   * Channels of one run are blocks of one text, which clients join without a separator: they come one after the other, and
   * are inspected as one. Absent for a channel of its own.
   */
  readonly run?: string;
  /** The text is JSON itself, as the arguments of a tool call are, and stays so whatever is changed in it. */
  readonly isJson?: true;
  /** The model's reasoning: judged, and never held back or changed. */
  readonly isReadOnly?: true;
  /** What stands between it and the channel's text before it, where that is not written anywhere: read with it, and never sent. */
  readonly lead?: string;
  /** What left of its place in earlier pieces, where clients may join it: read with a channel that begins, and what ends in it is no finding. */
  readonly before?: string;
  /** Judged, but neither counted nor kept: the same words as those of another channel, or those of a file. */
  readonly repeats?: true;
  /** What the string at `path` is for a text; the text itself where this is absent. */
  readonly encode?: (text: string) => string;
  /** No more text comes in its channel. */
  readonly isWhole?: true;
  /** The text is the name of the member at the path. */
  readonly isName?: true;
  /** A single word outside of what the model says: not for outside detectors, and not kept. */
  readonly isWord?: true;
  /** Somebody else's words, that the model only passes on: judged besides as what a tool gives is. */
  readonly isThirdParty?: true;
}

/** What leaves for the caller at once: a whole JSON answer, or the data of one event of a stream. */
export interface Piece {
  readonly json: string;
  readonly slots: readonly TextSlot[];
  /** Values that repeat the model's text in another form (log probabilities): set to null when a text changes. */
  readonly echoes: readonly JsonPath[];
  /** Whether a part of its only text may leave before the rest. */
  readonly divisible: boolean;
  /** Channels whose names begin so get no more text after this piece: `choices[0].` */
  readonly closes?: readonly string[];
  /** Writes it with other texts in its slots, in their order; it is spliced where there is no such way. */
  readonly write?: (texts: readonly string[]) => string;
}

/** The piece with other texts in its slots, in the same order; the same piece where none differs. */
export function withTexts(piece: Piece, texts: readonly string[]): Piece {
  const { write } = piece;
  const edits: JsonEdit[] = [];
  let isChanged = false;
  const slots = piece.slots.map((slot, at) => {
    const text = texts[at] as string;
    if (text === slot.text) return slot;
    const json = JSON.stringify(slot.encode?.(text) ?? text);
    isChanged = true;
    // What is within an echo is removed with it.
    if (!piece.echoes.some((echo) => isWithin(slot.path, echo))) {
      edits.push(slot.isName ? { kind: 'rename', path: slot.path, json } : { kind: 'replace', path: slot.path, json });
    }
    return { ...slot, text };
  });
  if (!isChanged) return piece;
  if (write !== undefined) return { ...piece, json: write(texts), slots };
  for (const path of piece.echoes) edits.push({ kind: 'replace', path, json: 'null' });
  const json = spliceJson(piece.json, edits);
  // Two members whose names were redacted may have one name now.
  const isRenamed = edits.some(({ kind }) => kind === 'rename');
  return { ...piece, json: isRenamed ? JSON.stringify(JSON.parse(json)) : json, slots, echoes: [] };
}

function isWithin(path: JsonPath, holder: JsonPath): boolean {
  return path.length > holder.length && holder.every((step, at) => step === path[at]);
}
