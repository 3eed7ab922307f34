import type { ChatCompletion, ChatDelta, Usage } from '../model/chat.ts';
import type { Piece } from '../model/piece.ts';
import type { SecurityInfo } from '../model/security-info.ts';
import type { ModerationReport } from '../moderation/requested-moderation.ts';

/** What an answer of our own begins with. */
export interface AnswerHead {
  readonly requestId: string;
  /** Unix seconds. */
  readonly created: number;
  /** As the caller named it. */
  readonly model: string;
  /** What the field `moderation` asked for, complete once the answer is; undefined where nobody did. */
  readonly moderation?: (() => ModerationReport) | undefined;
}

/** What the gateway reads of an answer's JSON, whole or one event of a stream. */
export interface AnswerPiece extends Piece {
  /** Counts as this piece tells them. */
  readonly usage: Usage | undefined;
  /** Whether it says how the answer ended: it waits for whoever judges the answer as a whole. */
  readonly ends: boolean;
  /** Why it is no part of an answer, for the log: `error in the place of an answer`. */
  readonly fault: string | undefined;
  /** Ids of what the provider keeps: later requests of the key may name them once this piece has left. */
  readonly gives?: readonly string[] | undefined;
  /** Ids that it shows of what may still be blocked: nobody may name them unless a piece that leaves gives them. */
  readonly shows?: readonly string[] | undefined;
  /** What in it holds no text that is read: `data[0].b64_json: image`. */
  readonly skipped?: readonly string[];
}

/** How answers are written in one protocol, `svc` where decisions, section 3, puts it. Holds the state of one answer. */
export interface AnswerFormat {
  /** @throws SyntaxError where the text is not JSON, and should be */
  readPiece(json: string): AnswerPiece;
  encodeWhole(completion: ChatCompletion): string;
  /** A translated stream's step, as the JSON of the events that tell it. */
  encode(delta: ChatDelta): string[];
  /** What a translated stream that has ended still has to say. */
  encodeEnd(): string[];
  /** The whole answer, which a block has cut: `empty` where nothing of its text may be shown. */
  cutWhole(json: string, empty: boolean): string;
  withSecurity(json: string, svc: SecurityInfo): string;
  /**
   * The answer to a blocked request whose policy asks for a refusal in the place of an error: one JSON, or the events of a
   * stream; undefined where the protocol has no words for one.
   */
  refusal(svc: SecurityInfo): string[] | undefined;
  /** Takes note of a piece of the stream as it came. */
  came(piece: AnswerPiece): void;
  /**
   * The JSON of a piece that leaves; undefined where the caller did not ask for it. `cut`: the answer was blocked, and says no
   * other end than the block's own.
   */
  leaving(piece: AnswerPiece, cut: boolean, svc: () => SecurityInfo): string | undefined;
  /** Whether what left says how the answer ended. */
  readonly ended: boolean;
  /** The events that follow the last of a stream, however it ended; absent where there are none. */
  lastEvents?(): string[];
  /** The events that end a stream that was blocked. */
  blockedEnd(svc: SecurityInfo, usage: Usage): string[];
}

/** How the texts of an event stream are framed in one protocol. */
export interface StreamFraming {
  /** An event, whole. */
  event(json: string): string;
  /** How an error's body stands in a stream, behind so many events; as in an answer where this is absent. */
  error?(body: object, sent: number): object;
  /** What follows the last event; may be empty. */
  readonly end: string;
}
