import { describe, expect, test } from '@jest/globals';
import type { Contract } from '../contract.ts';
import { expectMessagesError } from './messages-reply.ts';
import { GPT, messagesCalls, saying, TOOLS } from './messages-requests.ts';

/** Anthropic's Messages API with providers of other protocols. */
export function messagesTranslationContract(contract: Contract): void {
  const { ask } = messagesCalls(contract);

  describe('to a provider of another protocol', () => {
    test('a conversation is sent completely', async () => {
      const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
      const messages = [
        { role: 'user', content: [{ type: 'text', text: 'Look', cache_control: { type: 'ephemeral' } }, image] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I do.' },
            { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Rome' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content: 'No network' },
            { type: 'text', text: 'And now?' },
          ],
        },
      ];
      const tool_choice = { type: 'tool', name: 'get_time', disable_parallel_tool_use: true };
      const more = {
        system: 'Be brief.',
        tools: TOOLS,
        tool_choice,
        stop_sequences: ['END'],
        temperature: 0.5,
        metadata: { user_id: 'u-1' },
      };
      await ask({ model: GPT, max_tokens: 99, messages, ...more });
      expect(contract.sent.path).toBe('/v1/chat/completions');
      expect(contract.sent.json).toEqual({
        model: GPT,
        messages: [
          { role: 'system', content: 'Be brief.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Look' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
            ],
          },
          {
            role: 'assistant',
            content: 'I do.',
            tool_calls: [
              { id: 'toolu_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } },
            ],
          },
          {
            role: 'tool',
            tool_call_id: 'toolu_1',
            content: [
              { type: 'text', text: 'The tool failed:' },
              { type: 'text', text: 'No network' },
            ],
          },
          { role: 'user', content: 'And now?' },
        ],
        tools: TOOLS.map(({ name, input_schema }) => ({
          type: 'function',
          function: { name, parameters: input_schema },
        })),
        tool_choice: { type: 'function', function: { name: 'get_time' } },
        parallel_tool_calls: false,
        stop: ['END'],
        temperature: 0.5,
        max_completion_tokens: 99,
        user: 'u-1',
      });
    });

    test.each<[string, object]>([
      ['thinking', saying('Hi', GPT, { thinking: { type: 'enabled', budget_tokens: 1024 } })],
      ['top_k', saying('Hi', GPT, { top_k: 5 })],
      ['tools[0]', saying('Hi', GPT, { tools: [{ type: 'web_search_20260318', name: 'web_search' }] })],
    ])('what only tunes the response is dropped with a warning: %s', async (field, body) => {
      const { status, json } = await ask(body);
      expect([status, json.svc.warnings]).toMatchObject([200, [{ code: 'field_dropped', field }]]);
    });

    test.each<[string, object]>([
      ['tools[0]', saying('Hi', GPT, { tools: [{ type: 'bash_20250124', name: 'bash' }] })],
      ['container', saying('Hi', GPT, { container: 'c' })],
      [
        'messages[0].content[1].context',
        saying(
          [
            { type: 'text', text: 'a' },
            { type: 'document', context: 'c', source: { type: 'text', media_type: 'text/plain', data: 'd' } },
          ],
          GPT,
        ),
      ],
    ])('what changes the result and has no place there is refused by its name: %s', async (param, body) => {
      const before = contract.upstream.requests.length;
      expectMessagesError(await ask(body), 400, 'invalid_request_error', 'invalid_value', param);
      expect(contract.upstream.requests).toHaveLength(before);
    });

    test('default values are left out without a warning', async () => {
      const { status, json } = await ask(saying('Hi', GPT, { service_tier: 'auto', thinking: { type: 'disabled' } }));
      expect([status, json.svc.warnings]).toEqual([200, undefined]);
    });
  });
}
