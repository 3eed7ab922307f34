import type { RecordPosition, RecordQuery } from '../../core/analytics/request-records.ts';
import type { RequestRecord } from '../../core/model/analytics.ts';
import type { Item } from './dynamo-item.ts';
import { LIST_SHARDS, type ListQuery, partitionOf } from './sharded-list.ts';

const EVERYBODY = 'all';
const WITH_FINDINGS = 'findings';

/** A record's place in its table. */
export function recordKey(position: RecordPosition): { pk: string; sk: string } {
  return { pk: partitionOf(EVERYBODY, shardOf(position.id)), sk: toSortKey(position) };
}

/** The names under which a record stands in the indexes. */
export function indexKeysOf(record: RequestRecord): Item {
  const of = (list: string) => partitionOf(list, shardOf(record.id));
  return {
    keyPk: of(record.keyId),
    endUserPk: record.endUserId === null ? undefined : of(record.endUserId),
    findingsPk: record.findings.length > 0 ? of(WITH_FINDINGS) : undefined,
  };
}

/** The list that holds the fewest records besides those that are looked for. */
export function listFor({
  endUserId,
  keyId,
  withFindings,
}: RecordQuery): Pick<ListQuery, 'index' | 'partitionKey' | 'list'> {
  if (endUserId !== undefined) return { index: 'byEndUser', partitionKey: 'endUserPk', list: endUserId };
  if (withFindings) return { index: 'withFindings', partitionKey: 'findingsPk', list: WITH_FINDINGS };
  if (keyId !== undefined) return { index: 'byKey', partitionKey: 'keyPk', list: keyId };
  return { partitionKey: 'pk', list: EVERYBODY };
}

export function toSortKey({ time, id }: RecordPosition): string {
  return `${time}#${id}`;
}

export function toPosition(sortKey: string): RecordPosition {
  const at = sortKey.indexOf('#');
  return { time: sortKey.slice(0, at), id: sortKey.slice(at + 1) };
}

/** A request's id is random: any digits of it spread records evenly. */
function shardOf(id: string): number {
  return Number.parseInt(id.slice(-8), 16) % LIST_SHARDS;
}
