import type { ResponseOf } from '../../../functions/contract/index.ts';
import { textAt } from '../components/text-ranges.ts';
import { ApiError, retrying, type Threat } from './client.ts';
import { call } from './operations.ts';

/** The captured texts of a request. */
export type Capture = Omit<ResponseOf<'getCapture'>, 'object' | 'requestId'>;

/** The captured texts of a request; undefined if none was captured or it expired. The audit log records each read. */
export async function readCapture(requestId: string, signal?: AbortSignal): Promise<Capture | undefined> {
  try {
    return await call('getCapture', { params: { id: requestId }, ...(signal && { signal }) });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** The full text that contains a finding; undefined if it was not captured or was cut. */
export function textOf(capture: Capture, { location }: Pick<Threat, 'location'>): string | undefined {
  if (location.part === 'output') return capture.answer.find(({ channel }) => channel === location.field)?.text;
  try {
    return textAt(JSON.parse(capture.request), location.field);
  } catch {
    return undefined;
  }
}

type ReadCapture = (requestId: string, signal: AbortSignal) => Promise<Capture | undefined>;

/**
 * Writes findings with their full texts, in the form that `npm run scan` reads; findings without a captured text are left out. A
 * request's findings are consecutive, so its texts are read once, also over pages.
 */
export function withTexts(read: ReadCapture = (id, signal) => retrying(() => readCapture(id, signal))) {
  let last: { readonly requestId: string; readonly capture: Capture | undefined } | undefined;
  return async (threats: readonly Threat[], signal: AbortSignal): Promise<string[]> => {
    const lines: string[] = [];
    for (const threat of threats) {
      if (last?.requestId !== threat.requestId) {
        last = { requestId: threat.requestId, capture: await read(threat.requestId, signal) };
      }
      const text = last.capture && textOf(last.capture, threat);
      if (text !== undefined) lines.push(JSON.stringify({ id: threat.id, text, threat }));
    }
    return lines;
  };
}
