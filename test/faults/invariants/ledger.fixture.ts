import { type Asked, costOf, type Ledger, type SoakKey, type StoredRecord, type Usage } from '../ledger.ts';

const USAGE: Usage = { input: 10, output: 20 };
const TOKENS = 100_000;
/** A month over so many tokens, picoseconds. */
const INTERVAL = 25_920_000_000_000n;
const FROM = 1_790_000_000_000_000_000_000n;

export const EXACT: SoakKey = {
  id: 'key_exact',
  secret: 's-exact',
  purpose: 'exact',
  requests: 1_000,
  tokens: TOKENS,
  nanoUsd: 1e11,
  maxConcurrent: 50,
};
export const LIMITED: SoakKey = { id: 'key_limited', secret: 's-limited', purpose: 'limited', requests: 2 };
export const NARROW: SoakKey = {
  id: 'key_narrow',
  secret: 's-narrow',
  purpose: 'narrow',
  requests: 1_000,
  maxConcurrent: 2,
};
export const POOR: SoakKey = { id: 'key_poor', secret: 's-poor', purpose: 'poor', requests: 1_000, nanoUsd: 150_000 };

function asked(id: number, key: SoakKey, fields: Partial<Asked> = {}): Asked {
  return {
    id,
    kind: 'chat',
    fault: 'none',
    keyId: key.id,
    instance: 0,
    stream: false,
    sessionId: undefined,
    inputChars: 40,
    startedAt: id * 10_000,
    endedAt: id * 10_000 + 100,
    requestId: `req_${id}`,
    status: 200,
    text: 'and then',
    expected: 'and then',
    ending: 'whole',
    ...fields,
  };
}

const REFUSED = { status: 429, ending: 'error' } as const;

/** A soak in which all went well. */
export function healthyLedger(): Ledger {
  const all: Asked[] = [
    asked(1, EXACT),
    asked(2, EXACT, { kind: 'stream', stream: true, sessionId: 'talk-1' }),
    asked(3, EXACT, { fault: '500 for good', status: 502, code: 'provider_error', ending: 'error' }),
    asked(4, EXACT, { kind: 'blocked', status: 400, code: 'content_filter', ending: 'error' }),
    asked(5, EXACT, { kind: 'flagged' }),
    asked(6, LIMITED),
    asked(7, LIMITED),
    asked(8, LIMITED, { ...REFUSED, code: 'rate_limit_exceeded' }),
    asked(9, NARROW),
    asked(10, NARROW, { startedAt: 90_010, endedAt: 90_090 }),
    asked(11, NARROW, { ...REFUSED, code: 'rate_limit_exceeded', startedAt: 90_020, endedAt: 90_030 }),
    asked(12, POOR),
    asked(13, POOR),
    asked(14, POOR, { ...REFUSED, code: 'insufficient_quota' }),
    asked(15, EXACT, { kind: 'cancelled', stream: true, ending: 'left', fault: 'none' }),
  ];
  const served = all.filter(
    ({ ending, fault, kind }) => ending === 'whole' || (kind !== 'blocked' && ending === 'error' && fault !== 'none'),
  );
  const calls = served.map((one) => ({
    caseId: one.id,
    keyId: one.keyId,
    startedAt: one.startedAt,
    endedAt: one.endedAt,
    usage: one.ending === 'whole' ? USAGE : undefined,
    textChars: 8,
  }));
  const records: StoredRecord[] = all.map((one) => ({
    id: one.requestId ?? '',
    keyId: one.keyId,
    state:
      one.ending === 'left'
        ? 'cancelled'
        : one.kind === 'blocked'
          ? 'blocked'
          : one.ending === 'whole'
            ? 'completed'
            : 'failed',
    status: one.status ?? null,
    errorCode: one.code ?? null,
    sessionId: one.sessionId ?? null,
    tokens: one.ending === 'whole' ? USAGE : { input: null, output: null },
  }));
  const whole = (key: SoakKey) => all.filter(({ keyId, ending }) => keyId === key.id && ending === 'whole').length;
  const limit = (key: SoakKey) => ({
    keyId: key.id,
    spent: key.nanoUsd === undefined ? 0 : whole(key) * costOf(USAGE),
    open: 0,
    tokensHeld: 0n,
    held: 0,
    tokensAt: FROM + BigInt(whole(key) * (USAGE.input + USAGE.output)) * INTERVAL,
    fullAt: 0,
  });
  const keys = [EXACT, LIMITED, NARROW, POOR];
  const events = [
    ...keys.map(({ id }) => ({ type: 'key.created', keyId: id, requestId: undefined })),
    { type: 'request.blocked', keyId: EXACT.id, requestId: 'req_4' },
    { type: 'threat.detected', keyId: EXACT.id, requestId: 'req_5' },
    { type: 'rate_limit.exceeded', keyId: LIMITED.id, requestId: 'req_8' },
    { type: 'rate_limit.exceeded', keyId: NARROW.id, requestId: 'req_11' },
    { type: 'budget.exceeded', keyId: POOR.id, requestId: 'req_14' },
  ];
  const endpoints = ['steady', 'failing'];
  return {
    keys,
    asked: all,
    calls,
    disturbances: [],
    endpoints,
    delivered: endpoints.flatMap((endpoint) =>
      events.map((event, at) => ({
        ...event,
        endpoint,
        eventId: `evt_${at}`,
        deliveryId: `delivery_${endpoint}_${at}`,
        count: 1,
        signed: true,
      })),
    ),
    found: {
      records,
      limits: keys.map(limit),
      lost: [],
      uncounted: [],
      tokensFrom: new Map([[EXACT.id, FROM]]),
      analytics: {
        compared: 40,
        differences: [],
        requests: records.length,
        sessions: new Map([[`talk-1 of ${EXACT.id}`, 1]]),
      },
      together: [{ keyId: NARROW.id, ran: 2 }],
      logs: ['ready http://127.0.0.1:1/v1\n{"message":"request"}\n'],
      stored: [{ name: 'table records', text: '[]' }],
      secrets: [{ name: 'the admin key', text: 'a-secret' }],
    },
  };
}
