import { describe, expect, test } from '@jest/globals';
import { recordOf } from '../../../../functions/control/analytics/record.fixture.ts';
import type { RequestRecord } from '../../api/client.ts';
import { type RecordedCall, stepsOf } from './session-steps.ts';

const record = (id: string, fields: object = {}) => recordOf({ id, ...fields }) as unknown as RequestRecord;
const call = (tool: string, action: RecordedCall['action'] = 'allow'): RecordedCall => ({
  ...{ tool, action, effect: 'read', arguments: [] },
});
const mcp = (id: string, tool?: string, fields: object = {}) =>
  record(id, { route: '/v1/mcp/files', model: null, ...(tool !== undefined && { tool }), ...fields });

describe('the steps of a session', () => {
  test('are its requests in order, with requests to MCP servers at the call that they are of', () => {
    const steps = stepsOf(
      [
        mcp('early'),
        record('first', { toolCalls: [call('mcp__files__search'), call('search'), call('read_mail')] }),
        mcp('list'),
        mcp('one', 'files/search'),
        mcp('two', 'files/search'),
        mcp('three', 'files/search'),
        record('second'),
      ].toReversed(),
    );
    expect(steps.map(({ record: { id } }) => id)).toEqual(['early', 'first', 'second']);
    expect(steps[1]?.calls.map(({ made }) => made?.record.id)).toEqual(['one', 'two', undefined]);
    expect(steps[1]?.others.map(({ record: { id } }) => id)).toEqual(['list', 'three']);
  });

  test('have the findings on a call at the call, and all others beside', () => {
    const finding = (field: string, origin?: object) => ({
      ...{ type: 'tool_misuse', rule: 'tool-misuse/x', severity: 'high', score: 0.9, action: 'flag' },
      location: { part: 'output', message: null, field, start: 0, end: 0 },
      ...(origin !== undefined && { origin }),
    });
    const onCall = finding('b', { call: 'send', argument: 'to', user: false, sources: [], ordered: true });
    const onText = finding('a');
    const [step] = stepsOf([
      record('only', { action: 'flag', findings: [onText, onCall], toolCalls: [call('read'), call('send', 'flag')] }),
    ]);
    expect(step?.findings).toEqual([onText]);
    expect(step?.calls.map(({ findings }) => findings)).toEqual([[], [onCall]]);
  });

  test.each([
    ['passed', false, [record('a', { toolCalls: [call('read')] })]],
    ['was flagged', true, [record('a', { action: 'flag' })]],
    ['failed', true, [record('a', { state: 'failed', status: 502 })]],
    ['has a call that was blocked', true, [record('a', { toolCalls: [call('read', 'block')] })]],
    [
      'led to a call of an MCP server that was blocked',
      true,
      [mcp('b', 'files/read', { action: 'block' }), record('a')],
    ],
  ])('a step that %s is notable: %s', (_, isNotable, newestFirst) => {
    expect(stepsOf(newestFirst).map((step) => step.isNotable)).toEqual([isNotable]);
  });
});
