import { describe, expect, it } from '@jest/globals';
import type { HttpClient, HttpRequest } from '../../kernel/http/index.ts';
import type { ReportedModel } from '../routing/index.ts';
import { PROVIDERS } from './provider-list.ts';

const KEY = ['sk', 'planted', 'key'].join('-');

/** The models that a provider reads from a response, and its call. */
async function read(name: string, body: unknown, { status = 200, baseUrl = 'https://host' } = {}) {
  const calls: HttpRequest[] = [];
  const http: HttpClient = {
    async send(request) {
      calls.push(request);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return {
        status,
        headers: {},
        body: (async function* () {
          yield Buffer.from(text);
        })(),
      };
    },
  };
  const entry = PROVIDERS.find((one) => one.name === name);
  const provider = entry?.create({
    ...{ name, http, baseUrl, keyVariable: 'KEY', headTimeoutMs: 1, idleTimeoutMs: 1 },
    apiKey: async () => KEY,
    setting: () => undefined,
    bedrock: { keyless: false, runtime: () => undefined as never },
  });
  const models = (await provider?.listModels?.()) as readonly ReportedModel[];
  return { provider, models, names: models?.map((model) => model.name), call: calls[0] as HttpRequest, calls };
}

describe("a provider's list of models", () => {
  it.each([
    ['openai', { object: 'list', data: [{ id: 'a' }, { id: 'b' }] }, 'https://host/models', 'authorization'],
    [
      'anthropic',
      { data: [{ id: 'a', type: 'model' }, { id: 'b' }] },
      'https://host/v1/models?limit=1000',
      'x-api-key',
    ],
    ['together', [{ id: 'a' }, { id: 'b' }], 'https://host/models', 'authorization'],
    ['cohere', { models: [{ name: 'a' }, { name: 'b' }] }, 'https://host/v1/models?page_size=1000', 'authorization'],
  ])('is read from %s in one call', async (name, body, url, header) => {
    const baseUrl = name === 'cohere' ? 'https://host/compatibility/v1' : 'https://host';
    const { names, call, calls } = await read(name, body, { baseUrl });
    expect(names).toEqual(['a', 'b']);
    expect(calls).toHaveLength(1);
    expect([call.method, call.url, call.headers[header]]).toEqual(['GET', url, expect.stringContaining(KEY)]);
    expect(call.signal).toBeInstanceOf(AbortSignal);
  });

  it('has the methods of Google, and only models with one that is served', async () => {
    const models = [
      { name: 'models/gemini-x', supportedGenerationMethods: ['generateContent', 'bidiGenerateContent'] },
      { name: 'models/imagen', supportedGenerationMethods: ['predict'] },
      { name: 'models/bare' },
    ];
    const { models: found, call } = await read('gemini', { models });
    expect(found).toEqual([{ name: 'gemini-x', methods: ['generateContent'] }]);
    expect([call.url, call.headers['x-goog-api-key']]).toEqual(['https://host/v1beta/models?pageSize=1000', KEY]);
  });

  it.each(['azure', 'bedrock'])('does not exist at %s', async (name) => {
    expect((await read(name, {})).provider?.listModels).toBeUndefined();
  });

  it.each([
    ['an error', { error: {} }, 500],
    ['a refusal', { data: [{ id: 'a' }] }, 401],
    ['a page of HTML', '<html>', 200],
    ['another object', { data: {} }, 200],
    ['nothing', '', 200],
    ['more than 4 MB', `[${'"x",'.repeat(1_100_000)}"x"]`, 200],
  ])('fails for %s', async (_, body, status) => {
    await expect(read('openai', body, { status })).rejects.toMatchObject({ code: 'provider_error' });
  });

  it("never has the gateway's key as a name, and skips entries without a name", async () => {
    const { names } = await read('openai', { data: [{ id: KEY }, null, 'x', { id: 7 }, { id: 'a' }] });
    expect(names).toEqual(['[REDACTED_PROVIDER_KEY]', 'a']);
  });
});
