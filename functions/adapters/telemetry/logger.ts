import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';
import { toLogJson } from './log-json.ts';

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
