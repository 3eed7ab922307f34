import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CallGate } from '../../../functions/inspection/calls/call-gate.ts';
import type { ChatRequest, ResponsePiece, SecurityInfo } from '../../../functions/kernel/model/index.ts';
import { finish } from '../../../functions/kernel/tasks/index.ts';
import type { ResponseFormat } from '../../../functions/translation/index.ts';
import { MessagesResponseFormat } from '../../../functions/translation/protocols/anthropic-messages/messages-response-format.ts';
import { GeminiResponseFormat } from '../../../functions/translation/protocols/gemini/gemini-response-format.ts';
import { ChatResponseFormat } from '../../../functions/translation/protocols/openai-chat/chat-response-format.ts';
import { ResponsesResponseFormat } from '../../../functions/translation/protocols/openai-responses/responses-response-format.ts';
import { jsonsIn } from './answer-formats.ts';
import { type Block, CALL_APIS } from './called-tools.ts';

const HEAD = { requestId: 'req_1', created: 1, model: 'm' };
const REMOVED = '[removed]';
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
  const streams = size !== undefined;
  const format = FORMATS[name](streams);
  const inspected: string[] = [];
  const gate = new CallGate(format.calls as NonNullable<typeof format.calls>, {
    isReady: true,
    prepare: async () => {},
    skipHosted: () => {},
    skipCostly: () => REMOVED,
    decide: async () => ({ onSent: () => {} }),
    mayRemove: (tool) => tool !== 'read',
    *inspect(call) {
      inspected.push(`${call.name} ${call.arguments}`);
      yield;
      return call.name === 'danger' ? { text: REMOVED } : 'send';
    },
  });
  const release = (pieces: readonly ResponsePiece[]) =>
    pieces.flatMap((piece) => (streams ? (format.release(piece, false, () => SVC) ?? []) : piece.json));
  const answer = streams ? api.streamed(blocks, size) : api.whole(blocks);
  const jsons = jsonsIn(String(answer.body)).map((json) => JSON.stringify(json));
  const sent = jsons.flatMap((json) => release(finish(gate.pushSteps(format.readPiece(json)))));
  const rest = release(finish(gate.endSteps(false)));
  return { ...api.read([...sent, ...rest].map((json) => JSON.parse(json))), inspected };
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

it('a held call is removed without inspection once the CPU budget is used up', () => {
  const call = (name: string) => ({ name, args: { to: 'a' } });
  const format = FORMATS.chat(false);
  const gate = new CallGate(format.calls as NonNullable<typeof format.calls>, {
    isReady: true,
    prepare: async () => {},
    skipHosted: () => {},
    skipCostly: () => REMOVED,
    decide: async () => ({ onSent: () => {} }),
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
