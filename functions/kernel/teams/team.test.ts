import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createTeamSchema, teamOf } from './team.ts';

const team = (
  name: string,
  ...members: { match: Record<string, string[]>; role: 'owner' | 'member' | 'viewer' }[]
) => ({
  name,
  members,
});
const owner = (match: Record<string, string[]>) => ({ match, role: 'owner' as const });
const verified = (email: string) => ({ email, email_verified: true });

describe('the team of a caller', () => {
  const shop = team('shop', owner({ email: ['*@shop.example'] }), { match: { groups: ['shop-*'] }, role: 'member' });
  const search = team('search', { match: { 'realm.roles': ['search'] }, role: 'viewer' }, owner({ groups: ['*'] }));
  const of = (claims: Record<string, unknown>) => {
    const found = teamOf(claims, [shop, search]);
    return found && [found.team.name, found.role];
  };

  it.each<[string, Record<string, unknown>, string[] | undefined]>([
    ['a verified e-mail', verified('ada@shop.example'), ['shop', 'owner']],
    ['no e-mail that is not verified', { email: 'ada@shop.example' }, undefined],
    ['no e-mail with a text as verification', { email: 'ada@shop.example', email_verified: 'true' }, undefined],
    ['one element of an array', { groups: ['x', 'shop-a'] }, ['shop', 'member']],
    [
      'the first entry that matches, for the role',
      { groups: ['shop-a'], ...verified('a@shop.example') },
      ['shop', 'owner'],
    ],
    ['the oldest team that matches', { groups: ['shop-a'], realm: { roles: ['search'] } }, ['shop', 'member']],
    ['a claim in an object', { realm: { roles: ['search'] } }, ['search', 'viewer']],
    ['a claim whose name has a dot', { 'realm.roles': 'search' }, ['search', 'viewer']],
    ['no missing claim, also for a glob of all', {}, undefined],
    ['no object as a text', { groups: { toString: 'shop-a' } }, undefined],
    ['nothing inherited', JSON.parse('{"__proto__": {"groups": "shop-a"}}') as Record<string, unknown>, undefined],
  ])('is found by %s', (_, claims, found) => expect(of(claims)).toEqual(found));

  it('is the same whatever other claims and later teams there are, and none without members', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const match = fc.dictionary(name, fc.array(fc.constantFrom('x', 'y*', '*'), { minLength: 1, maxLength: 2 }), {
      minKeys: 1,
    });
    const teams = fc.array(
      fc.array(match, { maxLength: 2 }).map((all) => team('t', ...all.map(owner))),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(fc.dictionary(name, fc.constantFrom('x', 'yy', 'z')), teams, teams, (claims, first, later) => {
        const found = teamOf(claims, first);
        expect(teamOf({ ...claims, other: 'x' }, first)).toEqual(found);
        if (found !== undefined) expect(teamOf(claims, [...first, ...later])?.team).toBe(found.team);
        // Every claim of the entry is there.
        if (found !== undefined)
          expect(found.team.members.some((one) => Object.keys(one.match).every((claim) => claim in claims))).toBe(true);
        expect(teamOf(claims, [team('empty')])).toBeUndefined();
      }),
    );
  });

  it('has members that match something', () => {
    for (const members of [
      [{ match: {}, role: 'owner' }],
      [{ match: { a: [] }, role: 'owner' }],
      [{ match: { a: ['x'] }, role: 'boss' }],
    ])
      expect(createTeamSchema.safeParse({ name: 'Shop', members }).success).toBe(false);
  });
});
