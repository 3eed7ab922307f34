import { expect, it } from '@jest/globals';
import type { ChatDelta, OutputItem } from '../kernel/model/index.ts';
import { findSigned, SignedReasoning, withSigned } from './signed-reasoning.ts';

type Deps = Parameters<typeof findSigned>[4];
const TARGET = { provider: 'anthropic', model: 'claude-x' };
const SCOPE = { targets: [TARGET], operation: 'openai-chat' as const };
const block = { type: 'thinking', signature: 's' };
const DELTAS: readonly ChatDelta[] = [
  { type: 'start', id: 'r', model: 'm' },
  { type: 'text', choice: 0, text: 'Hm' },
  { type: 'signed', choice: 0, block },
  { type: 'tool_call', choice: 0, index: 0, id: 'c1', name: 'f' },
  { type: 'finish', choice: 0, reason: 'tool_calls' },
];

function world({ signs = true, isNative = false, sealed = true, fails = false } = {}) {
  const kept: { readonly id: string; readonly items: readonly OutputItem[]; readonly endUserId: string | null }[] = [];
  const asked: string[][] = [];
  const notes: string[] = [];
  const deps = {
    maxBodyBytes: 1000,
    providers: { get: () => ({ signs: () => signs }) },
    router: { isNative: () => isNative },
    storedItems: {
      keep: async (_: unknown, response: (typeof kept)[number]) => {
        if (fails) throw new RangeError('too large');
        kept.push(response);
      },
      find: async (_: unknown, ids: ReadonlySet<string>) => {
        asked.push([...ids]);
        if (fails) throw new RangeError('too large');
        const items = kept.filter(({ id }) => ids.has(id)).flatMap((one) => one.items);
        return new Map(items.map((item) => [item.id as string, item]));
      },
    },
  } as unknown as Deps;
  const context = {
    key: { id: 'key_1' },
    tracking: { endUserId: 'ann' },
    ...(sealed && { sealerFor: () => undefined }),
  } as unknown as Parameters<typeof findSigned>[0];
  const note = (text: string) => void notes.push(text);
  const find = (...ids: string[]) =>
    findSigned(context, { request: { messages: ids.map(turn) } } as never, SCOPE, note, deps);
  const keep = async (deltas: readonly ChatDelta[] = DELTAS) => {
    const reasoning = new SignedReasoning(TARGET);
    const watched = reasoning.watch({ kind: 'translated-stream', deltas: arriving(deltas) });
    if (watched.kind === 'translated-stream') for await (const _ of watched.deltas);
    await reasoning.keep(context, note, deps);
    await reasoning.keep(context, note, deps);
  };
  return { kept, asked, notes, find, keep };
}

async function* arriving(deltas: readonly ChatDelta[]): AsyncGenerator<readonly ChatDelta[]> {
  yield deltas;
}

function turn(id: string) {
  return { role: 'assistant', parts: [], toolCalls: [{ id, name: 'f', arguments: '{}' }] } as const;
}

it('is stored once under the first call, and goes to the model that signed it', async () => {
  const { kept, find, keep, notes } = world();
  await keep();
  expect(kept).toMatchObject([{ id: 'call c1', endUserId: 'ann' }]);
  const request = { model: 'm', messages: [turn('c1'), turn('c2')], stream: false, includeUsage: true };
  const asked = { ...request, choiceCount: 1, others: [] };
  const turns = await find('c1', 'c2');
  const signedFor = (target: typeof TARGET) => withSigned(asked, turns, target).messages.map(({ signed }) => signed);
  expect(signedFor(TARGET)).toEqual([[{ block, text: 2, calls: 0 }], undefined]);
  expect(signedFor({ ...TARGET, model: 'claude-y' })).toEqual([undefined, undefined]);
  expect(signedFor({ ...TARGET, provider: 'bedrock' })).toEqual([undefined, undefined]);
  expect(notes).toEqual([]);
});

it('is stored of turns with calls only', async () => {
  const { kept, keep } = world();
  await keep(DELTAS.filter(({ type }) => type !== 'tool_call'));
  await keep(DELTAS.filter(({ type }) => type !== 'signed'));
  expect(kept).toEqual([]);
});

it('is read for the last 100 turns', async () => {
  const { asked, find } = world();
  const ids = Array.from({ length: 150 }, (_, at) => `c${at}`);
  await find(...ids);
  expect(asked).toEqual([ids.slice(50).map((id) => `call ${id}`)]);
});

it.each([
  ['no target signs', { signs: false }],
  ['nothing is translated', { isNative: true }],
  ['nothing can be sealed for the caller', { sealed: false }],
])('is not read if %s', async (_, settings) => {
  const { asked, find } = world(settings);
  expect([(await find('c1')).size, asked]).toEqual([0, []]);
});

it('is not read for a request without calls', async () => {
  const { asked, find } = world();
  expect([(await find()).size, asked]).toEqual([0, []]);
});

it('is left out with a note if the store fails', async () => {
  const { find, keep, notes } = world({ fails: true });
  await keep();
  expect((await find('c1')).size).toBe(0);
  expect(notes).toEqual(['signed reasoning not stored: too large', 'signed reasoning not read: too large']);
});
