import type { CaptureStore, RecordPosition, RequestRecordReader } from '../analytics/request-records.ts';
import { inParallel } from '../base/batches.ts';
import type { Clock } from '../base/clock.ts';
import type { RequestRecord } from '../model/analytics.ts';
import type { Capture } from '../model/capture.ts';
import type { Replay } from './replay.ts';
import { type ReplayReport, ReplayTally } from './replay-report.ts';

/** Rows that one replay looks at, and how long it goes on: the rest is for the next page. */
export const MAX_ROWS = 5_000;
export const MAX_MS = 10_000;
/** Of the texts, so many are held at once. */
const PAGE = 100;
const TEXTS_AT_ONCE = 16;

/** Which past requests are decided about anew. */
export interface ReplayRange {
  /** ISO 8601; the end is not included. */
  readonly from: string;
  readonly to: string;
  readonly keyId?: string | undefined;
  /** Whether texts that were kept are judged again, also those of requests without findings. */
  readonly texts: boolean;
}

export interface ReplayDeps {
  readonly records: Pick<RequestRecordReader, 'page'>;
  readonly captures: Pick<CaptureStore, 'read'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** What decides about a key's requests. */
  readonly replayFor: (keyId: string) => Promise<Replay>;
}

/** What a replay tells, and where it goes on; undefined where it came to the end of its range. */
export interface ReplayPage {
  readonly report: ReplayReport;
  readonly next: RecordPosition | undefined;
}

/** Decides anew about past requests, newest first. @throws StoreUnavailable */
export async function replayPast(
  range: ReplayRange,
  after: RecordPosition | undefined,
  deps: ReplayDeps,
): Promise<ReplayPage> {
  const tally = new ReplayTally();
  const endAt = deps.clock.monotonic() + MAX_MS;
  const query = { from: range.from, to: range.to, keyId: range.keyId, withFindings: !range.texts };
  let next = after;
  let rows = 0;
  do {
    const page = await deps.records.page(query, PAGE, next);
    const records = page.rows.map(({ record }) => record).filter(({ keyId }) => keyId === (range.keyId ?? keyId));
    const captures = range.texts ? await readTexts(records, deps.captures) : new Map<string, Capture>();
    for (const [at, record] of records.entries()) {
      const replay = await deps.replayFor(record.keyId);
      const capture = captures.get(record.id);
      const byText = capture && replay.byText(record, capture);
      // Of a request without findings nothing else is known.
      if (byText !== undefined || record.findings.length > 0) {
        tally.add(record, byText ?? replay.byFindings(record), byText !== undefined);
      }
      // Whoever else this process serves is not kept waiting for all of the texts.
      if (byText !== undefined) await new Promise(setImmediate);
      const isLast = at === records.length - 1;
      if (!isLast && deps.clock.monotonic() >= endAt) return { report: tally.toReport(), next: record };
    }
    rows += PAGE;
    next = page.next;
  } while (next !== undefined && rows < MAX_ROWS && deps.clock.monotonic() < endAt);
  return { report: tally.toReport(), next };
}

async function readTexts(
  records: readonly RequestRecord[],
  captures: Pick<CaptureStore, 'read'>,
): Promise<Map<string, Capture>> {
  const texts = new Map<string, Capture>();
  const kept = records.filter(({ capture }) => capture === 'full');
  await inParallel(kept, TEXTS_AT_ONCE, async ({ id }) => {
    const capture = await captures.read(id);
    if (capture !== undefined) texts.set(id, capture);
  });
  return texts;
}
