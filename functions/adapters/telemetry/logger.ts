import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';
import * as z from 'zod';
import { escapeUnseen } from '../../kernel/json/index.ts';

/** `timestamp`, `level`, `message`, the invocation if there is one, and the fields of the line. */
class LineFormatter extends LogFormatter {
  override formatAttributes(base: UnformattedAttributes, fields: LogAttributes): LogItem {
    const { timestamp, logLevel, message, lambdaContext, xRayTraceId } = base;
    const attributes: LogAttributes = { timestamp: timestamp.toISOString(), level: logLevel, message };
    if (lambdaContext !== undefined) {
      attributes.FunctionName = lambdaContext.functionName;
      attributes.functionRequestId = lambdaContext.awsRequestId;
      // A request's line has its own trace id.
      if (!('traceId' in fields) && xRayTraceId !== undefined) attributes.xrayTraceId = toTraceId(xRayTraceId);
    }
    return new LogItem({ attributes: Object.assign(attributes, fields) });
  }
}

/** Converts `1-5759e988-bd862e3fe1be46a994272793` to a trace id of 32 hexadecimal digits. */
function toTraceId(xrayTraceId: string): string {
  return xrayTraceId.slice(2).replace('-', '');
}

/** Powertools' logger with all characters visible, nulls kept, and all levels on standard output. */
class LineLogger extends Logger {
  protected override printLog(_level: number, line: LogItem): void {
    process.stdout.write(toLine(line.getAttributes()));
  }
}

function toLine(attributes: LogAttributes): string {
  return `${escapeUnseen(format(attributes))}\n`;
}

type LineFormat = (line: LogAttributes) => string;
let format: LineFormat = (line) => JSON.stringify(line);

/** Writes lines in another form than JSON. */
export function setLogFormat(chosen: LineFormat): void {
  format = chosen;
}

export const logger = new LineLogger({ logFormatter: new LineFormatter(), logLevel: 'INFO' });

/** The store of invocation state that Lambda's runtime sets. */
interface InvokeStore {
  hasContext(): boolean;
  run<Result>(context: object, work: () => Result): Result;
}

/**
 * Runs work that uses Powertools. In a process with concurrent invocations Powertools keeps its state by invocation, and throws outside of
 * one: at start and in timers.
 */
export function withPowertools<Result>(work: () => Result): Result {
  const { InvokeStore: store } = (globalThis as { awslambda?: { InvokeStore?: InvokeStore } }).awslambda ?? {};
  return store === undefined || store.hasContext() ? work() : store.run({}, work);
}

const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
export type LogLevel = (typeof LEVELS)[number];

const METHODS = { DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/**
 * Writes a line. Outside of Lambda it has no invocation, so Powertools would add nothing: the same line without it takes a fifth of the CPU
 * (bench/telemetry.ts).
 */
export function writeLine(level: LogLevel, message: string, fields: object): void {
  if (isCollected) withPowertools(() => logger[METHODS[level]](message, { ...fields }));
  else addLine(toLine({ timestamp: new Date().toISOString(), level, message, ...fields }));
}

/** Lines of this turn of the event loop, which are written together. */
let waiting = '';

function addLine(line: string): void {
  if (waiting === '') setImmediate(flushLog);
  waiting += line;
}

/** Writes the lines that wait, in their order. */
export function flushLog(): void {
  const lines = waiting;
  waiting = '';
  if (lines !== '') process.stdout.write(lines);
}

/** `SVC_LOG_LEVEL`: the lowest level that is written, in either case. */
export const logLevelSchema = z
  .string()
  .default('info')
  .transform((text) => text.toUpperCase())
  .pipe(z.enum(LEVELS, { error: 'must be debug, info, warn or error' }));

let least: LogLevel = 'INFO';
let isCollected = true;

/**
 * Sets the lowest level that this process writes. Unless `collected` is false, CloudWatch collects the log: audit lines and
 * metrics are then written at every level.
 */
export function setLogLevel(level: LogLevel, { collected = true } = {}): void {
  least = level;
  isCollected = collected;
  // Also before an exit for a fault.
  process.off('exit', flushLog);
  if (!collected) process.on('exit', flushLog);
  // Audit lines and metrics are written at INFO at every level: the logger must not drop them.
  logger.setLogLevel(level === 'DEBUG' ? 'DEBUG' : 'INFO');
}

export function isWritten(level: LogLevel): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}

/** Whether audit lines and metrics are written at every level: where CloudWatch collects the log. */
export function isEvidenceWritten(): boolean {
  return isCollected;
}
