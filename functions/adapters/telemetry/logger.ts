import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';
import * as z from 'zod';

/** `timestamp`, `level`, `message`, the invocation where there is one, and the fields of the line. */
class LineFormatter extends LogFormatter {
  override formatAttributes(base: UnformattedAttributes, fields: LogAttributes): LogItem {
    const { timestamp, logLevel, message, lambdaContext, xRayTraceId } = base;
    const attributes: LogAttributes = { timestamp: timestamp.toISOString(), level: logLevel, message };
    if (lambdaContext !== undefined) {
      attributes.FunctionName = lambdaContext.functionName;
      attributes.functionRequestId = lambdaContext.awsRequestId;
      // The line of a request names its own trace.
      if (!('traceId' in fields) && xRayTraceId !== undefined) attributes.xrayTraceId = toTraceId(xRayTraceId);
    }
    return new LogItem({ attributes: Object.assign(attributes, fields) });
  }
}

/** `1-5759e988-bd862e3fe1be46a994272793` as the 32 hexadecimal digits that traces have everywhere else. */
function toTraceId(xrayTraceId: string): string {
  return xrayTraceId.slice(2).replace('-', '');
}

/** Powertools' logger with every character visible, nulls kept, and all levels on standard output. */
class LineLogger extends Logger {
  protected override printLog(_level: number, line: LogItem): void {
    process.stdout.write(`${toLogJson(line.getAttributes())}\n`);
  }
}

export const logger = new LineLogger({ logFormatter: new LineFormatter(), logLevel: 'INFO' });

/** Lambda's own store of what belongs to an invocation, which its runtime sets. */
interface InvokeStore {
  hasContext(): boolean;
  run<Result>(context: object, work: () => Result): Result;
}

/**
 * Runs what uses Powertools. In a process that serves several invocations at once it keeps its state by invocation, and throws
 * outside of one: at start, and in timers.
 */
export function withPowertools<Result>(work: () => Result): Result {
  const { InvokeStore: store } = (globalThis as { awslambda?: { InvokeStore?: InvokeStore } }).awslambda ?? {};
  return store === undefined || store.hasContext() ? work() : store.run({}, work);
}

/** What JSON leaves as it is, and a terminal or a reader of lines would act on: C1 controls, line ends, reordering, invisible. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON of which every character is seen. */
function toLogJson(value: object | string): string {
  return JSON.stringify(value).replace(UNSEEN, escapedUnits);
}

function escapedUnits(text: string): string {
  return text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
export type LogLevel = (typeof LEVELS)[number];

/** `SVC_LOG_LEVEL`: the least that is written, in either case. */
export const logLevelSchema = z
  .string()
  .default('info')
  .transform((text) => text.toUpperCase())
  .pipe(z.enum(LEVELS, { error: 'must be debug, info, warn or error' }));

let least: LogLevel = 'INFO';

/** What this process writes from here on. */
export function setLogLevel(level: LogLevel): void {
  least = level;
  // Audit lines and metrics are written at INFO whatever the level: the logger must not drop them.
  logger.setLogLevel(level === 'DEBUG' ? 'DEBUG' : 'INFO');
}

export function isWritten(level: LogLevel): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}
