import { expect, it } from '@jest/globals';
import { healthyLedger } from './invariants/ledger.fixture.ts';
import { fromPlain, toPlain } from './notes.ts';

it('keeps all data that invariants read', () => {
  const ledger = { ...healthyLedger(), disturbances: [{ what: 'a', from: 1, to: Infinity, excuses: 'stores' }] };
  expect(JSON.parse(JSON.stringify(ledger, toPlain), fromPlain)).toEqual(ledger);
});
