import type { TraceParent } from './trace-context.ts';

const ROOT = /^1-([0-9a-f]{8})-([0-9a-f]{24})$/;
const PARENT = /^[0-9a-f]{16}$/;

/**
 * Reads X-Ray's tracing header, `Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1`, which Lambda sets for
 * each invocation; undefined where the trace is not kept, since X-Ray has nothing of it then.
 * https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader
 */
export function readXrayHeader(value: string | undefined): TraceParent | undefined {
  const fields = new Map<string, string>();
  for (const field of value?.split(';') ?? []) {
    const equals = field.indexOf('=');
    if (equals > 0) fields.set(field.slice(0, equals).trim(), field.slice(equals + 1).trim());
  }
  const [, seconds, rest] = ROOT.exec(fields.get('Root') ?? '') ?? [];
  const parentId = fields.get('Parent') ?? '';
  if (seconds === undefined || !PARENT.test(parentId) || fields.get('Sampled') !== '1') return undefined;
  return { traceId: `${seconds}${rest}`, parentId, sampled: true, random: true };
}
