import { type GenerateContentParameters, GoogleGenAI } from '@google/genai';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Contract } from '../contract/contract.ts';
import { startService } from './start-service.ts';

const BLOCK = 'SVC-TEST-BLOCK-7f3a';

const contract = new Contract(startService, {});
beforeAll(() => contract.start());
afterAll(() => contract.stop());

/** By base URL and key alone; the base has no `/v1`. */
function client(apiKey = contract.key): GoogleGenAI {
  const baseUrl = contract.service.baseUrl.replace(/\/v1$/, '');
  return new GoogleGenAI({ apiKey, httpOptions: { baseUrl } });
}

const asking = (model: string, contents = 'Good evening'): GenerateContentParameters => ({ model, contents });

describe.each([['echo'], ['gpt-4o-mini'], ['claude-opus-5']])("Google's SDK with %s", (model) => {
  test('reads a response and its usage', async () => {
    const answer = await client().models.generateContent(asking(model));
    expect([answer.text, answer.candidates?.[0]?.finishReason]).toEqual(['Good evening', 'STOP']);
    expect(answer.usageMetadata?.totalTokenCount).toBeGreaterThan(0);
  });

  test('reads a stream', async () => {
    let [text, reason] = ['', ''];
    for await (const chunk of await client().models.generateContentStream(asking(model))) {
      text += chunk.text ?? '';
      reason = chunk.candidates?.[0]?.finishReason ?? reason;
    }
    expect([text, reason]).toEqual(['Good evening', 'STOP']);
  });

  test('throws its error for a blocked request', async () => {
    const error = await client()
      .models.generateContent(asking(model, BLOCK))
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ApiError', status: 400 });
    expect(String(error)).toContain('content_filter');
  });
});

test("Google's SDK calls tools with another provider", async () => {
  contract.upstream.next({ toolCalls: [{ id: 'c1', name: 'get_weather', arguments: '{"city":"Rome"}' }] });
  const tools = [{ functionDeclarations: [{ name: 'get_weather', parametersJsonSchema: { type: 'object' } }] }];
  const answer = await client().models.generateContent({ ...asking('gpt-4o-mini', 'Weather?'), config: { tools } });
  expect(answer.functionCalls).toMatchObject([{ name: 'get_weather', args: { city: 'Rome' } }]);
});

test("Google's SDK lists models page by page, and reads one", async () => {
  const names: string[] = [];
  for await (const model of await client().models.list({ config: { pageSize: 5 } })) names.push(model.name ?? '');
  expect(names).toEqual(expect.arrayContaining(['models/echo', 'models/claude-opus-5', 'models/gpt-4o-mini']));
  expect(await client().models.get({ model: 'gpt-4o-mini' })).toMatchObject({ name: 'models/gpt-4o-mini' });
  await expect(client().models.get({ model: 'none' })).rejects.toMatchObject({ name: 'ApiError', status: 404 });
});

test("Google's SDK counts tokens and embeds one text and several", async () => {
  const key = await contract.newKey({ permissions: ['chat_completions', 'embeddings'] });
  const { models } = client(key);
  expect((await models.countTokens({ model: 'echo', contents: 'Good evening' })).totalTokens).toBe(2);
  const config = { outputDimensionality: 8 };
  for (const contents of ['Good evening', ['Good evening', 'Hello']]) {
    const { embeddings } = await models.embedContent({ model: 'echo', contents, config });
    expect(embeddings?.map(({ values }) => values?.length)).toEqual([contents].flat().map(() => 8));
  }
  const error = await models.embedContent({ model: 'echo', contents: BLOCK }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'ApiError', status: 400 });
});
