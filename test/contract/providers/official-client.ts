import { describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { type Contract, saying } from '../contract.ts';

const CALLS = [
  { id: 'call_1', name: 'get_weather', arguments: '{"city":"Rome","unit":"C"}' },
  { id: 'call_2', name: 'get_time', arguments: '{"zone":"Europe/Rome"}' },
];
const TOOLS = CALLS.map(({ name }) => ({
  type: 'function' as const,
  function: { name, parameters: { type: 'object' } },
}));

export function officialClientContract(contract: Contract): void {
  const asking = (model: string) => ({ model, messages: [{ role: 'user' as const, content: 'Good evening' }] });
  const failure = (run: Promise<unknown>) =>
    run.then(
      () => undefined,
      (error: unknown) => error,
    );

  describe.each([['gpt-4o-mini'], ['claude-sonnet-4-5']])('the official OpenAI client with %s', (model) => {
    test('reads a response', async () => {
      const { choices, usage } = await contract.client().chat.completions.create(asking(model));
      expect(choices[0]?.message.content).toBe('Good evening');
      expect(usage?.total_tokens).toBeGreaterThan(0);
    });

    test('reads a stream with its usage', async () => {
      const create = { ...asking(model), stream: true as const, stream_options: { include_usage: true } };
      let text = '';
      let total: number | undefined;
      for await (const chunk of await contract.client().chat.completions.create(create)) {
        text += chunk.choices[0]?.delta.content ?? '';
        total = chunk.usage?.total_tokens ?? total;
      }
      expect(text).toBe('Good evening');
      expect(total).toBeGreaterThan(0);
    });

    test.each([
      ['one tool call', 1],
      ['parallel tool calls', 2],
    ])('reads %s, whole and streamed', async (_, count) => {
      const toolCalls = CALLS.slice(0, count);
      const expected = toolCalls.map(({ id, name, arguments: text }) => ({ id, name, arguments: JSON.parse(text) }));
      const read = (calls: readonly OpenAI.ChatCompletionMessageToolCall[] | undefined) =>
        calls?.map((call) =>
          call.type === 'function'
            ? { id: call.id, ...call.function, arguments: JSON.parse(call.function.arguments) }
            : call,
        );
      contract.upstream.next({ toolCalls });
      const whole = await contract.client().chat.completions.create({ ...asking(model), tools: TOOLS });
      expect(read(whole.choices[0]?.message.tool_calls)).toEqual(expected);
      expect(whole.choices[0]?.finish_reason).toBe('tool_calls');
      contract.upstream.next({ toolCalls });
      const stream = contract.client().chat.completions.stream({ ...asking(model), tools: TOOLS });
      const streamed = (await stream.finalChatCompletion()).choices[0];
      expect(read(streamed?.message.tool_calls)).toMatchObject(expected);
      expect(streamed?.finish_reason).toBe('tool_calls');
    });
  });

  describe('the official OpenAI client', () => {
    test('throws its own class for each refusal, with the fields of the body', async () => {
      const { client } = contract;
      const create = (options: Parameters<typeof client>[0], body = asking('echo')) =>
        failure(contract.client(options).chat.completions.create(body));
      const forbidden = await contract.newKey({ permissions: ['embeddings'] });
      const spent = await contract.newKey({ rateLimit: { requests: 1, period: 'month' } });
      await create({ apiKey: spent });

      const unauthorized = await create({ apiKey: 'svc_sk_wrong' });
      expect(unauthorized).toBeInstanceOf(OpenAI.AuthenticationError);
      expect(unauthorized).toMatchObject({ status: 401, code: 'invalid_api_key', type: 'authentication_error' });
      const refused = await create({ apiKey: forbidden });
      expect(refused).toBeInstanceOf(OpenAI.PermissionDeniedError);
      expect(refused).toMatchObject({ status: 403, code: 'insufficient_permissions' });
      const limited = await create({ apiKey: spent });
      expect(limited).toBeInstanceOf(OpenAI.RateLimitError);
      expect(limited).toMatchObject({ status: 429, code: 'rate_limit_exceeded', type: 'rate_limit_error' });
      const invalid = await create({}, { ...asking('echo'), temperature: 9 } as ReturnType<typeof asking>);
      expect(invalid).toBeInstanceOf(OpenAI.BadRequestError);
      expect(invalid).toMatchObject({ status: 400, param: 'temperature', requestID: expect.stringMatching(/^req_/) });
      const blocked = await create({}, { model: 'echo', messages: [{ role: 'user', content: 'SVC-TEST-BLOCK-7f3a' }] });
      expect(blocked).toBeInstanceOf(OpenAI.BadRequestError);
      expect(blocked).toMatchObject({ code: 'content_filter', type: 'security_error', param: 'messages[0].content' });
    });

    test('throws when a stream breaks, and never treats it as complete', async () => {
      contract.upstream.next({ text: 'One two three four', failure: 'reset-mid-stream', afterChunks: 3 });
      const stream = await contract.client().chat.completions.create({ ...asking('gpt-4o-mini'), stream: true });
      const read = async () => {
        for await (const _ of stream);
      };
      expect(await failure(read())).toBeInstanceOf(OpenAI.APIError);
    });

    test('retries after a failure, but not if the call may have been billed', async () => {
      contract.upstream.next({ status: 500 });
      const retried = await contract.client({ maxRetries: 1 }).chat.completions.create(asking('gpt-4o-mini'));
      expect(retried.choices[0]?.message.content).toBe('Good evening');
      contract.upstream.next({ failure: 'stall-before-head' });
      const before = contract.upstream.requests.length;
      const timedOut = await failure(contract.client({ maxRetries: 2 }).chat.completions.create(asking('gpt-4o-mini')));
      expect(timedOut).toMatchObject({ status: 504, code: 'provider_timeout' });
      expect(contract.upstream.requests.length).toBe(before + 1);
    });

    test('does not repeat a request that was blocked', async () => {
      const reply = await contract.chat(saying('SVC-TEST-BLOCK-7f3a', 'echo'));
      expect(reply.headers.get('x-should-retry')).toBe('false');
    });
  });
}
