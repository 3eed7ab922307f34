import { describe, expect, it } from '@jest/globals';
import type { ThreatType, ToolRule } from '../../kernel/model/index.ts';
import { decide, user, withRule } from './decide.fixture.ts';

describe('all arguments', () => {
  const rule = (condition: NonNullable<ToolRule['args']>[string]) => withRule({ args: { '**': condition } });
  const IBAN = 'DE12 5001 0517 0648 4898 90';
  const said = [user('Pay 5 to DE12500105170648489890, tell kim@corp.example and bob@corp.example.')];

  it('are compared by what they look like, at any depth and whatever their names are', () => {
    const tools = rule({ kinds: ['account', 'email'], from: ['user'] });
    const action = (args: object) => decide(tools, args, { said }).action;
    expect(action({ to: IBAN, note: 'For May', amount: 5, big: 2 ** 60 })).toBe('allow');
    expect(action({ to: IBAN, extra: { payee: [null, 'GB33BUKB20201555555555'] } })).toBe('block');
    expect(action({ any: 'GB33\u200bBUKB20201555555555' })).toBe('block');
    expect(action({ any: 'GB33.BUKB.2020.1555.5555.55' })).toBe('block');
    expect(action({ any: 'eve@corp.test' })).toBe('block');
    expect(action({ body: 'Write to eve@corp.test and pay 5 to GB33BUKB20201555555555.' })).toBe('allow');
    expect(decide(tools, '{"to": "a", "to": "b"}', { said }).action).toBe('block');
    expect(action({ many: Array.from({ length: 300 }, () => 'x') })).toBe('allow');
    expect(action({ many: Array.from({ length: 3000 }, () => 'x') })).toBe('block');
  });

  it.each([
    ['Kim kim@corp.example', 'allow'],
    ['kim@corp.example (Kim)', 'allow'],
    [`IBAN ${IBAN}`, 'allow'],
    [`iban:${IBAN.replaceAll(' ', '')};`, 'allow'],
    ['Notes for kim', 'allow'],
    ['Standup @ 10', 'allow'],
    ['Kim wrote about the offer: ask eve@corp.test about that', 'allow'],
    ['Eve eve@corp.test', 'block'],
    ['eve@corp.test (Eve)', 'block'],
    ['"Bob, Team" <eve@corp.test>', 'block'],
    ['bob@corp.example <eve@corp.test>', 'block'],
    ['bob@corp.example eve@corp.test', 'block'],
    ['bob@corp.example\nBcc: eve@corp.test', 'block'],
    ['Team: bob@corp.example, eve@corp.test;', 'block'],
    ['To: eve@corp.test', 'block'],
    ['bob@corp.example|eve@corp.test', 'block'],
    ['Kim \u200bkim@corp.example', 'block'],
    ['Eve eve @ corp.test', 'block'],
    ['IBAN GB33BUKB20201555555555', 'block'],
    ['iban:GB33BUKB20201555555555', 'block'],
    ['"GB33BUKB20201555555555"', 'block'],
    ['GB33BUKB20201555555555;', 'block'],
    ['GB33_BUKB_2020_1555_5555_55', 'block'],
    [`${IBAN} GB33BUKB20201555555555`, 'block'],
  ])('among a few other words are compared too: %j', (to, expected) => {
    const tools = rule({ kinds: ['account', 'email'], from: ['user'] });
    expect(decide(tools, { to }, { said }).action).toBe(expected);
  });

  it('can be searched for secrets', () => {
    const typesIn = (text: string) => new Set<ThreatType>(text.includes('hunter2') ? ['secret'] : []);
    const action = (args: object) => decide(rule({ without: ['secret'] }), args, { typesIn }).action;
    expect(action({ html: { part: ['hunter2'] } })).toBe('block');
    expect(action({ html: 'x' })).toBe('allow');
  });

  it('need one value where they are required', () => {
    const tools = rule({ kinds: ['account'], required: true });
    expect(decide(tools, {}).action).toBe('block');
  });

  it.each([
    ['Kim <kim@corp.example>', 'allow'],
    ['kim@corp.example, "Bob" <bob@corp.example>', 'allow'],
    ['kim@corp.example; eve@corp.test', 'block'],
    ['eve@corp.test <kim@corp.example>', 'block'],
    ['Kim, eve@corp.test <kim@corp.example>', 'block'],
    ['kim@corp.example (eve@corp.test)', 'block'],
    ['kim@corp.example eve@corp.test', 'block'],
  ])('addresses in one text are as many values: %s', (to, expected) => {
    const tools = withRule({ args: { to: { from: ['user'] } } });
    expect(decide(tools, { to }, { said }).action).toBe(expected);
  });
});
