import { describe, expect, test } from '@jest/globals';
import type { Contract } from '../contract.ts';
import { BLOCK } from '../example-texts.ts';
import { GITHUB_TOKEN } from '../inspection/planted-secret.ts';
import { expectError, type Reply } from '../reply.ts';
import { type Event, toResponseStream } from './responses-reply.ts';

const GPT = 'gpt-4o-mini';
const CLAUDE = 'claude-sonnet-4-5';
const FLAG = 'SVC-TEST-FLAG-7f3a';
const CALL = { id: 'call_1', name: 'get_weather', arguments: '{"city":"Rome"}' };
const PATCH = { id: 'call_2', name: 'patch', arguments: '{"input":"+ one"}' };
const TOOLS = [
  { type: 'function', name: 'get_weather', parameters: { type: 'object', properties: {} } },
  { type: 'custom', name: 'patch' },
];
const RESULT = { type: 'function_call_output', call_id: 'call_1', output: 'Sunny.' };
const PATCHED = { type: 'custom_tool_call_output', call_id: 'call_2', output: 'Done.' };
const WAYS = [['whole'], ['streamed']] as const;
type Way = (typeof WAYS)[number][0];

const refer = ({ id }: { id: string }) => ({ type: 'item_reference', id });

/** Requests of the Responses API that refer to items of translated responses, which OpenAI does not store. */
export function itemReferencesContract(contract: Contract): void {
  const ask = (input: unknown, more: object = {}, key = contract.key): Promise<Reply> =>
    contract.call('/responses', JSON.stringify({ model: CLAUDE, input, tools: TOOLS, ...more }), { key });
  const stream = async (input: unknown, more: object = {}, key = contract.key) => {
    const body = { model: CLAUDE, input, tools: TOOLS, stream: true, ...more };
    return toResponseStream(await contract.fetch('/responses', JSON.stringify(body), { key }));
  };
  /** The items of a response. */
  const itemsOf = async (way: Way, more: object = {}, key = contract.key): Promise<Event[]> => {
    if (way === 'streamed') return (await stream('Hi', more, key)).response.output;
    const { status, json } = await ask('Hi', more, key);
    expect(status).toBe(200);
    return json.output;
  };
  const expectUnknown = async (item: { id: string }, key = contract.key) => {
    const before = contract.upstream.requests.length;
    const reply = await ask([{ role: 'user', content: 'Hi' }, refer(item)], {}, key);
    expectError(reply, 'not_found', 'input[1].id');
    expect(reply.json.error.message).toBe(
      `Item with id '${item.id}' not found. Send the item itself, or set \`store: false\`, so that your client sends items and not their ids.`,
    );
    expect(contract.upstream.requests).toHaveLength(before);
  };

  describe.each(WAYS)('references to the items of a translated response, %s', (way) => {
    const next = (items: readonly Event[], ...more: object[]) => [
      { role: 'user', content: 'Hi' },
      ...items.map(refer),
      ...more,
    ];

    test('are the items to a translated model', async () => {
      contract.upstream.next({ text: 'Let me see.', toolCalls: [CALL, PATCH] });
      const items = await itemsOf(way);
      expect(items.map(({ type }) => type)).toEqual(['message', 'function_call', 'custom_tool_call']);
      const { status, json } = await ask(next(items, RESULT, PATCHED));
      expect([status, json.svc.warnings, json.svc.coverage]).toMatchObject([
        200,
        undefined,
        { input: ['input[0..5]', 'tools'], skipped: [] },
      ]);
      expect(JSON.parse(contract.sent.body).messages).toMatchObject([
        { role: 'user' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Let me see.' },
            { type: 'tool_use', id: 'call_1', name: 'get_weather', input: { city: 'Rome' } },
            { type: 'tool_use', id: 'call_2', name: 'patch', input: { input: '+ one' } },
          ],
        },
        { role: 'user', content: [{ tool_use_id: 'call_1' }, { tool_use_id: 'call_2' }] },
      ]);
    });

    test('are the items to OpenAI, calls without an id that it does not know', async () => {
      contract.upstream.next({ text: 'Let me see.', toolCalls: [CALL] });
      const items = await itemsOf(way);
      const [message, { id: _, ...call }] = items;
      const { status } = await ask(next(items, RESULT), { model: GPT });
      expect([status, JSON.parse(contract.sent.body).input.slice(1)]).toEqual([200, [message, call, RESULT]]);
    });

    test('are inspected as output of the model, in their place in the input', async () => {
      contract.upstream.next({ text: `Well. ${FLAG}` });
      const items = await itemsOf(way);
      const { status, json } = await ask(next(items));
      expect([status, json.svc.detected_threats]).toMatchObject([
        200,
        [{ location: { part: 'input', field: 'input[1].content[0].text' } }],
      ]);
    });

    test('are what the caller received: with redactions', async () => {
      const push = { id: 'call_1', name: 'get_weather', arguments: JSON.stringify({ city: 'Paris' }) };
      contract.upstream.next({ text: `Take ${GITHUB_TOKEN} for it.`, toolCalls: [push] });
      const items = await itemsOf(way);
      expect((await ask(next(items, RESULT))).status).toBe(200);
      expect(JSON.parse(contract.sent.body).messages[1].content).toMatchObject([
        { text: 'Take [REDACTED_GITHUB_TOKEN] for it.' },
        { input: { city: 'Paris' } },
      ]);
    });

    test('are found by their key only', async () => {
      const [one, other] = [await contract.newKey(), await contract.newKey()];
      const [item] = await itemsOf(way, {}, one);
      await expectUnknown(item, other);
      expect((await ask([{ role: 'user', content: 'Hi' }, refer(item)], {}, one)).status).toBe(200);
    });

    test('are not found if the request had `store: false`', async () => {
      const [item] = await itemsOf(way, { store: false });
      await expectUnknown(item);
    });

    test('are not found if the response was cut', async () => {
      contract.upstream.next({ text: `All is well so far. ${BLOCK} And no more of it.` });
      const [item] = await itemsOf(way);
      expect([item.status, item.content[0].text]).toEqual(['incomplete', 'All is well so far. ']);
      await expectUnknown(item);
    });

    test('are not found if the request was refused', async () => {
      const key = await contract.newKey({ policy: { onBlock: 'refusal' } });
      const body = { model: CLAUDE, input: BLOCK, stream: way === 'streamed' };
      const text = await (await contract.fetch('/responses', JSON.stringify(body), { key })).text();
      await expectUnknown({ id: /"(msg_[0-9a-f]+)"/.exec(text)?.[1] as string }, key);
    });

    test('are found if the response ended at its limit', async () => {
      contract.upstream.next({ text: 'And so', finishReason: 'length' });
      const items = await itemsOf(way);
      expect((await ask(next(items))).status).toBe(200);
      expect(JSON.parse(contract.sent.body).messages[1].content).toMatchObject([{ text: 'And so' }]);
    });
  });

  describe('references to items of translated responses', () => {
    test('are not found if the stream failed', async () => {
      contract.upstream.next({ text: 'One two three four', failure: 'end-mid-stream', afterChunks: 5 });
      const text = await (
        await contract.fetch('/responses', JSON.stringify({ model: CLAUDE, input: 'Hi', stream: true }))
      ).text();
      expect(text).toContain('event: error');
      await expectUnknown({ id: /"(msg_[0-9a-f]+)"/.exec(text)?.[1] as string });
    });

    test('work in requests that are streamed, and for many turns', async () => {
      const input: object[] = [];
      for (let turn = 0; turn < 5; turn += 1) {
        input.push({ role: 'user', content: `Turn ${turn}` });
        contract.upstream.next({ text: `Response ${turn}` });
        const { faults, response } = await stream(input);
        expect(faults).toEqual([]);
        input.push(...response.output.map(refer));
      }
      const sent = JSON.parse(contract.sent.body).messages as { role: string; content: { text: string }[] }[];
      const said = sent.filter(({ role }) => role === 'assistant').map(({ content }) => content[0]?.text);
      expect(said).toEqual([0, 1, 2, 3].map((turn) => `Response ${turn}`));
    });

    test('reserve the tokens of the items, and not the context of the model', async () => {
      const key = await contract.newKey({ tokenLimit: { tokens: 20_000, period: 'hour' } });
      const [item] = await itemsOf('whole', { max_output_tokens: 100 }, key);
      const input = [{ role: 'user', content: 'Hi' }, refer(item)];
      expect((await ask(input, { max_output_tokens: 100 }, key)).status).toBe(200);
    });

    test.each([['/responses/input_tokens'], ['/responses/compact']])('work at %s', async (path) => {
      const [item] = await itemsOf('whole');
      const input = [{ role: 'user', content: 'Hi' }, refer(item)];
      const reply = await contract.call(path, JSON.stringify({ model: GPT, input }));
      expect([reply.status, JSON.parse(contract.sent.body).input[1]]).toEqual([200, item]);
    });

    test('are no ids of OpenAI: a translated model refuses those', async () => {
      const { json } = await ask('Hi', { model: GPT });
      const reply = await ask([{ role: 'user', content: 'Hi' }, refer(json.output[0])]);
      expectError(reply, 'invalid_value', 'input[1]');
      expect(reply.json.error.message).toContain('it stores no items. Set `store: false`');
    });
  });
}
