import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CallGate } from '../../../functions/inspection/calls/call-gate.ts';
import { GatewayError } from '../../../functions/kernel/errors/index.ts';
import type { ChatRequest, ResponsePiece, SecurityInfo } from '../../../functions/kernel/model/index.ts';
import { finish } from '../../../functions/kernel/tasks/index.ts';
import type { ResponseFormat } from '../../../functions/translation/index.ts';
import { MessagesResponseFormat } from '../../../functions/translation/protocols/anthropic-messages/messages-response-format.ts';
import { GeminiResponseFormat } from '../../../functions/translation/protocols/gemini/gemini-response-format.ts';
import { ChatResponseFormat } from '../../../functions/translation/protocols/openai-chat/chat-response-format.ts';
import { ResponsesResponseFormat } from '../../../functions/translation/protocols/openai-responses/responses-response-format.ts';
import { answersOf, blocksWith, namesIn } from '../../fuzz/hostile-calls.ts';
import { byDayOrNight } from '../../support/night.ts';
import { type Block, CALL_APIS } from './called-tools.ts';

const HEAD = { requestId: 'req_1', created: 1, model: 'm' };
const REMOVED = '[removed]';
const RUNS = byDayOrNight(40, 1000);
const requestOf = (stream: boolean): ChatRequest => ({
  ...{ model: 'm', messages: [], choiceCount: 1, includeUsage: false, others: [] },
  stream,
});
const FORMATS: Readonly<Record<keyof typeof CALL_APIS, (streams: boolean) => ResponseFormat>> = {
  chat: (streams) => new ChatResponseFormat(requestOf(streams), HEAD),
  responses: (streams) => {
    const body = { model: 'm', input: 'Hi' };
    return new ResponsesResponseFormat(requestOf(streams), HEAD, { asked: body, sent: body });
  },
  messages: (streams) => new MessagesResponseFormat(requestOf(streams), HEAD),
  gemini: (streams) => new GeminiResponseFormat(requestOf(streams), HEAD),
};
const SVC = { action: 'allow' } as unknown as SecurityInfo;

/** Removes the calls of `danger` from a response that arrives in pieces. */
function passed(name: keyof typeof CALL_APIS, blocks: readonly Block[], size: number | undefined) {
  const api = CALL_APIS[name];
  const answer = size === undefined ? api.whole(blocks) : api.streamed(blocks, size);
  const { sent, inspected } = released(name, String(answer.body), size !== undefined);
  return { ...api.read(sent.map((json) => JSON.parse(json))), inspected };
}

/** What is sent of the body of a response, without the calls of `danger`. */
function released(name: keyof typeof CALL_APIS, body: string, streams: boolean) {
  const format = FORMATS[name](streams);
  const inspected: string[] = [];
  const gate = new CallGate(format.calls as NonNullable<typeof format.calls>, {
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
  const release = (pieces: readonly ResponsePiece[]) =>
    pieces.flatMap((piece) => (streams ? (format.release(piece, false, () => SVC) ?? []) : piece.json));
  const jsons = streams ? body.split('\n').flatMap((line) => line.split(/^data: /)[1] ?? []) : [body];
  const sent: string[] = [];
  try {
    for (const json of jsons.filter((one) => one !== '[DONE]')) {
      const piece = format.readPiece(json);
      if (piece.fault !== undefined) return { sent, inspected };
      sent.push(...release(finish(gate.pushSteps(piece))));
    }
    sent.push(...release(gate.end(false)));
  } catch (error) {
    // An invalid response ends with an error.
    if (!(error instanceof SyntaxError || error instanceof RangeError || error instanceof GatewayError)) throw error;
  }
  return { sent, inspected };
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
const NAMES = Object.keys(CALL_APIS) as (keyof typeof CALL_APIS)[];

describe.each(NAMES)('removed calls of %s', (name) => {
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

describe.each(NAMES)('broken responses of %s', (name) => {
  it.each([undefined, 3, 1000])('never have a removed call, whatever is doubled, changed or moved (%s)', (size) => {
    const streams = size !== undefined;
    const bodies = blocksWith('danger').chain((blocks) => answersOf(name, blocks, size));
    fc.assert(
      fc.property(bodies, (body) => {
        const { sent } = released(name, body, streams);
        const text = streams ? sent.map((json) => `data: ${json}\n\n`).join('') : (sent[0] ?? '');
        expect(namesIn(text)).not.toContain('danger');
      }),
      { numRuns: RUNS },
    );
  });
});

describe('a call of a broken response', () => {
  const textOf = (events: readonly object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  const namesSent = (name: keyof typeof CALL_APIS, body: string | readonly object[]) => {
    const streams = typeof body !== 'string';
    const { sent } = released(name, streams ? textOf(body) : body, streams);
    return namesIn(streams ? textOf(sent.map((json) => JSON.parse(json))) : (sent[0] ?? ''));
  };
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
    isReady: true,
    prepare: async () => {},
    skipHosted: () => {},
    decide: async () => ({ onSent: () => {} }),
    skip: () => REMOVED,
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
