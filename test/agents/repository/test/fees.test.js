import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feeFor } from '../src/fees.js';

const due = new Date('2026-03-01T12:00:00Z');

test('nothing is due on the last day', () => {
  assert.equal(feeFor({ due, priceCents: 1500 }, due), 0);
});

test('each day that has begun counts', () => {
  assert.equal(feeFor({ due, priceCents: 1500 }, new Date('2026-03-03T08:00:00Z')), 40);
});

test('a fee never exceeds the price', () => {
  assert.equal(feeFor({ due, priceCents: 1500 }, new Date('2027-03-03T08:00:00Z')), 1500);
});
