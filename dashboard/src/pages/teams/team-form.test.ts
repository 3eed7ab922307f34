import { expect, test } from '@jest/globals';
import { toTeamBody, toTeamForm } from './team-form.ts';

test('members are the same after they were entered as texts', () => {
  const members = [
    { match: { email: ['a@example.com', '*@shop.example'], 'realm.roles': ['x=y'] }, role: 'member' as const },
    { match: { groups: ['g'] }, role: 'viewer' as const },
  ];
  expect(toTeamBody(toTeamForm({ name: 'Shop', members }))).toMatchObject({ body: { name: 'Shop', members } });
  expect(toTeamBody(toTeamForm({ name: 'Shop' }))).toMatchObject({ body: { members: [] } });
});

test('a member without a claim, or with a text that is none, is named', () => {
  for (const match of [[], ['email'], ['=x']]) {
    const form = { ...toTeamForm({ name: 'Shop' }), members: [{ match, role: 'owner' }] };
    expect(toTeamBody(form)).toMatchObject({ fault: { param: 'members[0].match' } });
  }
});
