import { createOpenAI } from '@ai-sdk/openai';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HumanMessage } from '@langchain/core/messages';
import { tool as langChainTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { generateObject, generateText, stepCountIs, streamText, tool } from 'ai';
import * as z from 'zod';
import { Contract } from '../contract/contract.ts';
import { startService } from './start-service.ts';

/** Frameworks whose OpenAI providers speak the Responses API, by base URL and key alone. */
const contract = new Contract(startService, {});
beforeAll(() => contract.start());
afterAll(() => contract.stop());

const MODELS = [['echo'], ['gpt-4o-mini'], ['claude-opus-5']];
const PROMPT = 'Good evening';
const CALL = { id: 'call_1', name: 'weather', arguments: '{"city":"Rome"}' };
const PARAMETERS = z.object({ city: z.string() });

describe("Vercel's AI SDK, whose OpenAI models are responses by default", () => {
  const modelOf = (name: string) => createOpenAI({ baseURL: contract.service.baseUrl, apiKey: contract.key })(name);

  test.each(MODELS)('reads a text and a stream of %s', async (name) => {
    const asked = { model: modelOf(name), system: 'Be kind.', prompt: PROMPT, maxRetries: 0 };
    const { text, usage, finishReason } = await generateText(asked);
    expect([text, finishReason, (usage.totalTokens ?? 0) > 0]).toEqual([PROMPT, 'stop', true]);
    const stream = streamText(asked);
    let streamed = '';
    for await (const piece of stream.textStream) streamed += piece;
    expect([streamed, await stream.finishReason]).toEqual([PROMPT, 'stop']);
    expect((await stream.usage).totalTokens).toBeGreaterThan(0);
  });

  // It refers to stored items. OpenAI stores its own, the gateway those of other providers.
  test.each([
    ['gpt-4o-mini', {}],
    ['claude-opus-5', {}],
    ['claude-opus-5', { store: false }],
  ])('calls a tool and goes on, with %s %j', async (name, openai) => {
    const weather = tool({ inputSchema: PARAMETERS, execute: async ({ city }) => `Sunny in ${city}.` });
    for (const run of [generateText, streamText]) {
      contract.upstream.next({ text: 'Let me see.', toolCalls: [CALL] });
      contract.upstream.next({ text: 'It is sunny.' });
      const settings = {
        model: modelOf(name),
        prompt: 'Weather?',
        tools: { weather },
        stopWhen: stepCountIs(3),
        maxRetries: 0,
        providerOptions: { openai },
      };
      const result = run(settings);
      const text = await (await result).text;
      expect(text).toBe('It is sunny.');
      expect(contract.sent.body).toContain('Sunny in Rome.');
      expect(contract.sent.body.includes('"item_reference"')).toBe(name === 'gpt-4o-mini');
    }
  });

  test('reads structured output', async () => {
    contract.upstream.next({ text: '{"city":"Rome"}' });
    const { object } = await generateObject({
      model: modelOf('gpt-4o-mini'),
      schema: PARAMETERS,
      prompt: 'City?',
      maxRetries: 0,
    });
    expect(object).toEqual({ city: 'Rome' });
  });

  test('gets the finish reason of a cut response', async () => {
    contract.upstream.next({ text: 'So far. SVC-TEST-BLOCK-7f3a and more.' });
    const stream = streamText({ model: modelOf('gpt-4o-mini'), prompt: PROMPT, maxRetries: 0 });
    let streamed = '';
    for await (const piece of stream.textStream) streamed += piece;
    expect([streamed, await stream.finishReason]).toEqual(['So far. ', 'content-filter']);
  });
});

describe('LangChain over responses', () => {
  const chatOf = (model: string) =>
    new ChatOpenAI({
      model,
      apiKey: contract.key,
      configuration: { baseURL: contract.service.baseUrl },
      useResponsesApi: true,
      maxRetries: 0,
    });

  test.each(MODELS)('reads a text and a stream of %s', async (model) => {
    expect((await chatOf(model).invoke(PROMPT)).text).toBe(PROMPT);
    let streamed = '';
    for await (const chunk of await chatOf(model).stream(PROMPT)) streamed += chunk.text;
    expect(streamed).toBe(PROMPT);
  });

  test.each([['gpt-4o-mini'], ['claude-opus-5']])('calls a tool of %s, whole and streamed', async (model) => {
    const weather = langChainTool(async () => 'Sunny.', {
      name: 'weather',
      description: 'Weather',
      schema: PARAMETERS,
    });
    const bound = chatOf(model).bindTools([weather]);
    contract.upstream.next({ toolCalls: [CALL] });
    const { tool_calls: calls = [] } = await bound.invoke([new HumanMessage('Weather?')]);
    expect(calls).toMatchObject([{ name: 'weather', args: { city: 'Rome' }, id: 'call_1' }]);
    contract.upstream.next({ toolCalls: [CALL] });
    let streamed = '';
    for await (const chunk of await bound.stream('Weather?')) {
      for (const { args } of chunk.tool_call_chunks ?? []) streamed += args ?? '';
    }
    expect(JSON.parse(streamed)).toEqual({ city: 'Rome' });
  });
});
