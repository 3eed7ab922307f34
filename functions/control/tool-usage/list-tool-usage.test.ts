import { describe, expect, it } from '@jest/globals';
import { T0 } from '../analytics/record.fixture.ts';
import { listToolUsage, toToolUsage } from './list-tool-usage.ts';
import { callOf, DAY, HOUR_MS, recordsOf, times } from './memory-records.fixture.ts';

const RECORDS = [
  ...times(3, [callOf('send_email', { 'to[0]': 'user', 'to[1]': 'field find_contact.items[2].email' })]),
  ...times(1, [
    callOf('send_email', { 'to[0]': 'prose read_mail.body', subject: 'none' }, { action: 'block', effect: 'write' }),
  ]),
  ...times(2, [callOf('read_mail', {}, { effect: 'read' }), callOf('send_email', {}, { action: 'ask' })], {
    keyId: 'key_2',
    environment: 'Staging',
    model: 'gpt-4o',
    time: new Date(T0 - 2 * HOUR_MS).toISOString(),
  }),
];
const SOURCES = [['find_*', 'trusted']] as const;
const list = async (filter: object = {}) => {
  const { tools, ...read } = await listToolUsage({ ...DAY, ...filter }, recordsOf(RECORDS).deps);
  return { ...read, tools: tools.map((tally) => toToolUsage(tally, { pins: [], waiting: 0, sources: SOURCES })) };
};

describe('tools', () => {
  it('have their calls, who wrote the values, where, who uses them, and when', async () => {
    const { tools, ...read } = await list();
    expect(read).toEqual({ requests: 6, isCut: false });
    expect(tools).toEqual([
      {
        object: 'tool',
        tool: 'send_email',
        effect: 'send',
        ...{ calls: 6, flagged: 0, asked: 2, blocked: 1, fromProse: 1 },
        from: { user: 3, field: 3, prose: 1, none: 1 },
        arguments: [
          {
            argument: 'to[*]',
            calls: 4,
            from: { user: 0, field: 3, prose: 1, none: 0 },
            sources: [
              { tool: 'find_contact', field: 'items[*].email', as: 'field', calls: 3, source: 'trusted' },
              { tool: 'read_mail', field: 'body', as: 'prose', calls: 1, isOnlyFlagged: true },
            ],
          },
          { argument: 'subject', calls: 1, from: { user: 0, field: 0, prose: 0, none: 1 }, sources: [] },
        ],
        keys: 2,
        keyIds: ['key_1', 'key_2'],
        firstAt: new Date(T0 - 2 * HOUR_MS).toISOString(),
        lastAt: new Date(T0 - HOUR_MS + 2000).toISOString(),
        pins: [],
        waiting: 0,
      },
      expect.objectContaining({ tool: 'read_mail', effect: 'read', calls: 2, keys: 1, arguments: [] }),
    ]);
  });

  it('have no names that are values, of arguments and of fields', async () => {
    const paths = {
      'splits.GB33BUKB20201555555555': 'field get_split.shares.DE02_1203_00.part',
      'line_2.iso8601': 'user',
    } as const;
    const { tools } = await listToolUsage(DAY, recordsOf(times(1, [callOf('pay', paths)])).deps);
    const [pay] = tools.map((tally) => toToolUsage(tally, { pins: [], waiting: 0, sources: [] }));
    expect(pay?.arguments.map(({ argument, sources }) => [argument, sources.map(({ field }) => field)])).toEqual([
      ['splits.*', ['shares.*.part']],
      ['line_2.iso8601', []],
    ]);
  });

  it.each([
    [{ keyId: 'key_2' }, ['read_mail 2', 'send_email 2']],
    [{ environment: 'Production' }, ['send_email 4']],
    [{ model: 'gpt-4o' }, ['read_mail 2', 'send_email 2']],
    [{ tool: 'read_mail' }, ['read_mail 2']],
    [{ effect: 'read' }, ['read_mail 2']],
    [{ to: new Date(T0 - HOUR_MS).toISOString() }, ['read_mail 2', 'send_email 2']],
  ])('are filtered by %j', async (filter, expected) => {
    const { tools } = await list(filter);
    expect(tools.map(({ tool, calls }) => `${tool} ${calls}`)).toEqual(expected);
  });

  it('are 500 at most, however many names a client makes up', async () => {
    const records = times(1, []).concat(
      Array.from({ length: 700 }, (_, at) => times(1, [callOf(`tool_${at}`)])[0] as (typeof RECORDS)[number]),
    );
    const { tools } = await listToolUsage(DAY, recordsOf(records).deps);
    expect(tools).toHaveLength(500);
  });
});
