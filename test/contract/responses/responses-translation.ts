import { describe, expect, test } from '@jest/globals';
import type { Contract } from '../contract.ts';
import { expectError } from '../reply.ts';
import type { Event } from './responses-reply.ts';
import { asking, CLAUDE, responsesCalls, TOOLS } from './responses-requests.ts';

/** OpenAI's Responses API with providers of other APIs. */
export function responsesTranslationContract(contract: Contract): void {
  const { ask } = responsesCalls(contract);

  describe('to a provider of another API', () => {
    test.each([
      ['previous_response_id', { previous_response_id: 'resp_1' }],
      ['background', { background: true }],
      ['tools[1]', { tools: [TOOLS[0], { type: 'computer' }] }],
      ['include', { include: ['message.output_text.logprobs'] }],
      ['input[0]', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
      ['input[0].content[0]', { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file-1' }] }] }],
      ['text.format', { text: { format: { type: 'grammar' } } }],
    ])('what it lacks and changes the result is a 400 that names %s', async (param, fields) => {
      expectError(await ask({ ...asking('Hi', CLAUDE), ...fields }), 'invalid_value', param);
    });

    test.each([
      ['store', 'field_dropped', { store: true }],
      ['tools[1]', 'field_dropped', { tools: [TOOLS[0], { type: 'web_search' }] }],
      ['truncation', 'field_dropped', { truncation: 'auto' }],
      ['reasoning.summary', 'field_dropped', { reasoning: { summary: 'auto' } }],
      ['x_new', 'field_dropped', { x_new: 1 }],
      ['text.format', 'field_adjusted', { text: { format: { type: 'json_object' } } }],
    ])('a hint that it lacks is a warning that names %s', async (field, code, fields) => {
      const { status, json } = await ask({ ...asking('Hi', CLAUDE), ...fields });
      expect([status, json.svc.warnings]).toMatchObject([200, [{ field, code }]]);
    });

    test('fields without effect are accepted', async () => {
      const fields = {
        store: false,
        background: false,
        truncation: 'disabled',
        service_tier: 'auto',
        metadata: { a: 'b' },
        include: ['reasoning.encrypted_content'],
        text: { format: { type: 'text' }, verbosity: 'medium' },
        previous_response_id: null,
      };
      const { status, json } = await ask(asking('Hi', CLAUDE, fields));
      expect([status, json.store, json.metadata]).toEqual([200, false, { a: 'b' }]);
    });

    test('instructions and turns are sent', async () => {
      const input = [
        { role: 'user', content: 'One' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Two', annotations: [] }] },
        { role: 'user', content: [{ type: 'input_text', text: 'Three' }] },
      ];
      await ask(asking(input, CLAUDE, { instructions: 'Count.', max_output_tokens: 9, temperature: 0.5 }));
      const { system, messages, max_tokens, temperature } = contract.sent.json as Event;
      expect([JSON.stringify(system), messages.map(({ role }: Event) => role), max_tokens, temperature]).toEqual([
        expect.stringContaining('Count.'),
        ['user', 'assistant', 'user'],
        9,
        0.5,
      ]);
    });
  });
}
