import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';

let admin: AdminApp;
beforeAll(async () => {
  admin = await startAdminApp();
});
afterAll(() => admin.stop());

const RULE = { id: 'pay', tool: 'pay', action: 'block' };
const rules = (...fields: object[]) => ({ rules: fields.map((one) => ({ ...RULE, ...one })) });
const args = (condition: object, path = 'to[*]') => rules({ args: { [path]: condition } });
const example = { messages: [{ role: 'user', content: 'Hi' }], call: { name: 'pay', arguments: { to: 'eve' } } };
const many = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, value]));

describe('rules for tool calls', () => {
  it('are stored, returned, and in force with their source', async () => {
    const tools = {
      unlisted: 'flag',
      effects: { 'get_*': 'read' },
      sources: { read_mail: 'public' },
      lists: { friends: ['bob@example.com'] },
      rules: [
        { ...RULE, args: { 'to[*]': { from: ['user', 'list:friends'], without: ['secret'] } }, needs: 'asked' },
        { ...RULE, id: 'sum', total: { arg: 'amount', max: 100, per: 'day' }, tests: { noMatch: [example] } },
      ],
    };
    expect((await admin.call('PUT', '/policy', { body: { tools } })).json).toMatchObject({ tools });
    const { id } = (await admin.call('POST', '/keys', { body: { name: 'a' } })).json;
    const inForce = async () => (await admin.call('GET', `/keys/${id}/policy?effective=true`)).json.tools;
    expect(await inForce()).toEqual({ value: { pin: 'off', ...tools }, source: 'deployment' });
    const own = { pin: 'block' };
    await admin.call('PATCH', `/keys/${id}`, { body: { policy: { tools: own } } });
    expect(await inForce()).toEqual({ value: { unlisted: 'allow', pin: 'block' }, source: 'key' });
  });

  it('are absent in a policy without them', async () => {
    await admin.call('PUT', '/policy', { body: {} });
    const { json } = await admin.call('GET', '/policy?effective=true');
    expect(json.tools).toEqual({ value: { unlisted: 'allow', pin: 'off' }, source: 'default' });
  });

  it.each<[string, object, string, RegExp]>([
    ['a missing list', args({ from: ['user', 'list:nope'] }), 'rules[0].args["to[*]"].from[1]', /not in 'lists'/],
    ['an unknown source', args({ from: ['assistant'] }), 'rules[0].args["to[*]"].from[0]', /must be 'user', 'system'/],
    [
      'a field without a path',
      args({ from: ['field:get_bill'] }),
      'rules[0].args["to[*]"].from[0]',
      /field:TOOL\.PATH/,
    ],
    [
      'a field with an empty path',
      args({ from: ['field:get_bill.'] }),
      'rules[0].args["to[*]"].from[0]',
      /field:TOOL\.PATH/,
    ],
    ['no sources', args({ from: [] }), 'rules[0].args["to[*]"].from', /./],
    ['an unknown type', args({ without: ['secrets'] }, 'body'), 'rules[0].args.body.without[0]', /"secret"/],
    ['min above max', args({ min: 2, max: 1 }, 'amount'), 'rules[0].args.amount.min', /above 'max'/],
    ['a number as a text', args({ max: '500' }, 'amount'), 'rules[0].args.amount.max', /number/],
    ['no condition', args({}, 'to'), 'rules[0].args.to', /none of 'from'/],
    ['an unknown condition', args({ form: ['user'] }, 'to'), 'rules[0].args.to.form', /Unknown field/],
    ['no argument', rules({ args: {} }), 'rules[0].args', /no argument/],
    ['a bad path', args({ max: 1 }, 'to[0]'), 'rules[0].args["to[0]"]', /path of an argument/],
    ['a path that ends with a dot', args({ max: 1 }, 'to.'), 'rules[0].args["to."]', /path of an argument/],
    ['too many arguments', rules({ args: many(21, { max: 1 }) }), 'rules[0].args', /more than 20/],
    ['an id twice', rules({}, {}), 'rules[1].id', /twice/],
    ['a bad id', rules({ id: 'Pay' }), 'rules[0].id', /lower-case/],
    ['an empty glob', rules({ tool: '' }), 'rules[0].tool', /name of a tool/],
    ['a glob with other wildcards', rules({ tool: 'pay_?' }), 'rules[0].tool', /no other wildcard/],
    ['an unknown action', rules({ action: 'redact' }), 'rules[0].action', /"ask"/],
    ['an unknown need', rules({ needs: 'approval' }), 'rules[0].needs', /"asked"/],
    ['two events to wait for', rules({ after: { source: 'public', tool: 'x' } }), 'rules[0].after', /either/],
    ['a total without a period', rules({ total: { arg: 'amount', max: 1 } }), 'rules[0].total.per', /Missing/],
    [
      'a test of another form',
      rules({ tests: { match: [{ messages: [] }] } }),
      'rules[0].tests.match[0].call',
      /Missing/,
    ],
    [
      'a failed test',
      rules({ args: { to: { match: ['eve'] } }, tests: { match: [example] } }),
      'rules[0].tests.match[0]',
      /does not violate/,
    ],
    ['a failed near miss', rules({ tests: { noMatch: [example] } }), 'rules[0].tests.noMatch[0]', /violates the rule/],
    ['an unknown effect', { effects: { x: 'reads' } }, 'effects.x', /"read"/],
    ['an unknown trust', { sources: { x: 'safe' } }, 'sources.x', /"trusted"/],
    ['a bad name of a list', { lists: { 'My list': [] } }, 'lists.My list', /lower-case/],
    ['an empty value', { lists: { ok: ['a', ''] } }, 'lists.ok[1]', /./],
    ['to ask for unlisted tools', { unlisted: 'ask' }, 'unlisted', /"allow"/],
    ['an unknown field', { list: {} }, 'list', /Unknown field/],
    ['too many rules', { rules: Array.from({ length: 201 }, (_, at) => ({ ...RULE, id: `r${at}` })) }, 'rules', /200/],
  ])('are refused with the field: %s', async (_, tools, param, reason) => {
    const { id } = (await admin.call('POST', '/keys', { body: { name: 'a' } })).json;
    const policy = { tools };
    const refusals = [
      [await admin.call('PUT', '/policy', { body: policy }), ''],
      [await admin.call('PUT', '/policy', { body: { shadow: policy } }), 'shadow.'],
      [await admin.call('POST', '/keys', { body: { name: 'b', policy } }), 'policy.'],
      [await admin.call('PATCH', `/keys/${id}`, { body: { policy } }), 'policy.'],
    ] as const;
    for (const [{ status, json }, prefix] of refusals) {
      expect([status, json.error.param]).toEqual([400, `${prefix}tools.${param}`]);
      expect(json.error.message).toMatch(reason);
    }
    expect((await admin.call('GET', '/policy')).json.tools).toBeUndefined();
  });
});
