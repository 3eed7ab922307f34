import { inParallel } from '../analytics/in-parallel.ts';
import type { RequestRecord } from '../model/analytics.ts';
import type { Capture } from '../model/capture.ts';
import type { PolicyReplay } from '../model/policy-replay.ts';
import type { Action } from '../model/threat.ts';
import type { CaptureStore } from '../ports/capture-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { RecordPosition, RequestRecordReader } from '../ports/request-records.ts';
import type { Replay, ReplayedRequest } from './replay.ts';

/** Rows that one replay looks at, and how long it goes on: the rest is for the next page. */
export const MAX_ROWS = 5_000;
export const MAX_MS = 10_000;
export const MAX_EXAMPLES = 50;
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
  readonly report: Omit<PolicyReplay, 'object' | 'from' | 'to' | 'nextCursor' | 'unknown'>;
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
    for (const record of records) {
      const replay = await deps.replayFor(record.keyId);
      const capture = captures.get(record.id);
      const byText = capture && replay.byText(record, capture);
      // Of a request without findings nothing else is known.
      if (byText === undefined && record.findings.length === 0) continue;
      tally.add(record, byText ?? replay.byFindings(record), byText !== undefined);
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

/** Counts things by what they are. */
class Counts<T extends object> {
  private readonly counted = new Map<string, { readonly what: T; count: number }>();

  add(what: T): void {
    const name = JSON.stringify(what);
    const known = this.counted.get(name);
    if (known === undefined) this.counted.set(name, { what, count: 1 });
    else known.count += 1;
  }

  /** The most frequent first. */
  as<N extends string>(name: N): (T & Record<N, number>)[] {
    return [...this.counted.values()]
      .sort((a, b) => b.count - a.count)
      .map(({ what, count }) => ({ ...what, [name]: count }) as T & Record<N, number>);
  }
}

interface Change {
  readonly live: Action;
  readonly replayed: Action;
}

/** Adds up what a policy would have changed. */
class ReplayTally {
  private requests = 0;
  private fromText = 0;
  private incomplete = 0;
  private readonly live = noActions();
  private readonly replayed = noActions();
  private readonly changes = new Counts<Change>();
  private readonly keys = new Counts<Change & { keyId: string }>();
  private readonly rules = new Counts<Change & Pick<ReplayedRequest['findings'][number], 'rule' | 'type'>>();
  private readonly types = new Counts<Change & Pick<ReplayedRequest['findings'][number], 'type'>>();
  private readonly examples: PolicyReplay['examples'] = [];
  private changed = 0;

  add(record: RequestRecord, { action: replayed, findings }: ReplayedRequest, fromText: boolean): void {
    const { id: requestId, time, keyId, action: live } = record;
    this.requests += 1;
    if (fromText) this.fromText += 1;
    this.live[live] += 1;
    this.replayed[replayed] += 1;
    const told = Object.values(record.threats).reduce((sum, count) => sum + count, 0);
    const isIncomplete = told > record.findings.length;
    if (isIncomplete) this.incomplete += 1;
    // What a text shows may be one of those that the record left out: that would be no change.
    if (!(fromText && isIncomplete)) for (const finding of findings) this.addFinding(finding);
    if (live === replayed) return;
    this.changed += 1;
    this.changes.add({ live, replayed });
    this.keys.add({ keyId, live, replayed });
    if (this.examples.length < MAX_EXAMPLES) this.examples.push({ requestId, time, keyId, live, replayed });
  }

  toReport(): ReplayPage['report'] {
    const { requests, fromText, incomplete, live, replayed, changed, examples } = this;
    return {
      requests,
      fromText,
      incomplete,
      live,
      replayed,
      changed,
      changes: this.changes.as('requests'),
      keys: this.keys.as('requests'),
      types: this.types.as('findings'),
      rules: this.rules.as('findings'),
      examples,
    };
  }

  private addFinding({ rule, type, live, replayed }: ReplayedRequest['findings'][number]): void {
    if (live === replayed) return;
    this.rules.add({ rule, type, live, replayed });
    this.types.add({ type, live, replayed });
  }
}

function noActions(): Record<Action, number> {
  return { allow: 0, flag: 0, redact: 0, block: 0 };
}
