import { describe, expect, it } from '@jest/globals';
import {
  type DeploymentPolicy,
  deploymentPolicySchema,
  type RecordedToolCall,
  type RequestRecord,
} from '../../kernel/model/index.ts';
import { recordOf, T0 } from '../analytics/record.fixture.ts';
import { callOf, DAY, HOUR_MS, recordsOf, times } from './memory-records.fixture.ts';
import { suggestTools } from './suggest-tools.ts';

const suggest = (records: readonly RequestRecord[], policy: DeploymentPolicy = {}, minCalls = 20) =>
  suggestTools({ ...DAY, minCalls }, policy, recordsOf(records).deps);
/** The proposed rules alone. */
const rulesOf = async (...args: Parameters<typeof suggest>) =>
  (await suggest(...args)).proposals.flatMap(({ adds: { rules = [] } }) => rules);

const FROM_USER = { to: 'user' } as const;
const FROM_FIELD = { to: 'field find_contact.items[0].email' } as const;
const effects = { send_email: 'send' } as const;

describe('a policy for tools is suggested from recorded calls:', () => {
  it('effects, and flags for tools without one and for other sources of an argument', async () => {
    const records = [
      ...times(15, [callOf('send_email', FROM_USER)]),
      ...times(10, [callOf('send_email', FROM_FIELD)]),
      ...times(30, [callOf('read_mail', {}, { effect: 'read' })]),
      ...times(2, [callOf('seldom', { id: 'user' })]),
    ];
    const policy: DeploymentPolicy = { preset: 'strict', tools: { pin: 'flag' } };
    const suggestion = await suggest(records, policy);
    expect(suggestion).toMatchObject({ requests: 57, isCut: false, minCalls: 20 });
    const rule = {
      ...{ id: 'send_email-to', tool: 'send_email', action: 'flag' },
      args: { to: { from: ['user', 'system', 'field:find_contact.items[*].email'] } },
    };
    expect(suggestion.proposals.map(({ adds, calls }) => [adds, calls])).toEqual([
      [{ effects: { read_mail: 'read' } }, 30],
      [{ effects: { send_email: 'send' } }, 25],
      [{ unlisted: 'flag' }, 55],
      [{ rules: [rule] }, 25],
    ]);
    expect(suggestion.proposals.map(({ reason }) => reason).slice(2)).toEqual([
      '55 calls of 57 were of tools with an effect. The rule would have flagged 2 calls of 1 other tools.',
      'In 25 of 25 calls its value was from the user or the operator (15), or a whole field (10).',
    ]);
    expect(suggestion.policy).toEqual({
      preset: 'strict',
      tools: { pin: 'flag', unlisted: 'flag', effects: { read_mail: 'read', send_email: 'send' }, rules: [rule] },
    });
  });

  it('fields of allowed calls, and none that only a flagged or held call had', async () => {
    const attack = { to: 'field find_contact.items[0].note' } as const;
    const records = [
      ...times(25, [callOf('send_email', FROM_FIELD)]),
      ...times(2, [callOf('send_email', attack, { action: 'ask' }), callOf('send_email', attack, { action: 'flag' })]),
    ];
    expect((await rulesOf(records)).map(({ args }) => args)).toEqual([
      { to: { from: ['field:find_contact.items[*].email'] } },
    ]);
  });

  it.each<[string, RequestRecord[], DeploymentPolicy['tools']]>([
    ['from fewer calls than the minimum', times(19, [callOf('send_email', FROM_USER)]), {}],
    [
      'from fields of flagged and held calls alone',
      [
        ...times(40, [callOf('send_email', FROM_FIELD, { action: 'flag' })]),
        ...times(40, [callOf('send_email', FROM_FIELD, { action: 'ask' })]),
      ],
      {},
    ],
    [
      'from the results of a public tool',
      times(40, [callOf('send_email', FROM_FIELD)]),
      { sources: { 'find_*': 'public' } },
    ],
    ['from a whole result', times(40, [callOf('send_email', { to: 'field find_contact.' })]), {}],
    ['from a tool with an unusual name', times(40, [callOf('send_email', { to: 'field *.email' })]), {}],
    ['for an argument with an unusual name', times(40, [callOf('send_email', { '*': 'user' })]), {}],
    ['for a tool with an unusual name', times(40, [callOf('*', FROM_USER)]), {}],
    ['for an argument that no schema keeps', times(40, [callOf('send_email', { ['__proto__']: 'user' })]), {}],
    ['for parts of a command', times(40, [callOf('run', { command: 'user' }, { effect: 'execute' })]), {}],
    [
      'if one value was a part of a field',
      [
        ...times(40, [callOf('send_email', FROM_FIELD)]),
        ...times(1, [
          {
            ...callOf('send_email'),
            arguments: [{ ...callOf('send_email', FROM_FIELD).arguments[0], isPart: true }],
          } as RecordedToolCall,
        ]),
      ],
      {},
    ],
    [
      'if one value was in prose',
      [
        ...times(40, [callOf('send_email', FROM_USER)]),
        ...times(1, [callOf('send_email', { to: 'prose read_mail.body' })]),
      ],
      {},
    ],
    [
      'if one value was nowhere',
      [...times(40, [callOf('send_email', FROM_USER)]), ...times(1, [callOf('send_email', { to: 'none' })])],
      {},
    ],
    [
      'if the policy has such a rule',
      times(40, [callOf('send_email', FROM_USER)]),
      { rules: [{ id: 'mine', tool: 'send_*', action: 'block', args: { to: { from: ['user'] } } }] },
    ],
  ])('no rule %s', async (_, records, tools = {}) => {
    expect(await rulesOf(records, { tools })).toEqual([]);
  });

  it('no effect that the policy has, and no flag for other tools if it says what happens or if they are many', async () => {
    const records = [...times(40, [callOf('send_email')]), ...times(19, [callOf('other')])];
    const adds = async (tools: DeploymentPolicy['tools'] = {}) =>
      (await suggest(records, { tools })).proposals.map((proposal) => proposal.adds);
    expect(await adds()).toEqual([{ effects }]);
    expect(await adds({ effects: { 'send_*': 'write' } })).toEqual([]);
    expect(await adds({ effects: { '*': 'write' } })).toEqual([{ unlisted: 'flag' }]);
    expect(await adds({ effects: { '*': 'write' }, unlisted: 'allow' })).toEqual([]);
  });

  it('nothing for a tool that no schema keeps', async () => {
    expect((await suggest(times(40, [callOf('__proto__', FROM_USER)]))).proposals).toEqual([]);
  });

  describe('a flag after public results', () => {
    const sources = { 'fetch_*': 'public' } as const;
    const turn = (second: number, sessionId: string | null, ...tools: string[]) =>
      times(
        1,
        tools.map((tool) => callOf(tool, {}, { effect: tool === 'send_email' ? 'send' : 'read' })),
        { sessionId, time: new Date(T0 - HOUR_MS + second * 1000).toISOString() },
      );
    const sessions = (one: (id: string) => RequestRecord[]) =>
      Array.from({ length: 20 }, (_, at) => one(`s${at}`)).flat();
    const before = sessions((id) => [...turn(1, id, 'send_email'), ...turn(2, id, 'fetch_page')]);
    const rule = { id: 'send_email-after-public', tool: 'send_email', action: 'flag', after: { source: 'public' } };
    const proposed = (records: readonly RequestRecord[]) => rulesOf(records, { tools: { sources } });

    it('if a tool was always called before them', async () => {
      expect(await proposed(before)).toEqual([rule]);
    });

    it.each<[string, RequestRecord[]]>([
      ['a call came after them', [...before, ...turn(3, 's7', 'send_email')]],
      [
        'its calls are in no session',
        sessions(() => [...turn(1, null, 'send_email'), ...turn(2, 'one', 'fetch_page')]),
      ],
      [
        'public tools were called too seldom',
        before.filter(({ sessionId, toolCalls }) => sessionId !== 's3' || toolCalls?.[0]?.tool !== 'fetch_page'),
      ],
      [
        'other keys called them',
        before.map((one) => (one.toolCalls?.[0]?.tool === 'fetch_page' ? { ...one, keyId: 'key_2' } : one)),
      ],
    ])('not if %s', async (_, records) => {
      expect(await proposed(records)).toEqual([]);
    });

    it('also if both are called in one turn', async () => {
      expect(await proposed(sessions((id) => turn(1, id, 'fetch_page', 'send_email')))).toEqual([rule]);
    });

    it('not without a public source, or if requests were left out, which it says', async () => {
      expect(await rulesOf(before)).toEqual([]);
      expect((await suggest(before)).unknown.join(' ')).toContain('No tool has the source public');
      const many = Array.from({ length: 13_000 }, (_, at) =>
        recordOf({ time: new Date(T0 - 23 * HOUR_MS + at * 6000).toISOString() }),
      );
      const { deps } = recordsOf([...before, ...many]);
      const cut = await suggestTools({ ...DAY, minCalls: 20 }, { tools: { sources } }, deps);
      expect(cut.proposals.filter(({ adds }) => adds.rules)).toEqual([]);
      expect(cut.unknown.join(' ')).toContain('Not all requests of the range were read');
    });
  });

  it('of many tools as much as a policy may have, and says what is left out', async () => {
    const records = Array.from({ length: 300 }, (_, at) => times(1, [callOf(`send_${at}`, FROM_USER)])).flat();
    const suggestion = await suggest(records, {}, 1);
    expect(deploymentPolicySchema.safeParse(suggestion.policy).success).toBe(true);
    expect(suggestion.proposals).toHaveLength(100);
    expect(suggestion.unknown.at(-1)).toMatch(/^\d+ more proposals are left out/);
  });

  it('only as far as the policy stays valid, and says what is left out', async () => {
    const lists = { long: Array.from({ length: 130 }, (_, at) => `${at}`.padEnd(500, 'x')) };
    const records = Array.from({ length: 20 }, (_, at) => times(1, [callOf(`send_${at}`, FROM_USER)])).flat();
    const { policy, proposals, unknown } = await suggest(records, { tools: { lists } }, 1);
    expect(deploymentPolicySchema.safeParse(policy).success).toBe(true);
    expect(proposals.length).toBeGreaterThan(0);
    expect(unknown.at(-1)).toBe(
      `${41 - proposals.length} more proposals are left out: the policy would be too large or invalid.`,
    );
  });
});
