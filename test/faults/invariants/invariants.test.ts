import { describe, expect, it } from '@jest/globals';
import type { Asked, Delivered, Disturbance, Ledger } from '../ledger.ts';
import { INVARIANTS } from './index.ts';
import { judge } from './judge.ts';
import { EXACT, healthyLedger, LIMITED, NARROW, POOR } from './ledger.fixture.ts';

type Change = (ledger: Ledger) => Ledger;

const withFound =
  (change: (found: Ledger['found']) => Partial<Ledger['found']>): Change =>
  (ledger) => ({
    ...ledger,
    found: { ...ledger.found, ...change(ledger.found) },
  });
const withAsked =
  (id: number, fields: Partial<Asked>): Change =>
  (ledger) => ({
    ...ledger,
    asked: ledger.asked.map((one) => (one.id === id ? { ...one, ...fields } : one)),
  });
const withRecord = (id: string, fields: Partial<Ledger['found']['records'][number]>): Change =>
  withFound(({ records }) => ({ records: records.map((one) => (one.id === id ? { ...one, ...fields } : one)) }));
const withLimit = (keyId: string, change: (item: Ledger['found']['limits'][number]) => object): Change =>
  withFound(({ limits }) => ({
    limits: limits.map((one) => (one.keyId === keyId ? { ...one, ...change(one) } : one)),
  }));
const withDelivered =
  (change: (delivered: readonly Delivered[]) => readonly Delivered[]): Change =>
  (ledger) => ({
    ...ledger,
    delivered: change(ledger.delivered),
  });
const disturbed =
  (fields: Partial<Disturbance>): Change =>
  (ledger) => ({
    ...ledger,
    disturbances: [{ what: 'a fault', from: 9_000, to: 11_000, excuses: 'nothing', ...fields } as Disturbance],
  });
const both =
  (...changes: readonly Change[]): Change =>
  (ledger) =>
    changes.reduce((one, change) => change(one), ledger);

/** By a distinct part of an invariant's name: changes that violate it. */
const BREAKAGES: Readonly<Record<string, Readonly<Record<string, Change>>>> = {
  'every caller saw': {
    'an answer with other text': withAsked(1, { text: 'and than' }),
    'a failure that the fault does not come to': withAsked(1, { status: 500, code: 'internal_error', ending: 'error' }),
    'a whole answer where there was a fault': withAsked(3, { status: 200, ending: 'whole' }),
    'an attack that went through': withAsked(4, { status: 200, ending: 'whole' }),
    'a connection that broke for no reason': withAsked(1, { ending: 'broken' }),
    'a refusal of a key that has room': withAsked(1, { status: 429, code: 'rate_limit_exceeded', ending: 'error' }),
    'a store that is away, when none was': withAsked(1, { status: 503, code: 'unavailable', ending: 'error' }),
  },
  'exactly one record': {
    'a record less': withFound(({ records }) => ({ records: records.slice(1) })),
    'a record twice': withFound(({ records }) => ({ records: [...records, ...records.slice(0, 1)] })),
    'a record that was lost though the stores worked': withFound(({ records }) => ({
      records: records.slice(1),
      lost: ['req_1'],
    })),
    'a record that exists and is logged as lost, though the stores worked': withFound(() => ({ lost: ['req_1'] })),
    'a record less of a process that was killed long before': both(
      disturbed({ excuses: 'broken requests', from: 1_000, to: 1_100 }),
      withFound(({ records }) => ({ records: records.slice(1) })),
    ),
    'a record less of another process than was killed': both(
      disturbed({ excuses: 'broken requests', instance: 1 }),
      withFound(({ records }) => ({ records: records.slice(1) })),
    ),
  },
  'every record belongs': {
    'a record of nothing': withFound(({ records }) => ({
      records: [...records, { ...records[0], id: 'req_none' } as never],
    })),
  },
  'each record has': {
    'another status': withRecord('req_1', { status: 502 }),
    'another state': withRecord('req_1', { state: 'failed' }),
    'another key': withRecord('req_1', { keyId: LIMITED.id }),
    'a token more': withRecord('req_1', { tokens: { input: 11, output: 20 } }),
    'no usage': withRecord('req_2', { tokens: { input: null, output: null } }),
    'a caller who left, as served': withRecord('req_15', { state: 'completed' }),
  },
  "each budget's spending": {
    'a billionth more': withLimit(EXACT.id, ({ spent }) => ({ spent: spent + 1 })),
    'a billionth less': withLimit(EXACT.id, ({ spent }) => ({ spent: spent - 1 })),
    'a request counted twice': withLimit(POOR.id, ({ spent }) => ({ spent: spent * 1.5 })),
    'an item that is gone': withFound(({ limits }) => ({ limits: limits.filter(({ keyId }) => keyId !== EXACT.id) })),
  },
  'each bucket of tokens': {
    'a token more': withLimit(EXACT.id, ({ tokensAt }) => ({ tokensAt: tokensAt + 25_920_000_000_000n })),
    'a token less': withLimit(EXACT.id, ({ tokensAt }) => ({ tokensAt: tokensAt - 25_920_000_000_000n })),
  },
  'no reservation is left': {
    'a place that is taken': withLimit(NARROW.id, () => ({ open: 1 })),
    'a place too many': withLimit(NARROW.id, () => ({ open: -1 })),
    'tokens that are held': withLimit(EXACT.id, () => ({ tokensHeld: 1n })),
    'money that is held': withLimit(POOR.id, ({ spent }) => ({ held: 1, spent: spent + 1 })),
  },
  'admitted more requests': {
    'one more': withAsked(8, { status: 200, ending: 'whole' }),
  },
  'refused while its bucket had room': {
    'one too early': withAsked(7, { status: 429, code: 'rate_limit_exceeded', ending: 'error' }),
  },
  'spent more than its budget': {
    'one call more': (ledger) => ({
      ...ledger,
      calls: [...ledger.calls, ...ledger.calls.filter(({ keyId }) => keyId === POOR.id)],
    }),
  },
  'ever served more requests': {
    'one at once too many': (ledger) => ({
      ...ledger,
      calls: [...ledger.calls, ...ledger.calls.filter(({ keyId }) => keyId === NARROW.id)],
    }),
  },
  'can run as many': {
    'a place lost': withFound(() => ({ together: [{ keyId: NARROW.id, ran: 1 }] })),
    'a place more': withFound(() => ({ together: [{ keyId: NARROW.id, ran: 3 }] })),
  },
  'totals, groups': {
    'a figure that differs': withFound(({ analytics }) => ({ analytics: { ...analytics, differences: ['summary'] } })),
    'a record that was not counted': withFound(({ analytics }) => ({
      analytics: { ...analytics, requests: analytics.requests - 1 },
    })),
  },
  'each session counts': {
    'a request less': withFound(({ analytics }) => ({ analytics: { ...analytics, sessions: new Map() } })),
    'a session of nobody': withFound(({ analytics }) => ({
      analytics: { ...analytics, sessions: new Map([...analytics.sessions, ['talk-9 of key_exact', 1]]) },
    })),
  },
  'every event that was due': {
    'one that never came': withDelivered((all) => all.filter(({ requestId }) => requestId !== 'req_4')),
    'one that came to one endpoint alone': withDelivered((all) =>
      all.filter(({ endpoint, type }) => endpoint === 'steady' || type !== 'key.created'),
    ),
    'one that came twice in the place of another': both(
      withAsked(1, { kind: 'flagged' }),
      withDelivered((all) => [...all, ...all.filter(({ requestId }) => requestId === 'req_5')]),
    ),
    'a refusal that nobody was told of': withDelivered((all) => all.filter(({ type }) => type !== 'budget.exceeded')),
  },
  'every webhook was signed': {
    'a wrong signature': withDelivered((all) => all.map((one, at) => (at === 0 ? { ...one, signed: false } : one))),
    'a request that has no record': withDelivered((all) =>
      all.map((one) => (one.requestId === 'req_4' ? { ...one, requestId: 'req_none' } : one)),
    ),
  },
  'one delivery for an endpoint': {
    'a second one': withDelivered((all) => [...all, { ...(all[0] as Delivered), deliveryId: 'delivery_other' }]),
  },
  'no key, secret or text': {
    'a secret in a log': withFound(({ logs }) => ({ logs: [...logs, 'it was a-secret'] })),
    'a secret in a table': withFound(() => ({ stored: [{ name: 'table keys', text: '["a-secret"]' }] })),
    'a log that is empty': withFound(() => ({ logs: [''] })),
  },
  'every line of a log': {
    'half a line': withFound(() => ({ logs: ['ready http://127.0.0.1:1/v1\n{"message":"requ\n'] })),
    'a failure inside': withFound(() => ({
      logs: ['ready http://127.0.0.1:1/v1\n{"message":"error","code":"internal_error"}\n'],
    })),
  },
};

const violated = (ledger: Ledger) =>
  INVARIANTS.filter((invariant) => invariant.check(ledger).violations.length > 0).map(({ name }) => name);

describe('the invariants of the soak', () => {
  it('hold for a soak without faults', () => {
    expect(violated(healthyLedger())).toEqual([]);
  });

  it('each have a change that violates them', () => {
    const named = INVARIANTS.map(({ name }) => Object.keys(BREAKAGES).filter((part) => name.includes(part)).length);
    expect(named).toEqual(INVARIANTS.map(() => 1));
  });

  const cases = Object.entries(BREAKAGES).flatMap(([part, changes]) =>
    Object.entries(changes).map(([what, change]) => [part, what, change] as const),
  );
  it.each(cases)('"%s" is broken by %s', (part, _, change) => {
    expect(violated(change(healthyLedger())).join('\n')).toContain(part);
  });

  it('require cases: too few are a violation', () => {
    const { found, ...rest } = healthyLedger();
    const nothing: Ledger = {
      ...rest,
      ...{ keys: [], asked: [], calls: [], delivered: [] },
      found: {
        ...found,
        ...{ records: [], limits: [], together: [], logs: [], stored: [], secrets: [], tokensFrom: new Map() },
        analytics: { compared: 0, differences: [], requests: 0, sessions: new Map() },
      },
    };
    const passing = judge(INVARIANTS, nothing).filter(({ violations }) => violations.length === 0);
    expect(passing.map(({ invariant }) => invariant.name)).toEqual([]);
  });
});

describe('a case is excused', () => {
  const withoutFirst = withFound(({ records, analytics }) => ({
    records: records.slice(1),
    analytics: { ...analytics, requests: records.length - 1 },
  }));

  it('if its process was killed before its record had to be written', () => {
    const ledger = both(disturbed({ excuses: 'broken requests', instance: 0 }), withoutFirst)(healthyLedger());
    expect(violated(ledger)).toEqual([]);
  });

  it('if the log reports its record as lost, while the stores were unavailable', () => {
    const lost = withFound(() => ({ lost: ['req_1'] }));
    expect(violated(both(disturbed({ excuses: 'stores' }), withoutFirst, lost)(healthyLedger()))).toEqual([]);
    expect(violated(both(disturbed({ excuses: 'stores' }), withoutFirst)(healthyLedger()))).not.toEqual([]);
  });

  it('within bounds only: at least the usage of other cases, and at most that of all', () => {
    const uncounted = (change: number) => withLimit(EXACT.id, ({ spent }) => ({ spent: spent + change }));
    const stores = both(
      disturbed({ excuses: 'stores' }),
      withFound(() => ({ uncounted: [EXACT.id] })),
    );
    expect(violated(both(disturbed({ excuses: 'stores' }), uncounted(-70_000))(healthyLedger()))).toHaveLength(1);
    expect(violated(both(stores, uncounted(-70_000))(healthyLedger()))).toEqual([]);
    expect(violated(both(stores, uncounted(-70_001))(healthyLedger()))).toHaveLength(1);
    expect(violated(both(stores, uncounted(1))(healthyLedger()))).toHaveLength(1);
  });

  it('if it holds a reservation that the log reports as not settled, while the stores were unavailable', () => {
    const held = withLimit(NARROW.id, () => ({ open: 1 }));
    const stores = disturbed({ excuses: 'deadlines', from: 90_000, to: 90_200 });
    const uncounted = withFound(() => ({ uncounted: [NARROW.id] }));
    expect(violated(both(stores, uncounted, held)(healthyLedger()))).toEqual([]);
    expect(violated(both(stores, held)(healthyLedger()))).toHaveLength(1);
    expect(violated(both(uncounted, held)(healthyLedger()))).toHaveLength(1);
  });
});
