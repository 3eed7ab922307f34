import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ToolCall } from '../../../kernel/model/index.ts';
import { encodeResponse, responseHead } from './responses-encoder.ts';
import { idsOfItem } from './responses-ids.ts';
import { RESPONSES_ITEMS, responseOfItem, toItemId } from './responses-items.ts';
import type { ResponsesRequest } from './responses-schema.ts';

const HEX = '0123456789abcdef0123456789abcdef';
const { references, toInput, outputOf, isKept } = RESPONSES_ITEMS;
const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32 });

function encoded(requestId: string, text: string | null, toolCalls: readonly ToolCall[]) {
  const asked = { model: 'm', input: 'Hi', tools: [{ type: 'custom', name: 'patch' }] } as unknown as ResponsesRequest;
  const head = responseHead({ requestId, created: 1, model: 'm' }, asked);
  const choices = [{ index: 0, text, toolCalls, finishReason: 'stop' as const }];
  return encodeResponse({ id: 'x', model: 'm', choices, usage: {} }, head) as {
    output: { id: string; type: string }[];
  };
}

describe('the id of an item', () => {
  it('leads to its response, whatever the digits of both', () => {
    const prefixes = fc.constantFrom('msg' as const, 'rs' as const, 'fc' as const, 'ctc' as const);
    fc.assert(
      fc.property(prefixes, hex, fc.nat(999_999), (prefix, response, at) => {
        expect(responseOfItem(toItemId(prefix, response, at))).toBe(response);
      }),
    );
  });

  it('leads to its response for each item of a translated response', () => {
    const calls = ['get', 'patch', 'get'].map((name, at) => ({ id: `call_${at}`, name, arguments: '{}' }));
    const { output } = encoded(`req_${HEX}`, 'Well', calls);
    expect(output.map(({ id }) => id)).toEqual([`msg_${HEX}0`, `fc_${HEX}1`, `ctc_${HEX}2`, `fc_${HEX}3`]);
    expect(output.map(({ id }) => responseOfItem(id))).toEqual([HEX, HEX, HEX, HEX]);
  });

  it.each([
    ['msg_67ccd3acc8d48190a77525dc6de64b4104becb25c45c1d42', "OpenAI's"],
    [`msg_${'1'.repeat(48)}`, 'as long as one of OpenAI, with digits only'],
    [`msg_${HEX}`, 'without an index'],
    [`msg_${HEX}01`, 'with another form of its index'],
    [`msg_${HEX}1 `, 'with a space'],
    [`MSG_${HEX}1`, 'in capitals'],
    [`msg_${HEX.toUpperCase()}1`, 'with digits in capitals'],
    [`ws_${HEX}1`, 'of an item that no translated response has'],
    [`resp_${HEX}`, 'of a response'],
    ['', 'empty'],
  ])('is not ours: %s (%s)', (id) => {
    expect(responseOfItem(id)).toBeUndefined();
  });
});

it('does not name reasoning that a translated response has as text: no provider knows it', () => {
  const ours = { id: `rs_${HEX}0`, type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Hm' }] };
  expect([ours, { ...ours, content: [] }].flatMap((item) => idsOfItem(item, true))).toEqual([]);
  const stored = { id: `rs_${'1'.repeat(48)}`, type: 'reasoning', summary: [] };
  expect(idsOfItem(stored, false)).toEqual([stored.id]);
});

describe('references', () => {
  const id = `fc_${HEX}3`;

  it('are found with their place, with and without their type', () => {
    const input = [{ role: 'user', content: 'Hi' }, { type: 'item_reference', id }, { id }, { type: null, id }];
    expect(references({ model: 'm', input })).toEqual(
      [1, 2, 3].map((at) => ({ id, what: 'Item', param: `input[${at}].id`, responseId: HEX, path: ['input', at] })),
    );
  });

  it.each([
    [{ type: 'function_call', id, call_id: 'c', name: 'n', arguments: '{}' }],
    [{ role: 'assistant', id, content: 'Hi' }],
    [{ type: 'item_reference', id: 'msg_1' }],
    [{ type: 'item_reference', id: [id] }],
    [{ type: 'item_reference' }],
    [{ type: 7, id }],
    [null],
    [id],
  ])('are no other items: %j', (item) => {
    expect(references({ input: [item] })).toEqual([]);
  });

  it.each([[null], [[]], [{}], [{ input: id }], [{ input: { 0: { id } } }]])('are none in %j', (body) => {
    expect(references(body)).toEqual([]);
  });
});

describe('an item as input', () => {
  it('has its id only where OpenAI requires one', () => {
    const message = { id: `msg_${HEX}0`, type: 'message', role: 'assistant', content: [] };
    expect(toInput(message)).toEqual(message);
    const call = { id: `fc_${HEX}1`, type: 'function_call', call_id: 'c', name: 'n', arguments: '{}' };
    expect(toInput(call)).toEqual({ type: 'function_call', call_id: 'c', name: 'n', arguments: '{}' });
  });
});

describe('the items of a response', () => {
  const output = [{ id: `msg_${HEX}0`, type: 'message' }];

  it.each([
    ['a whole one', { object: 'response', output }, output],
    ['the end of a stream', { type: 'response.completed', response: { output } }, output],
    ['an end at the limit', { type: 'response.incomplete', response: { output } }, output],
    ['any other event', { type: 'response.output_item.done', item: output[0] }, []],
  ])('are those of %s', (_, body, expected) => {
    expect(outputOf(JSON.stringify(body))).toEqual(expected);
  });

  it.each([
    [undefined, true],
    [null, true],
    [true, true],
    [false, false],
  ])('are kept if `store` is %s: %s', (store, expected) => {
    expect(isKept({ store } as ResponsesRequest)).toBe(expected);
  });
});
