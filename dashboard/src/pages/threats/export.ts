import type { Page, Threat } from '../../api/types.ts';
import { textAt } from '../../parts/text-at.ts';
import type { Capture } from './capture.ts';

export interface ExportSource {
  page(cursor: string | undefined): Promise<Page<Threat>>;
  /** The texts of a request; undefined where none are kept. */
  capture(requestId: string): Promise<Capture | undefined>;
}

export interface ExportProgress {
  readonly read: number;
  readonly written: number;
  readonly lines: readonly string[];
  readonly isDone: boolean;
}

/**
 * Findings as lines of JSON, told after each page. With texts only those whose text was kept are written, each with the whole
 * text that it stands in as `text`: the form that `npm run scan` reads.
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
      // The findings of a request stand together: its texts are asked for once.
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

/** The whole text that a finding stands in; undefined where it was not kept, or cut off. */
export function textOf(capture: Capture, { location }: Pick<Threat, 'location'>): string | undefined {
  if (location.part === 'output') return capture.answer.find(({ channel }) => channel === location.field)?.text;
  try {
    return textAt(JSON.parse(capture.request), location.field);
  } catch {
    return undefined;
  }
}
