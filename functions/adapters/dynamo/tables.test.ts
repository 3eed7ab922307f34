import { describe, expect, test } from '@jest/globals';
import { readTables, TABLES, type TableDefinition, tableSchemas, tableVariables } from './tables.ts';

describe.each(Object.entries<TableDefinition>(TABLES))('the table %s', (name, { access, indexes }) => {
  test("has a name that is part of its variable's name", () => expect(name).toMatch(/^[a-z]+$/));

  test('is used, and each of its indexes is queried', () => {
    expect(Object.keys(access).length).toBeGreaterThan(0);
    const queried = Object.values(access).flatMap(({ queries = [] }) => queries);
    expect(indexes.map((index) => index.name)).toEqual(expect.arrayContaining(queried));
  });
});

test("a function's environment names exactly the tables that it uses", () => {
  const variables = tableVariables('webhook-delivery', (table) => `svc-${table}`);
  expect(variables).toMatchObject({ SVC_WEBHOOKS_TABLE: 'svc-webhooks', SVC_DELIVERIES_TABLE: 'svc-deliveries' });
  expect(variables).not.toHaveProperty('SVC_AUDIT_TABLE');
  const tables = readTables('webhook-delivery', variables);
  expect(tables).toMatchObject({ webhooks: 'svc-webhooks', deliveries: 'svc-deliveries' });
  expect(Object.keys(tableSchemas('webhook-delivery'))).toEqual(Object.keys(variables));
});
