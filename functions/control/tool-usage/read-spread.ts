import type { RequestRecord } from '../../kernel/model/index.ts';
import { type Clock, inParallel } from '../../kernel/tasks/index.ts';
import type { RecordPosition, RecordQuery, RequestRecordReader } from '../analytics/index.ts';

/** The cost of one call: records, and milliseconds. */
const MAX_RECORDS = 10_000;
const MAX_MS = 6_000;
/** A range with more records than one page is read in this many equal parts. */
const PARTS = 24;
const PARTS_AT_ONCE = 4;
const MIN_PAGE = 25;
const MAX_PAGE = 500;

/** ISO 8601; the end is not included. */
export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

/** What was read of a range. */
export interface SpreadRead {
  readonly requests: number;
  /** The range has more records. */
  readonly isCut: boolean;
}

export interface SpreadDeps {
  readonly records: Pick<RequestRecordReader, 'page'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

type Part = TimeRange & { readonly after: RecordPosition | undefined };

/**
 * Reads the records of a range, all if they are few. Of more, about 10,000: the newest of each of 24 parts of the range, so that a busy hour
 * does not hide the rest of a week. What a part leaves unused is read of the others.
 *
 * Example: a week with 9,000 records of today and 6,000 of the days before. The first round reads at most 416 of each part, 3 or 4 of which
 * are today. Of the 10,000 some 4,000 are left then, and the next rounds share them among the parts that have more.
 * @throws StoreUnavailable
 */
export async function readSpread(
  { from, to, ...query }: Omit<RecordQuery, 'withFindings'> & TimeRange,
  visit: (record: RequestRecord) => void,
  { records, clock }: SpreadDeps,
): Promise<SpreadRead> {
  const endAt = clock.monotonic() + MAX_MS;
  let left = MAX_RECORDS;
  let requests = 0;
  const readPage = async (part: Part, limit: number): Promise<Part[]> => {
    const range = { from: part.from, to: part.to };
    const { rows, next, read } = await records.page({ ...query, ...range, withFindings: false }, limit, part.after);
    left -= read;
    requests += rows.length;
    for (const { record } of rows) visit(record);
    return next === undefined ? [] : [{ ...range, after: next }];
  };
  const [rest] = await readPage({ from, to, after: undefined }, MAX_PAGE);
  let open = rest === undefined ? [] : partsOf(rest);
  while (open.length > 0 && left > 0 && clock.monotonic() < endAt) {
    const limit = Math.min(MAX_PAGE, Math.max(MIN_PAGE, Math.floor(left / open.length)));
    const more: Part[] = [];
    await inParallel(open, PARTS_AT_ONCE, async (part) => more.push(...(await readPage(part, limit))));
    open = more;
  }
  return { requests, isCut: open.length > 0 };
}

/** Equal parts of what is left to read of a range. */
function partsOf({ from, to, after }: Part): Part[] {
  const startMs = Date.parse(from);
  const endMs = Date.parse(after?.time ?? to);
  const timeAt = (part: number) => new Date(startMs + Math.floor(((endMs - startMs) * part) / PARTS)).toISOString();
  return Array.from({ length: PARTS }, (_, at) => {
    const isLast = at === PARTS - 1;
    return { from: timeAt(at), to: isLast ? to : timeAt(at + 1), after: isLast ? after : undefined };
  });
}
