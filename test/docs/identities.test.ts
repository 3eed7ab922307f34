import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { issuersSchema, matchesClaims } from '../../functions/kernel/identity/index.ts';

const read = (page: string) => readFileSync(path.resolve(import.meta.dirname, '../../docs', page), 'utf8');
const [, section = ''] = read('keys.md').split('## Identities instead of keys\n');
const pages = (section.split('\n## ')[0] ?? '') + read('reference/identity-providers.md');
const examples = [...pages.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) =>
  issuersSchema.parse(JSON.parse(json).issuers),
);
const rules = examples.flat().flatMap((issuer) => issuer.rules);

/** Claims as the documentation of each provider has them. */
const CLAIMS: Readonly<Record<string, object>> = {
  engineers: { groups: ['Everyone', 'platform-eu'] },
  entra: { oid: '1', tid: '2', roles: ['Svc.User'] },
  google: { email: 'job@acme.iam.gserviceaccount.com', email_verified: true, sub: '104' },
  cognito: { 'cognito:groups': ['models'], token_use: 'id' },
  keycloak: { realm_access: { roles: ['offline_access', 'models'] } },
  aws: { sub: 'arn:aws:iam::123456789012:role/checkout-api' },
  pods: {
    sub: 'system:serviceaccount:prod-eu:agent',
    'kubernetes.io': { namespace: 'prod-eu', serviceaccount: { name: 'agent', uid: '1' } },
  },
  ci: { repository_owner_id: '123456', repository: 'acme/shop', ref: 'refs/heads/main' },
};

test.each(Object.entries(CLAIMS))('the example of %s matches tokens of its provider, and no others', (id, claims) => {
  const rule = rules.find((one) => one.id === id);
  expect(matchesClaims(rule?.match ?? {}, claims as Record<string, unknown>)).toBe(true);
  for (const other of rules)
    if (other.id !== id)
      expect([other.id, matchesClaims(other.match, claims as Record<string, unknown>)]).toEqual([other.id, false]);
});

test('the example of a sign-in is valid', () => {
  const signIn = read('sign-in.md');
  const [, json = ''] = /```json\n(\{\n {2}"issuers".*?)```/s.exec(signIn) ?? [];
  expect(issuersSchema.parse(JSON.parse(json).issuers)[0]?.signIn).toBeDefined();
});

test('each example has a sample', () => expect(rules.map(({ id }) => id).sort()).toEqual(Object.keys(CLAIMS).sort()));
