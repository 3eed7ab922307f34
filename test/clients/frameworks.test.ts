import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, streamText } from 'ai';
import { Contract } from '../contract/contract.ts';
import { startService } from './start-service.ts';

const contract = new Contract(startService, {});
beforeAll(() => contract.start());
afterAll(() => contract.stop());

const MODELS = [['echo'], ['gpt-4o-mini'], ['claude-opus-5']];
const PROMPT = 'Good evening';

describe.each(MODELS)("Vercel's AI SDK with %s", (name) => {
  const speakers = () => {
    const [baseURL, apiKey] = [contract.service.baseUrl, contract.key];
    return {
      openai: createOpenAICompatible({ name: 'svc', baseURL, apiKey, includeUsage: true })(name),
      anthropic: createAnthropic({ baseURL, apiKey })(name),
    };
  };

  test.each(['openai', 'anthropic'] as const)('reads a text and a stream in the protocol of %s', async (protocol) => {
    const model = speakers()[protocol];
    const { text, usage, finishReason } = await generateText({
      model,
      prompt: PROMPT,
      maxOutputTokens: 100,
      maxRetries: 0,
    });
    expect([text, finishReason]).toEqual([PROMPT, 'stop']);
    expect(usage.totalTokens).toBeGreaterThan(0);
    const stream = streamText({ model, prompt: PROMPT, maxOutputTokens: 100, maxRetries: 0 });
    let streamed = '';
    for await (const piece of stream.textStream) streamed += piece;
    expect([streamed, await stream.finishReason]).toEqual([PROMPT, 'stop']);
  });
});

describe.each(MODELS)('LangChain with %s', (model) => {
  test('reads a text and a stream', async () => {
    const configuration = { baseURL: contract.service.baseUrl };
    const chat = new ChatOpenAI({ model, apiKey: contract.key, configuration, maxRetries: 0 });
    expect((await chat.invoke(PROMPT)).text).toBe(PROMPT);
    let streamed = '';
    for await (const chunk of await chat.stream(PROMPT)) streamed += chunk.text;
    expect(streamed).toBe(PROMPT);
  });
});
