import type { ThreatType } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { RecordPosition, RequestRecordReader } from './request-records.ts';

/** Equal intervals of scores from 0 to 1. */
const BINS = 20;
/** The cost of one call: records, and milliseconds. */
const MAX_RECORDS = 10_000;
const MAX_MS = 6_000;
const PAGE = 500;

type Counts = Partial<Record<ThreatType, number[]>>;

export interface ScoreCounts {
  /** Records with findings that were read, the newest ones. */
  readonly requests: number;
  /** There are older ones in the range. */
  readonly isCut: boolean;
  readonly bins: number;
  readonly input: Counts;
  readonly output: Counts;
}

interface ScoreDeps {
  readonly records: Pick<RequestRecordReader, 'page'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Counts recorded findings by direction, type and score. @throws StoreUnavailable */
export async function countScores(
  range: { readonly from: string | undefined; readonly to: string | undefined; readonly keyId: string | undefined },
  { records, clock }: ScoreDeps,
): Promise<ScoreCounts> {
  const endAt = clock.monotonic() + MAX_MS;
  const counts: Record<'input' | 'output', Counts> = { input: {}, output: {} };
  let requests = 0;
  let lookedAt = 0;
  let next: RecordPosition | undefined;
  do {
    const page = await records.page({ ...range, withFindings: true }, PAGE, next);
    for (const { record } of page.rows) {
      lookedAt += 1;
      if (range.keyId !== undefined && record.keyId !== range.keyId) continue;
      requests += 1;
      for (const { type, score, location } of record.findings) {
        const own = counts[location.part];
        const bins = own[type] ?? new Array<number>(BINS).fill(0);
        const at = Math.min(BINS - 1, Math.max(0, Math.floor(score * BINS + 1e-9)));
        bins[at] = (bins[at] ?? 0) + 1;
        own[type] = bins;
      }
    }
    next = page.next;
  } while (next !== undefined && lookedAt < MAX_RECORDS && clock.monotonic() < endAt);
  return { requests, isCut: next !== undefined, bins: BINS, ...counts };
}
