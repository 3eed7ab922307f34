import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Claims, issuersSchema, matchesClaims } from './index.ts';

const names = fc.constantFrom('a', 'b', 'a.b', 'b.a');
const texts = fc.constantFrom('x', 'y', 'xy', '');
const scalars = fc.oneof(texts, fc.boolean(), fc.integer({ min: 0, max: 2 }), fc.constant(null));
const { claims } = fc.letrec<{ claims: Claims; value: unknown }>((tie) => ({
  claims: fc.dictionary(names, tie('value'), { maxKeys: 3 }),
  value: fc.oneof({ maxDepth: 3 }, scalars, fc.array(scalars, { maxLength: 3 }), tie('claims')),
}));
const paths = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
const globs = fc.array(fc.constantFrom('x', 'x*', '*y', '*', 'true', '1'), { minLength: 1, maxLength: 3 });
const matches = fc.dictionary(paths, globs, { minKeys: 1, maxKeys: 3 });

describe('the match of a rule', () => {
  it('needs all its claims: it is that of each alone, together', () => {
    fc.assert(
      fc.property(matches, claims, (match, given) => {
        const each = Object.entries(match).map(([path, globs]) => matchesClaims({ [path]: globs }, given));
        expect(matchesClaims(match, given)).toBe(each.every(Boolean));
      }),
    );
  });

  it('of a claim is that of any of its globs, and of any element of an array', () => {
    fc.assert(
      fc.property(globs, fc.array(scalars), (list, value) => {
        const any = list.some((glob) => value.some((one) => matchesClaims({ a: [glob] }, { a: one })));
        expect(matchesClaims({ a: list }, { a: value })).toBe(any);
      }),
    );
  });

  it('is never made by a claim that is missing, null, an object or nested deeper', () => {
    fc.assert(
      fc.property(claims, (given) => {
        expect(matchesClaims({ c: ['*'] }, given)).toBe(false);
        expect(matchesClaims({ c: ['*'] }, { ...given, c: null })).toBe(false);
        expect(matchesClaims({ c: ['*'] }, { ...given, c: given })).toBe(false);
        expect(matchesClaims({ c: ['*'] }, { ...given, c: [[given.a], given] })).toBe(false);
      }),
    );
  });

  it('of several claims does not depend on their order, and never grows with another', () => {
    fc.assert(
      fc.property(matches, paths, globs, claims, (match, path, more, given) => {
        const reversed = Object.fromEntries(Object.entries(match).reverse());
        expect(matchesClaims(reversed, given)).toBe(matchesClaims(match, given));
        if (!matchesClaims(match, given)) expect(matchesClaims({ [path]: more, ...match }, given)).toBe(false);
      }),
    );
  });

  it.each([
    ['a part of a path', { 'realm_access.roles': ['dev'] }, { realm_access: { roles: ['dev', 'ops'] } }, true],
    ['names with dots', { 'kubernetes.io.namespace': ['prod-*'] }, { 'kubernetes.io': { namespace: 'prod-a' } }, true],
    ['an address as a name', { 'https://x.example/groups': ['a'] }, { 'https://x.example/groups': 'a' }, true],
    ['the longest name', { 'a.b': ['x'] }, { 'a.b': 'y', a: { b: 'x' } }, false],
    ['a number as text', { repository_id: ['42'] }, { repository_id: 42 }, true],
    ['case', { sub: ['Sue'] }, { sub: 'sue' }, false],
    ['what objects inherit', { constructor: ['*'] }, {}, false],
    ['a member of a text', { 'sub.length': ['*'] }, { sub: 'sue' }, false],
    ['an element by its number', { 'groups.0': ['*'] }, { groups: ['a'] }, false],
    ['a verified e-mail', { email: ['*@example.com'] }, { email: 'a@example.com', email_verified: true }, true],
    ['an e-mail', { email: ['*@example.com'] }, { email: 'a@example.com' }, false],
    ['an e-mail that is "verified"', { email: ['*'] }, { email: 'a@example.com', email_verified: 'true' }, false],
  ])('knows %s', (_, match, given, fits) => expect(matchesClaims(match, given)).toBe(fits));
});

describe('issuers', () => {
  const rule = { id: 'all', match: { sub: ['*'] } };
  const issuer = { issuer: 'https://login.example.com', audience: ['svc'], rules: [rule] };

  it('have the defaults of a new key', () => {
    expect(issuersSchema.parse([issuer])[0]).toMatchObject({
      algorithms: ['RS256', 'ES256', 'ES384'],
      rules: [{ permissions: ['chat_completions'], environment: 'Development', maxConcurrent: 50, teamId: null }],
    });
  });

  it.each([
    ['a MAC', { ...issuer, algorithms: ['HS256'] }],
    ['no signature', { ...issuer, algorithms: ['none'] }],
    ['no algorithm', { ...issuer, algorithms: [] }],
    ['no audience', { ...issuer, audience: [] }],
    ['another scheme', { ...issuer, issuer: 'ftp://login.example.com' }],
    ['a query', { ...issuer, issuer: 'https://login.example.com/?a' }],
    ['a login in the address of keys', { ...issuer, jwksUrl: 'https://a:b@login.example.com/keys' }],
    ['a rule for any token', { ...issuer, rules: [{ ...rule, match: {} }] }],
    ['no glob', { ...issuer, rules: [{ ...rule, match: { sub: [] } }] }],
    ['a rule id twice', { ...issuer, rules: [rule, rule] }],
    ['201 rules', { ...issuer, rules: Array.from({ length: 201 }, (_, at) => ({ ...rule, id: `r${at}` })) }],
    ['a sign-in with a secret', { ...issuer, signIn: { clientId: 'svc', clientSecret: 'x' } }],
    ['ID tokens of a client that is no audience', { ...issuer, signIn: { clientId: 'other' } }],
    ['a sign-in without the scope openid', { ...issuer, signIn: { clientId: 'svc', scope: 'email' } }],
    ['a client id with a space', { ...issuer, audience: ['a b'], signIn: { clientId: 'a b' } }],
    [
      'a redirect to another machine',
      { ...issuer, signIn: { clientId: 'svc', redirectUri: 'http://127.0.0.1.nip.io/' } },
    ],
    [
      'a redirect with a port that is none',
      { ...issuer, signIn: { clientId: 'svc', redirectUri: 'http://localhost:65536' } },
    ],
    ['an unknown field', { ...issuer, secret: 'x' }],
    ['a field of keys that identities lack', { ...issuer, rules: [{ ...rule, credentialId: null }] }],
  ])('may not have %s', (_, one) => expect(issuersSchema.safeParse([one]).success).toBe(false));

  it('have the usual sign-in of a public client', () => {
    const [{ signIn } = {}] = issuersSchema.parse([{ ...issuer, signIn: { clientId: 'svc' } }]);
    expect(signIn).toEqual({ clientId: 'svc', token: 'id_token', redirectUri: 'http://127.0.0.1/callback' });
    const access = { clientId: 'other', token: 'access_token', redirectUri: 'http://localhost:8484/a/b' };
    expect(issuersSchema.safeParse([{ ...issuer, signIn: access }]).success).toBe(true);
  });

  it('may not be named twice', () => {
    expect(issuersSchema.safeParse([issuer, { ...issuer, rules: [] }]).success).toBe(false);
  });
});
