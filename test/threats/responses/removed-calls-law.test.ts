import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CallGate } from '../../../functions/inspection/calls/call-gate.ts';
import { answersOf, blocksWith, namesIn } from '../../fuzz/hostile-calls.ts';
import { byDayOrNight } from '../../support/night.ts';
import { type Block, CALL_APIS } from './called-tools.ts';
import { API_NAMES, type ApiName, FORMATS, released, textSent, toText } from './released-calls.ts';

const REMOVED = '[removed]';
const RUNS = byDayOrNight(40, 1000);

/** Removes the calls of `danger`. `inspected`: gets the calls that it has seen. */
const removing = (inspected: string[] = []): Parameters<typeof released>[3] => ({
  isReady: true,
  prepare: async () => {},
  skipHosted: () => {},
  decide: async () => ({ onSent: () => {} }),
  skip: () => REMOVED,
  mayRemove: (tool) => ['', 'danger', 'write'].includes(tool),
  *inspect(call) {
    inspected.push(`${call.name} ${call.arguments}`);
    yield;
    return call.name === 'danger' ? { text: REMOVED } : 'send';
  },
});

/** Removes the calls of `danger` from a response that arrives in pieces. */
function passed(name: ApiName, blocks: readonly Block[], size: number | undefined) {
  const api = CALL_APIS[name];
  const answer = size === undefined ? api.whole(blocks) : api.streamed(blocks, size);
  const inspected: string[] = [];
  const sent = released(name, String(answer.body), size !== undefined, removing(inspected));
  return { ...api.read(sent.map((json) => JSON.parse(json))), inspected };
}

const call = (name: fc.Arbitrary<string>) =>
  fc.record({
    name,
    args: fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.string({ minLength: 1 }), { minKeys: 1 }),
  });
const blocksArbitrary = fc.array(
  fc.oneof(fc.constantFrom<Block>('Let me see.', 'Done. '), call(fc.constantFrom('read', 'write', 'danger'))),
  { minLength: 1, maxLength: 6 },
);

describe.each(API_NAMES)('removed calls of %s', (name) => {
  it('are the same for any split of the response, and whole', () => {
    fc.assert(
      fc.property(blocksArbitrary, fc.integer({ min: 1, max: 40 }), (blocks, size) => {
        const made = blocks.filter((block) => typeof block !== 'string');
        const kept = made.filter((block) => block.name !== 'danger');
        const texts = blocks.map((block) =>
          typeof block === 'string' ? block : block.name === 'danger' ? REMOVED : '',
        );
        for (const one of [passed(name, blocks, size), passed(name, blocks, undefined)]) {
          expect(one.blocks.filter((block) => typeof block !== 'string')).toEqual(kept);
          const said = one.blocks.filter((block) => typeof block === 'string').join('');
          // A message of chat completions has its texts in one place, and blank lines before those of removed calls.
          const letters = (text: string) => [...text.replace(/\s/g, '')].sort().join('');
          expect(letters(said)).toBe(letters(texts.join('')));
          expect(one.inspected).toHaveLength(made.length);
        }
      }),
    );
  });
});

describe.each(API_NAMES)('broken responses of %s', (name) => {
  it.each([undefined, 3, 1000])('never have a removed call, whatever is doubled, changed or moved (%s)', (size) => {
    const streams = size !== undefined;
    const bodies = blocksWith('danger').chain((blocks) => answersOf(name, blocks, size));
    fc.assert(
      fc.property(bodies, (body) => {
        expect(namesIn(toText(released(name, body, streams, removing()), streams))).not.toContain('danger');
      }),
      { numRuns: RUNS },
    );
  });
});

describe('a call of a broken response', () => {
  const namesSent = (name: ApiName, body: string | readonly object[]) => namesIn(textSent(name, body, removing()));
  const chunk = (call: object) => ({
    id: 'c1',
    choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] } }],
  });
  const end = { id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };

  it.each([
    ['later', { arguments: '' }, { name: 'danger', arguments: '{}' }],
    ['in pieces', { name: 'dan', arguments: '' }, { name: 'ger', arguments: '{}' }],
    ['otherwise', { name: 'read', arguments: '' }, { name: 'danger', arguments: '{}' }],
  ])('is removed: %s, in chunks', (_, first, second) => {
    const chunks = [chunk({ id: 'a', function: first }), chunk({ function: second }), end];
    expect(namesSent('chat', chunks)).not.toContain('danger');
  });

  it('is sent if no name of it may be removed', () => {
    const chunks = [
      chunk({ id: 'a', function: { arguments: '' } }),
      chunk({ function: { name: 'read', arguments: '{}' } }),
      end,
    ];
    expect(namesSent('chat', chunks)).toContain('read');
  });

  it('is removed: otherwise in the whole response than in its events', () => {
    const item = (name: string) => ({ id: 'fc_0', type: 'function_call', call_id: 'a', name, arguments: '{}' });
    const events = [
      { type: 'response.output_item.added', output_index: 0, item: item('read') },
      { type: 'response.output_item.done', output_index: 0, item: item('read') },
      { type: 'response.completed', response: { id: 'resp_1', output: [item('danger')] } },
    ];
    expect(namesSent('responses', events)).not.toContain('danger');
  });

  it('is removed: by two blocks with the same index', () => {
    const start = (name: string) => ({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: name, name, input: {} },
    });
    const stop = { type: 'content_block_stop', index: 0 };
    expect(namesSent('messages', [start('read'), stop, start('danger'), stop])).not.toContain('danger');
  });

  it('is removed beside a candidate that is none', () => {
    const { candidates } = JSON.parse(String(CALL_APIS.gemini.whole([{ name: 'danger', args: {} }]).body));
    expect(namesSent('gemini', JSON.stringify({ candidates: [...candidates, null] }))).not.toContain('danger');
  });

  it.each(['messages', 'responses'] as const)('is removed from a whole response with an unknown type: %s', (name) => {
    const { body } = CALL_APIS[name].whole([{ name: 'danger', args: {} }]);
    expect(namesSent(name, JSON.stringify({ ...JSON.parse(String(body)), type: 'other' }))).not.toContain('danger');
  });
});

it('a held call is removed without inspection once the CPU budget is used up', () => {
  const call = (name: string) => ({ name, args: { to: 'a' } });
  const format = FORMATS.chat(false);
  const gate = new CallGate(format.calls as NonNullable<typeof format.calls>, {
    ...removing(),
    mayRemove: () => true,
    *inspect() {
      yield;
      return 'send';
    },
  });
  const { body } = CALL_APIS.chat.whole([call('first'), call('second')]);
  const steps = gate.pushSteps(format.readPiece(String(body)));
  let step = steps.next(true);
  while (!step.done) step = steps.next(true);
  const received = CALL_APIS.chat.read(step.value.map(({ json }) => JSON.parse(json)));
  expect(received.blocks).toEqual([REMOVED, call('first')]);
});
