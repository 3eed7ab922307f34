import type { AuditFact } from '../../kernel/model/index.ts';
import type { AuditEntry, AuditLog, AuditPage } from './audit-record.ts';

/** Which entries to find; all given members must match. */
export interface AuditFilter {
  /** Milliseconds since 1970. */
  readonly from?: number | undefined;
  /** Exclusive. */
  readonly to?: number | undefined;
  readonly action?: AuditFact['action'] | undefined;
  /** The id of a key, the subject or e-mail address of a person, `operator` or `system`. */
  readonly actor?: string | undefined;
  readonly targetType?: AuditFact['target']['type'] | undefined;
  /** The id of what was changed. */
  readonly target?: string | undefined;
}

/** A page reads at most this many entries; where few match it returns fewer than requested. */
const MAX_LOOKED_AT = 1_000;
const READ_AT_ONCE = 100;

interface FoundPage extends AuditPage {
  /** The time of the oldest entry that was compared, if others follow. */
  readonly searchedTo?: string | undefined;
}

/** Matching entries from `cursor` on, newest first. An unreadable cursor is a GatewayError `invalid_value`. */
export async function findEntries(
  filter: AuditFilter,
  limit: number,
  cursor: string | undefined,
  log: Pick<AuditLog, 'list'>,
): Promise<FoundPage> {
  if (Object.values(filter).every((wanted) => wanted === undefined)) return log.list(limit, cursor);
  const { from: fromMs = Number.NEGATIVE_INFINITY } = filter;
  const entries: AuditEntry[] = [];
  let next = cursor;
  for (let lookedAt = 0; ; ) {
    const page = await log.list(READ_AT_ONCE, next);
    const { head } = page;
    for (const [at, entry] of page.entries.entries()) {
      // Entries are in the order of their times.
      if (Date.parse(entry.record.at) < fromMs) return { entries, head };
      if (!fits(entry, filter)) continue;
      entries.push(entry);
      if (entries.length < limit) continue;
      const isLast = at === page.entries.length - 1 && page.nextCursor === undefined;
      const { seq } = entry.record;
      return isLast || seq === 1
        ? { entries, head }
        : { entries, head, nextCursor: String(seq - 1), searchedTo: entry.record.at };
    }
    if (page.nextCursor === undefined) return { entries, head };
    next = page.nextCursor;
    lookedAt += READ_AT_ONCE;
    if (lookedAt >= MAX_LOOKED_AT) {
      return { entries, head, nextCursor: next, searchedTo: page.entries.at(-1)?.record.at };
    }
  }
}

function fits({ record }: AuditEntry, { to, action, actor, targetType, target }: AuditFilter): boolean {
  return (
    (to === undefined || Date.parse(record.at) < to) &&
    (action === undefined || record.action === action) &&
    (targetType === undefined || record.target.type === targetType) &&
    (target === undefined || record.target.id === target) &&
    (actor === undefined || isActor(record.actor, actor))
  );
}

function isActor(actor: AuditFact['actor'], wanted: string): boolean {
  if (actor.type === 'key') return actor.id === wanted;
  if (actor.type !== 'person') return actor.type === wanted;
  return actor.subject === wanted || actor.email?.toLowerCase() === wanted.toLowerCase();
}
