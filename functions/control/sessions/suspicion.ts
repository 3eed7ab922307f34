/** The stored score of a session. */
export interface SessionScore {
  /** 0..1, the highest score of any turn. */
  readonly highest: number;
  /** The accumulated score of its suspicious turns, as of `at`. */
  readonly accumulated: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** When it first reached the policy's threshold; absent before. */
  readonly flaggedAt?: number;
}

/** What is stored of a session: its score and, for the tool calls of later requests, digests with the latest last. */
export interface SessionState extends SessionScore {
  /** Of values that third parties' prose had before the user. */
  readonly values?: readonly string[];
  /** Of conditions `after` of tool rules that have occurred. */
  readonly occurred?: readonly string[];
}

/** A session ends after so much silence (decisions, section 6): by then the past counts half. */
const HALF_LIFE_MS = 30 * 60_000;
/** Lower scores are ordinary: they do not accumulate. */
const COUNTS_FROM = 0.3;
/** The past has its full weight from here on: two or three flagged turns. */
const FULL_AT = 1;

/** Whether a turn counts in its session. */
export function isRemembered(score: number): boolean {
  return score > COUNTS_FROM;
}

/**
 * The session with one more turn. Only the last turn's score counts: earlier ones were counted when they were new. The session is marked
 * where it reaches `flagFrom` for the first time.
 */
export function withTurn(
  known: SessionState | undefined,
  score: number,
  nowMs: number,
  flagFrom = Number.POSITIVE_INFINITY,
): SessionState {
  // A turn may arrive after a later one: the sum is the same in any order.
  const at = Math.max(known?.at ?? 0, nowMs);
  const accumulated = decayed(known, at) + Math.max(0, score - COUNTS_FROM) * halvings(at - nowMs);
  const isFlagged = known?.flaggedAt === undefined && accumulated >= flagFrom;
  return {
    ...known,
    highest: Math.max(known?.highest ?? 0, score),
    accumulated,
    at,
    ...(isFlagged && { flaggedAt: at }),
  };
}

/** 0..1: how suspicious the session's past is. */
export function suspicionOf(known: SessionScore | undefined, nowMs: number): number {
  return Math.min(1, decayed(known, nowMs) / FULL_AT);
}

function decayed(known: SessionScore | undefined, nowMs: number): number {
  if (known === undefined) return 0;
  return known.accumulated * halvings(nowMs - known.at);
}

function halvings(passedMs: number): number {
  return 2 ** (-Math.max(0, passedMs) / HALF_LIFE_MS);
}
