import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { auditOperations, keyOperations, OPERATIONS } from '../contract/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import { readQuery } from './operation-routes.ts';

describe('the page of a list', () => {
  const { query } = auditOperations.listAudit;

  it('is read, whatever else the URL has', () =>
    expect(
      ['', '?limit=100&cursor=a', '?limit=2&limit=3&more=1'].map((search) => readQuery(`http://h/${search}`, query)),
    ).toEqual([{ limit: 50 }, { limit: 100, cursor: 'a' }, { limit: 2 }]));

  it.each(['0', '101', '1.5', 'x', '-1', ''])('of %s is refused', (limit) =>
    expect(() => readQuery(`http://h/?limit=${limit}`, query)).toThrow(
      new GatewayError('invalid_value', "'limit' must be a whole number from 1 to 100.", { param: 'limit' }),
    ),
  );
});

describe('a strict query', () => {
  it.each([
    ['?limit=1e1', 'limit', "'limit': must be a whole number from 1 to 100."],
    ['?limit=1&limit=2', 'limit', "'limit' occurs twice."],
    ['?x=1', 'x', "Unknown parameter 'x'."],
    ['?x=1&state=old', 'state', /^'state': /],
  ])('refuses %s', (search, param, message) => {
    const refusal = () => readQuery(`http://h/${search}`, keyOperations.listKeys.query);
    expect(refusal).toThrow(expect.objectContaining({ code: 'invalid_value', param }));
    expect(refusal).toThrow(message);
  });
});

it('the path of each operation has the parameters that it declares', () => {
  for (const { path, params = z.object() } of Object.values(OPERATIONS)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect([path, Object.keys(params.shape)]).toEqual([path, inPath]);
  }
});
