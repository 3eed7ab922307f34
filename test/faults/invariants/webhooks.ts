import { type Asked, type Delivered, type Ledger, metKill, metStores } from '../ledger.ts';
import type { Invariant } from './invariant.ts';

/** Due events that an endpoint did not receive, each as a sentence. */
export function missingWebhooks(
  ledger: Pick<Ledger, 'keys' | 'asked' | 'disturbances' | 'delivered' | 'endpoints'> & {
    readonly found: Pick<Ledger['found'], 'records'>;
  },
): { due: number; missing: string[] } {
  const recorded = new Set(ledger.found.records.map(({ id }) => id));
  const dues = ledger.keys.flatMap((key) => {
    const asked = ledger.asked.filter(({ keyId, requestId = '' }) => keyId === key.id && recorded.has(requestId));
    const all = ledger.asked.filter(({ keyId }) => keyId === key.id);
    return [
      { keyId: key.id, type: 'key.created', count: 1 },
      { keyId: key.id, type: 'request.blocked', count: asked.filter(isBlocked).length },
      { keyId: key.id, type: 'threat.detected', count: asked.filter(isFlagged).length },
      { keyId: key.id, type: 'rate_limit.exceeded', count: isRefused(all, ledger, 'rate_limit_exceeded') ? 1 : 0 },
      { keyId: key.id, type: 'budget.exceeded', count: isRefused(all, ledger, 'insufficient_quota') ? 1 : 0 },
    ].filter(({ count }) => count > 0);
  });
  const told = new Map<string, number>();
  for (const { endpoint, keyId, type, count } of oncePerEvent(ledger.delivered)) {
    const name = `${endpoint} ${keyId} ${type}`;
    told.set(name, (told.get(name) ?? 0) + count);
  }
  const missing = ledger.endpoints.flatMap((endpoint) =>
    dues.flatMap(({ keyId, type, count }) => {
      const name = `${endpoint} ${keyId} ${type}`;
      const got = told.get(name) ?? 0;
      return got >= count ? [] : [`${name}: ${got} of ${count}`];
    }),
  );
  return { due: dues.reduce((sum, { count }) => sum + count, 0) * ledger.endpoints.length, missing };
}

export const everyWebhookDelivered: Invariant = {
  name: 'every event that was due reached every endpoint, separately or counted in a digest',
  least: 40,
  check: (ledger) => {
    const { due, missing } = missingWebhooks(ledger);
    return { checked: due, excused: 0, violations: missing };
  },
};

export const webhooksTrue: Invariant = {
  name: 'every webhook was signed, and belongs to a recorded request',
  least: 40,
  check: ({ delivered, found, keys }) => {
    const recorded = new Set(found.records.map(({ id }) => id));
    const ours = new Set(keys.map(({ id }) => id));
    const violations = delivered.flatMap(({ endpoint, eventId, requestId, keyId, signed }) => {
      if (!signed) return [`${endpoint}: the signature of ${eventId} is wrong`];
      const isInvented = requestId !== undefined && ours.has(keyId) && !recorded.has(requestId);
      return isInvented ? [`${endpoint}: ${eventId} names ${requestId}, which has no record`] : [];
    });
    return { checked: delivered.length, excused: 0, violations };
  },
};

/** The queue sends messages twice and processes are killed: the same event may come twice, by the same name. */
export const oneDeliveryEach: Invariant = {
  name: 'an event has one delivery for an endpoint, however often the queue brought it',
  least: 40,
  check: ({ delivered }) => {
    const names = new Map<string, Set<string>>();
    for (const { endpoint, eventId, deliveryId } of delivered) {
      const name = `${endpoint} ${eventId}`;
      names.set(name, (names.get(name) ?? new Set()).add(deliveryId));
    }
    const violations = [...names].flatMap(([name, ids]) => (ids.size === 1 ? [] : [`${name}: ${[...ids].join(', ')}`]));
    return { checked: names.size, excused: 0, violations };
  },
};

function isBlocked({ kind, code }: Asked): boolean {
  return kind === 'blocked' && code === 'content_filter';
}

function isFlagged({ kind, ending }: Asked): boolean {
  return kind === 'flagged' && ending === 'whole';
}

/** Only the first refusal in a minute is an event. A key whose first refusal may be lost is left out. */
function isRefused(
  asked: readonly Asked[],
  { disturbances, keys }: Pick<Ledger, 'disturbances' | 'keys'>,
  code: string,
): boolean {
  const refused = asked.filter((one) => {
    const purpose = keys.find(({ id }) => id === one.keyId)?.purpose;
    return one.status === 429 && one.code === code && purpose !== 'exact' && purpose !== 'rough';
  });
  return refused.length > 0 && !refused.some((one) => metKill(one, disturbances) || metStores(one, disturbances));
}

function oncePerEvent(delivered: readonly Delivered[]): Iterable<Delivered> {
  return new Map(delivered.map((one) => [`${one.endpoint} ${one.eventId}`, one])).values();
}
