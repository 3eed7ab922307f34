import {
  isWritten,
  type LogLevel,
  setLogFormat,
  setLogLevel,
  writeLine,
} from '../../functions/adapters/telemetry/logger.ts';

type Line = Readonly<Record<string, unknown>>;

/** Sets up this process's log: JSON, or on a terminal text for a reader. Nothing below the level is written. */
export function setUpLocalLog(level: LogLevel = 'INFO', isTerminal = process.stdout.isTTY === true): void {
  setLogLevel(level, { collected: false });
  if (isTerminal) setLogFormat(toText);
}

/** Logs an event that was received from the queue, also one without a webhook. */
export function logEvent(id: string, type: string): void {
  if (isWritten('INFO')) writeLine('INFO', 'event', { id, type });
}

/** The end of a helper process. */
export interface HelperEnd {
  readonly process: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** What does not work now. */
  readonly effect: string;
  /** null if the service stops. */
  readonly restartSeconds: number | null;
}

export function logHelperEnd(end: HelperEnd): void {
  writeLine('ERROR', 'process ended', end);
}

/** A damaged end of the tables' log. LevelDB has removed it and keeps no copy. */
export function logDroppedBytes(store: string, bytes: number): void {
  writeLine('WARN', 'store cut', { store, bytes });
}

/** Why the stores end. */
export function logStoreFailure(reason: string): void {
  writeLine('ERROR', 'store failed', { reason });
}

/** A longer value is cut, so that a request fits a line. */
const LONGEST = 80;

/** One line of text. Values of clients are quoted unless they are one word. */
export function toText(line: Line): string {
  const time = new Date(String(line.timestamp)).toTimeString().slice(0, 8);
  const level = line.level === 'INFO' || line.level === 'DEBUG' ? [] : [line.level];
  const write = WRITERS[String(line.message)] ?? writeFields;
  const id = typeof line.requestId === 'string' ? [line.requestId] : [];
  return [time, ...level, ...write(line).filter((word) => word !== null && word !== undefined), ...id].join(' ');
}

const WRITERS: Readonly<Record<string, (line: Line) => readonly unknown[]>> = {
  request: writeRequest,
  audit: ({ action, actor, target }) => ['audit', action, nameOf(target), 'by', nameOf(actor)],
  event: ({ type, id }) => ['event', type, id],
  'store cut': ({ store, bytes }) => [
    `the store '${store}' was damaged: ${bytes} bytes at the end of its log were cut and are not kept. The latest changes may be missing.`,
  ],
  'store failed': ({ reason }) => [reason],
  'process failed': ({ error, code, stack }) => [
    error,
    code,
    'was not caught: the process ends.',
    ...(stack as string[]),
  ],
  'process ended': ({ process, signal, exitCode, effect, restartSeconds }) => [
    `${process} ended (${signal ?? `exit code ${exitCode}`}): ${effect}.`,
    restartSeconds === null ? 'The service stops.' : `It starts again in ${restartSeconds} s.`,
  ],
};

/** `POST /v1/chat/completions 200 flag 0.60 (jailbreak) gpt-4o key …7f3a 12 ms 120+50 tokens`. Requests with a record are all POST. */
function writeRequest(line: Line): readonly unknown[] {
  const { method = 'POST', route, status, outcome, errorCode, action, threats, threatScore, model } = line;
  const { keyLast4, durationMs, usage, internal } = line;
  const { inputTokens, outputTokens } = (usage ?? {}) as { inputTokens?: number; outputTokens?: number };
  const isInspected = action !== undefined && !(action === 'allow' && errorCode !== null);
  const types = Object.keys((threats ?? {}) as object);
  return [
    method,
    route ?? '(no route)',
    status ?? outcome,
    errorCode,
    // A request that was refused for another reason was not inspected, or its action has no effect.
    isInspected ? `${action} ${Number(threatScore).toFixed(2)}` : null,
    types.length === 0 ? null : `(${types.join(', ')})`,
    // Empty if the body could not be read.
    shown(model === '' ? undefined : model),
    keyLast4 === undefined ? null : `key …${keyLast4}`,
    `${Math.round(Number(durationMs))} ms`,
    inputTokens === undefined ? null : `${inputTokens}+${outputTokens ?? 0} tokens`,
    shown(internal),
  ];
}

/** Fields with another place in the line, or for other readers. */
const HIDDEN: ReadonlySet<string> = new Set(['timestamp', 'level', 'message', 'traceId', 'requestId']);

/** `provider failed provider=openai type=429`. */
function writeFields(line: Line): readonly unknown[] {
  const fields = Object.entries(line).filter(
    ([name, value]) => !HIDDEN.has(name) && value !== null && value !== undefined,
  );
  return [line.message, ...fields.map(([name, value]) => `${name}=${shown(value)}`)];
}

/** `key key_1` of an actor or target. */
function nameOf(party: unknown): string {
  return Object.values((party ?? {}) as object)
    .filter((value) => typeof value === 'string')
    .map(shown)
    .join(' ');
}

function shown(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return /^[\w./:@+-]+$/.test(cut) ? cut : JSON.stringify(cut);
}
