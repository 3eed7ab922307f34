import { describe, expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import * as z from 'zod';
import type { Contract } from '../contract.ts';
import { BLOCK, CLEAN, CUT, KEPT, LEAK } from '../example-texts.ts';
import { GITHUB_TOKEN } from '../inspection/planted-secret.ts';
import { expectError, UNSUSPICIOUS } from '../reply.ts';
import type { Event } from './responses-reply.ts';
import { asking, CALLS, CLAUDE, expectGood, GPT, MODELS, PROMPT, responsesCalls, TOOLS } from './responses-requests.ts';

/** OpenAI's Responses API, with OpenAI and with other providers. */
export function responsesContract(contract: Contract): void {
  const { ask, stream } = responsesCalls(contract);

  describe.each(MODELS)('a response of %s', (model) => {
    test('is complete, with svc and the usual headers', async () => {
      const { status, json, headers } = await ask(asking(PROMPT, model), { headers: { 'x-session-id': 'a trip' } });
      expect(status).toBe(200);
      expect(json).toMatchObject({
        id: expect.stringMatching(/^resp_\w{20,}$/),
        object: 'response',
        status: 'completed',
        model,
        error: null,
        incomplete_details: null,
        output: [
          { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: PROMPT }] },
        ],
        svc: {
          threat_score: UNSUSPICIOUS,
          action: 'allow',
          request_id: headers.get('x-request-id'),
          session_id: 'a trip',
          coverage: { input: ['input'], output: ['output[0]'], skipped: [] },
        },
      });
      const { input_tokens: input, output_tokens: output, total_tokens: total } = json.usage;
      expect([input > 0, output > 0, total]).toEqual([true, true, input + output]);
      expect(headers.get('x-ratelimit-limit-requests')).toBe('1000000');
    });

    test('is streamed as events, with svc in the last one', async () => {
      const reply = await stream(asking(PROMPT, model, { instructions: 'Be kind.', metadata: { a: 'b' } }));
      expectGood(reply);
      expect(reply.deltas).toEqual({ 'output[0].content[0].text': PROMPT });
      expect(reply.events.map(({ type }) => type).join(' ')).toMatch(
        /^response\.created response\.in_progress response\.output_item\.added response\.content_part\.added( response\.output_text\.delta)+ response\.output_text\.done response\.content_part\.done response\.output_item\.done response\.completed$/,
      );
      expect(reply.events[0].response).toMatchObject({ status: 'in_progress', output: [], instructions: 'Be kind.' });
      expect(reply.response).toMatchObject({
        status: 'completed',
        metadata: { a: 'b' },
        usage: { total_tokens: expect.any(Number) },
        svc: { action: 'allow', request_id: reply.headers.get('x-request-id') },
      });
    });

    test("is blocked with the field's name, or refused if the policy is set so", async () => {
      const items = [
        { role: 'user', content: 'fine' },
        { role: 'user', content: [{ type: 'input_text', text: BLOCK }] },
      ];
      const blocked = await ask(asking(items, model));
      expectError(blocked, 'content_filter', 'input[1].content[0].text');
      const key = await contract.newKey({ policy: { onBlock: 'refusal' } });
      const { status, json } = await ask(asking(BLOCK, model), { key });
      const refused = {
        status: 'incomplete',
        incomplete_details: { reason: 'content_filter' },
        output: [{ type: 'message', content: [{ type: 'refusal', refusal: expect.stringMatching(/declined/) }] }],
        svc: { action: 'block' },
      };
      expect([status, json]).toMatchObject([200, refused]);
      const streamed = await stream(asking(BLOCK, model), { key });
      expectGood(streamed);
      expect(streamed.response).toMatchObject(refused);
    });

    test('is read by the official client, whole and streamed', async () => {
      const client = contract.client();
      const whole = await client.responses.create({ model, input: PROMPT });
      expect([whole.output_text, whole.status]).toEqual([PROMPT, 'completed']);
      const running = client.responses.stream({ model, input: [{ role: 'user', content: PROMPT }] });
      let text = '';
      running.on('response.output_text.delta', ({ delta }) => {
        text += delta;
      });
      const final = await running.finalResponse();
      expect([text, final.output_text, final.usage?.total_tokens]).toEqual([PROMPT, PROMPT, expect.any(Number)]);
    });
  });

  describe.each([[GPT], [CLAUDE]])('in a response of %s', (model) => {
    test('parallel tool calls arrive, whole and streamed, and their results are sent', async () => {
      const expected = CALLS.map(({ id, name, arguments: text }) => ({
        type: 'function_call',
        call_id: id,
        name,
        arguments: JSON.parse(text),
        status: 'completed',
      }));
      const read = (items: readonly Event[]) =>
        items.slice(1).map((item) => ({ ...item, arguments: JSON.parse(item.arguments) }));
      const client = contract.client();
      contract.upstream.next({ text: 'Let me see.', toolCalls: CALLS });
      const whole = await client.responses.create({ model, input: 'Hi', tools: TOOLS, store: false });
      expect(read(whole.output)).toMatchObject(expected);
      contract.upstream.next({ text: 'Let me see.', toolCalls: CALLS });
      const reply = await stream(asking('Hi', model, { tools: TOOLS, tool_choice: 'required' }));
      expectGood(reply);
      expect(read(reply.response.output)).toMatchObject(expected);
      const results = CALLS.map(({ id }) => ({ type: 'function_call_output' as const, call_id: id, output: 'sunny' }));
      const said = whole.output as OpenAI.Responses.ResponseInputItem[];
      const input = [{ role: 'user' as const, content: 'Hi' }, ...said, ...results];
      const after = await client.responses.create({ model, input, tools: TOOLS, store: false });
      expect([after.output_text, after.status]).toEqual(['Hi', 'completed']);
    });

    test('a secret is removed from text, and blocks a tool call, whole and streamed', async () => {
      const push = { id: 'call_1', name: 'push', arguments: JSON.stringify({ data: GITHUB_TOKEN }) };
      const behaviour = { text: LEAK, toolCalls: [push] };
      contract.upstream.next(behaviour);
      const { json, text } = await ask(asking('Hi', model));
      expect(json.output[0].content[0].text).toBe(CLEAN);
      expect([json.output.length, json.status, json.svc.action]).toEqual([1, 'incomplete', 'block']);
      expect(text).not.toContain(GITHUB_TOKEN);
      for (const bytesPerWrite of [1, 7, 10_000]) {
        contract.upstream.next({ ...behaviour, bytesPerWrite });
        const reply = await stream(asking('Hi', model));
        expectGood(reply);
        expect(reply.deltas['output[0].content[0].text']).toBe(CLEAN);
        expect(reply.text).not.toContain(GITHUB_TOKEN);
      }
    });

    test('blocked text is cut, whole and streamed, and the response cannot be continued', async () => {
      const expected = {
        status: 'incomplete',
        incomplete_details: { reason: 'content_filter' },
        output: [{ type: 'message', status: 'incomplete', content: [{ type: 'output_text', text: KEPT }] }],
        svc: { action: 'block' },
      };
      contract.upstream.next({ text: CUT, toolCalls: CALLS });
      const whole = await ask(asking('Hi', model));
      expect([whole.status, whole.json]).toMatchObject([200, expected]);
      expect(whole.json.output).toHaveLength(1);
      contract.upstream.next({ text: CUT, toolCalls: CALLS });
      const reply = await stream(asking('Hi', model));
      expectGood(reply);
      expect([reply.deltas['output[0].content[0].text'], reply.events.at(-1).type]).toEqual([
        KEPT,
        'response.incomplete',
      ]);
      expect(reply.response).toMatchObject({ ...expected, usage: { total_tokens: expect.any(Number) } });
      for (const text of [whole.text, reply.text]) expect(text).not.toMatch(/SVC-TEST|And no more/);
      if (model !== GPT) return;
      for (const id of [whole.json.id, reply.response.id]) {
        expectError(await ask(asking('On', GPT, { previous_response_id: id })), 'not_found', 'previous_response_id');
      }
    });

    test('a blocked tool call is never complete', async () => {
      const call = { id: 'call_1', name: 'push', arguments: JSON.stringify({ a: 'fine', data: BLOCK, b: 'more' }) };
      contract.upstream.next({ text: 'Now.', toolCalls: [call] });
      const reply = await stream(asking('Hi', model));
      expectGood(reply);
      expect(reply.text).not.toMatch(/SVC-TEST|function_call_arguments\.done/);
      expect(reply.response.output).toMatchObject([{ type: 'message', content: [{ text: 'Now.' }] }]);
    });

    test('a response that reached its limit is incomplete', async () => {
      contract.upstream.next({ text: 'One two', finishReason: 'length' });
      const { json } = await ask(asking('Hi', model, { max_output_tokens: 16 }));
      expect(json).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
      contract.upstream.next({ text: 'One two', finishReason: 'length' });
      const reply = await stream(asking('Hi', model, { max_output_tokens: 16 }));
      expect(reply.response).toMatchObject({
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
      });
    });

    test('a stream that breaks ends with one error event, and the official client throws', async () => {
      for (const failure of ['reset-mid-stream', 'end-mid-stream', 'error-event', 'garbage'] as const) {
        contract.upstream.next({ text: 'One two three four', failure });
        const { events, text } = await stream(asking('Hi', model));
        const last = events.at(-1);
        const isOverload = failure === 'error-event' && model.startsWith('claude');
        const [code, type] = isOverload
          ? ['provider_overloaded', 'overloaded_error']
          : ['provider_error', 'provider_error'];
        expect([failure, last]).toMatchObject([
          failure,
          { type: 'error', sequence_number: events.length - 1, code, error: { type } },
        ]);
        expect(text).not.toMatch(/response\.(completed|incomplete|failed)/);
      }
      contract.upstream.next({ text: 'One two three four', failure: 'reset-mid-stream' });
      await expect(contract.client().responses.stream({ model, input: 'Hi' }).finalResponse()).rejects.toThrow();
    });

    test('its usage is counted, even if it ends early', async () => {
      const { key, id: keyId } = await contract.createKey();
      contract.upstream.next({ text: 'One two', finishReason: 'length' });
      const { headers, response } = await stream(asking('Hi', model), { key });
      const id = headers.get('x-request-id');
      const { json } = await contract.settled(
        () => contract.analytics(`/requests?keyId=${keyId}`),
        (reply) => reply.json?.data?.some((record: { id: string }) => record.id === id),
      );
      const record = json.data.find((one: { id: string }) => one.id === id);
      const { input_tokens: input, output_tokens: output } = response.usage;
      expect(record).toMatchObject({
        route: '/v1/responses',
        stream: true,
        state: 'completed',
        tokens: { input, output },
      });
    });
  });

  test('structured output is parsed by the official client', async () => {
    const format = zodTextFormat(z.object({ city: z.string(), degrees: z.number() }) as never, 'weather');
    contract.upstream.next({ text: '{"city":"Rome","degrees":21}' });
    const parsed = await contract.client().responses.parse({ model: GPT, input: 'Weather?', text: { format } });
    expect(parsed.output_parsed).toEqual({ city: 'Rome', degrees: 21 });
    expect(contract.sent.json).toMatchObject({ text: { format: { type: 'json_schema', name: 'weather' } } });
  });

  test.each([
    ['model', 'missing_field', { input: 'a' }],
    ['input', 'missing_field', { model: 'echo' }],
    ['input', 'invalid_value', { model: 'echo', input: [] }],
    ['input[0].role', 'invalid_value', { model: 'echo', input: [{ role: 'tool', content: 'a' }] }],
    ['input[0].output', 'missing_field', { model: 'echo', input: [{ type: 'function_call_output', call_id: 'a' }] }],
    ['temperature', 'invalid_value', { model: 'echo', input: 'a', temperature: 3 }],
    ['max_output_tokens', 'invalid_value', { model: 'echo', input: 'a', max_output_tokens: 0 }],
  ] as const)('a request at fault is told so: %s, %s', async (param, code, body) => {
    expectError(await ask(body), code, param);
  });
}
