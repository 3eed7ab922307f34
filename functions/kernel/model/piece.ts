import { type JsonEdit, type JsonPath, spliceJson } from '../json/index.ts';
import type { Usage } from './chat.ts';

/** Who executes a tool call: the client, or the provider before its response. */
export type CallBy = 'client' | 'provider';

/** A text inside a piece that the model wrote. */
export interface TextSlot {
  /** Texts of one channel, over all pieces in order, are one text: `choices[0].content`. */
  readonly channel: string;
  readonly text: string;
  readonly path: JsonPath;
  /**
   * Channels of one run are blocks of one text that clients join without a separator. They arrive in sequence and are inspected as one
   * text. Absent for a separate channel.
   */
  readonly run?: string;
  /** The place of its text in all pieces, if the channel is of this piece only. */
  readonly place?: string;
  /** The text is JSON, such as the arguments of a tool call, and edits keep it valid. */
  readonly isJson?: true;
  /** The model's reasoning: inspected, but never held back or changed. */
  readonly isReadOnly?: true;
  /** Text of a tool call: who executes it. */
  readonly call?: CallBy;
  /** An implied separator from the channel's earlier text: inspected with it, and never sent. */
  readonly lead?: string;
  /** Text of the same place in earlier pieces, which clients may join: inspected before a new channel, without findings that end in it. */
  readonly before?: string;
  /** Inspected, but neither counted nor captured: it repeats another channel or a file. */
  readonly repeats?: true;
  /** The string at `path` for a text; the text itself if absent. */
  readonly encode?: (text: string) => string;
  /** The channel gets no more text. */
  readonly isWhole?: true;
  /** The text is the name of the member at `path`. */
  readonly isName?: true;
  /** A single word outside the model's text: neither sent to outside detectors nor captured. */
  readonly isWord?: true;
  /** Third-party text that the model only passes on: also inspected like a tool result. */
  readonly isThirdParty?: true;
}

/** A unit of a response: a whole JSON response, or the data of one event of a stream. */
export interface Piece {
  readonly json: string;
  readonly slots: readonly TextSlot[];
  /** Values that repeat the model's text in another form (log probabilities): set to null if a text changes. */
  readonly echoes: readonly JsonPath[];
  /** Whether a part of its only text may be sent before the rest. */
  readonly divisible: boolean;
  /** Prefixes of channels that get no more text after this piece: `choices[0].` */
  readonly closes?: readonly string[];
  /** Serializes it with other texts in its slots, in order; if absent, its JSON is spliced. */
  readonly write?: (texts: readonly string[]) => string;
}

/** The piece with other texts in its slots, in the same order; the same piece if none differs. */
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
  // Two members with redacted names may have the same name now.
  const isRenamed = edits.some(({ kind }) => kind === 'rename');
  return { ...piece, json: isRenamed ? JSON.stringify(JSON.parse(json)) : json, slots, echoes: [] };
}

function isWithin(path: JsonPath, holder: JsonPath): boolean {
  return path.length > holder.length && holder.every((step, at) => step === path[at]);
}

/** A removed call that the provider's stored response still has: it accepts no further turn without an output of the call. */
export interface UnansweredCall {
  readonly callId: string;
  readonly type: 'function_call' | 'custom_tool_call';
}

/** What the gateway reads from a response's JSON, whole or one event of a stream. */
export interface ResponsePiece extends Piece {
  /** Usage that this piece reports. */
  readonly usage: Usage | undefined;
  /** Whether it ends the response: it waits for detectors of the whole response. */
  readonly ends: boolean;
  /** Why it is not part of a response, for the log: `error instead of a response`. */
  readonly fault: string | undefined;
  /** Ids of resources stored at the provider: later requests of the key may use them once this piece was sent. */
  readonly issuedIds?: readonly string[] | undefined;
  /** The id of a response from which calls were removed, and these: later requests may continue from it, but not read it. */
  readonly unanswered?: { readonly id: string; readonly calls: readonly UnansweredCall[] } | undefined;
  /** The id of the response itself: it names what the provider keeps of the exchange, if the request asks for that. */
  readonly ownId?: string | undefined;
  /** Ids in members that no list names: as `ownId`, valid once the whole response has passed. */
  readonly unknownIds?: readonly string[];
  /** Ids of resources that may still be blocked: requests may not use them unless a piece that is sent gives them. */
  readonly pendingIds?: readonly string[] | undefined;
  /** The id of a background response whose end is not in this piece: the provider completes it without this call. */
  readonly unreadId?: string | undefined;
  /** Contents without text that is read: `data[0].b64_json: image`. */
  readonly skipped?: readonly string[];
}

/** An output item of a Responses API response. */
export type OutputItem = Readonly<Record<string, unknown>>;
