import type { CaptureStore, RecordPosition, RequestRecordReader } from '../control/analytics/index.ts';
import type { Capture, RequestRecord } from '../kernel/model/index.ts';
import { type Clock, inParallel } from '../kernel/tasks/index.ts';
import type { Replay } from './replay.ts';
import { type ReplayReport, ReplayTally } from './replay-report.ts';

/** The rows and the time of one page of a replay. */
export const MAX_ROWS = 5_000;
export const MAX_MS = 10_000;
/** How many records, with their texts, are held at once. */
const PAGE = 100;
const TEXTS_AT_ONCE = 16;

/** Which past requests are decided again. */
export interface ReplayRange {
  /** ISO 8601; the end is not included. */
  readonly from: string;
  readonly to: string;
  readonly keyId?: string | undefined;
  readonly requestId?: string | undefined;
  /** Whether captured texts are inspected again, also those of requests without findings. */
  readonly texts: boolean;
}

export interface ReplayDeps {
  readonly records: Pick<RequestRecordReader, 'page'>;
  readonly captures: Pick<CaptureStore, 'read'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The replay for a key's requests. */
  readonly replayFor: (keyId: string) => Promise<Replay>;
}

/** One page of a replay; `next` is where it continues, undefined at the end of the range. */
export interface ReplayPage {
  readonly report: ReplayReport;
  readonly next: RecordPosition | undefined;
}

/** Decides past requests again, newest first. @throws StoreUnavailable */
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
    const records = page.rows
      .map(({ record }) => record)
      .filter(({ id, keyId }) => keyId === (range.keyId ?? keyId) && id === (range.requestId ?? id));
    const captures = range.texts ? await readTexts(records, deps.captures) : new Map<string, Capture>();
    for (const [at, record] of records.entries()) {
      const replay = await deps.replayFor(record.keyId);
      const capture = captures.get(record.id);
      const byText = capture && (await replay.byText(record, capture));
      // A request without findings shows nothing else.
      if (byText !== undefined || record.findings.length > 0) {
        tally.add(record, byText ?? replay.byFindings(record), byText !== undefined);
      }
      // Other requests of this process get their turn between two texts.
      if (byText !== undefined) await new Promise(setImmediate);
      const isLast = at === records.length - 1;
      if (!isLast && deps.clock.monotonic() >= endAt) return { report: tally.toReport(), next: record };
    }
    rows += page.read;
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
