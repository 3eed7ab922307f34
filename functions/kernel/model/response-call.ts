import type { JsonPath } from '../json/index.ts';
import type { ResponsePiece } from './piece.ts';

/** What one piece of a response contains of a tool call that the client would execute. */
export interface CallPart {
  /** Names the call among those of the response. */
  readonly id: string;
  /** The place of its arguments in a whole response, for findings: `choices[0].message.tool_calls[0].function.arguments`. */
  readonly field: string;
  /** The path of the call in the piece; absent if the piece only ends it. */
  readonly path?: JsonPath;
  readonly name?: string;
  /** The client's id of the call. */
  readonly callId?: string;
  /** Whether no earlier piece has a part of it. */
  readonly starts?: true;
  /** More text of its arguments. */
  readonly text?: string;
  /** Its whole arguments, which replace the text so far: a string is text. */
  readonly whole?: unknown;
  /** Whether its arguments are complete. */
  readonly ends?: true;
}

/** A piece, what it contains of calls, and the texts that replace removed calls. */
export interface CallRemoval {
  readonly parts: readonly CallPart[];
  /** The text instead of a call; undefined if the call stays. */
  readonly textOf: (id: string) => string | undefined;
}

/** Finds the tool calls of one response in its pieces, in order, and removes those that may not be sent. */
export interface ResponseCalls {
  read(piece: ResponsePiece): readonly CallPart[];
  /** The pieces to send instead of a piece. To be used for all pieces from the first with a removed call on. */
  remove(piece: ResponsePiece, removal: CallRemoval): ResponsePiece[];
}
