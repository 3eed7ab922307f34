import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Loans } from '../src/loans.js';

const now = () => new Date('2026-03-01T12:00:00Z');

test('a book is lent to one member at a time', () => {
  const loans = new Loans({ days: 21, now });
  loans.lend({ member: 'm-17', isbn: '9780000000019' });
  assert.throws(() => loans.lend({ member: 'm-18', isbn: '9780000000019' }), /lent already/);
});

test('a book can be lent again once it is back', () => {
  const loans = new Loans({ days: 21, now });
  const { id } = loans.lend({ member: 'm-17', isbn: '9780000000019' });
  assert.deepEqual(loans.takeBack(id), { id, feeCents: 0 });
  loans.lend({ member: 'm-18', isbn: '9780000000019' });
});
