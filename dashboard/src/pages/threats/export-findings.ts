import { ApiError, call, type Page, type Threat } from '../../api/client.ts';
import { textAt } from '../../components/text-ranges.ts';

export interface ExportSource {
  page(cursor: string | undefined): Promise<Page<Threat>>;
  /** The captured texts of a request; undefined if there are none. */
  capture(requestId: string): Promise<Capture | undefined>;
}

export interface ExportProgress {
  readonly read: number;
  readonly written: number;
  readonly lines: readonly string[];
  readonly isDone: boolean;
}

/**
 * Yields findings as lines of JSON after each page. With texts, only findings with a captured text are written, each with the
 * full text as `text`: the form that `npm run scan` reads.
 */
export async function* exportFindings(source: ExportSource, withTexts: boolean): AsyncGenerator<ExportProgress, void> {
  const lines: string[] = [];
  let read = 0;
  let cursor: string | undefined;
  let last: { readonly requestId: string; readonly capture: Capture | undefined } | undefined;
  do {
    const page = await source.page(cursor);
    for (const threat of page.data) {
      read += 1;
      if (!withTexts) {
        lines.push(JSON.stringify(threat));
        continue;
      }
      // A request's findings are consecutive, so its texts are read once.
      if (last?.requestId !== threat.requestId) {
        last = { requestId: threat.requestId, capture: await source.capture(threat.requestId) };
      }
      const text = last.capture && textOf(last.capture, threat);
      if (text !== undefined) lines.push(JSON.stringify({ id: threat.id, text, threat }));
    }
    cursor = page.nextCursor ?? undefined;
    yield { read, written: lines.length, lines, isDone: cursor === undefined };
  } while (cursor !== undefined);
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

/** The captured texts of a request. The audit log records each read. */
interface Capture {
  readonly mode: 'redacted' | 'full';
  /** The request's body. */
  readonly request: string;
  readonly answer: readonly { readonly channel: string; readonly text: string }[];
  readonly truncated: boolean;
}

/** undefined if none was captured or it expired. */
export async function readCapture(requestId: string, signal?: AbortSignal): Promise<Capture | undefined> {
  const path = `/v1/analytics/requests/${encodeURIComponent(requestId)}/capture`;
  try {
    return await call<Capture>('GET', path, signal === undefined ? {} : { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
