import { expect, it } from '@jest/globals';
import type { HttpClient, HttpRequest, HttpResponse } from '../../kernel/http/index.ts';
import { createProviders } from '../../translation/providers/configured-providers.ts';
import { BoundHttpClient } from './bound-http-client.ts';

const VALUE = 'value-for-one-host';
const HOSTS = new Set(['api.one.example', '127.0.0.1:8080']);
const TOKEN = 'access-token-for-one-host';
const boundOf = (text: string) =>
  text === VALUE ? { hosts: HOSTS } : text === TOKEN ? { hosts: HOSTS, expiresAt: 1 } : undefined;

/** Notes what would be sent. */
function recording() {
  const sent: HttpRequest[] = [];
  const http: HttpClient = {
    send: async (request): Promise<HttpResponse> => {
      sent.push(request);
      return { status: 401, headers: {}, body: (async function* () {})() };
    },
  };
  return { sent, http: new BoundHttpClient(http, boundOf) };
}

const call = (url: string, headers: Readonly<Record<string, string>>): HttpRequest => ({
  method: 'POST',
  url,
  headers,
  headTimeoutMs: 1_000,
  idleTimeoutMs: 1_000,
});

it.each(['https://api.one.example/v1/chat', 'http://127.0.0.1:8080/v1', 'https://API.one.example:443/'])(
  'a value is sent to its host: %s',
  async (url) => {
    const { sent, http } = recording();
    await http.send(call(url, { authorization: `Bearer ${VALUE}` }));
    expect(sent.length).toBe(1);
  },
);

it.each([
  'https://api.two.example/v1',
  'https://api.one.example.evil.example/',
  'https://api.one.example:8443/',
  'https://evil.example/api.one.example',
  'https://api.one.example@evil.example/',
  'http://127.0.0.1/v1',
  'https://xapi.one.example/',
])('a value is not sent to %s', async (url) => {
  const { sent, http } = recording();
  for (const headers of [{ authorization: `Bearer ${VALUE}` }, { 'x-api-key': VALUE }, { 'api-key': VALUE }]) {
    const error = await http.send(call(url, headers)).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ code: 'provider_error', fallback: 'now' });
    expect(JSON.stringify(error) + String((error as Error).message)).not.toContain(VALUE);
  }
  await http.send(call(url, { authorization: 'Bearer another-key' }));
  expect(sent.length).toBe(1);
});

it('an access token is sent by https alone, or to this machine, and in `Authorization` whatever the header for keys is', async () => {
  const { sent, http } = recording();
  for (const name of ['authorization', 'api-key', 'x-api-key', 'x-goog-api-key']) {
    const header = name === 'authorization' ? `Bearer ${TOKEN}` : TOKEN;
    await http.send(call('https://api.one.example/v1', { [name]: header, accept: 'a' }));
    expect(sent.pop()?.headers).toEqual({ accept: 'a', authorization: `Bearer ${TOKEN}` });
    for (const url of ['http://127.0.0.1:8081/v1', 'http://api.one.example/v1', 'https://api.two.example/v1']) {
      await expect(http.send(call(url, { [name]: header }))).rejects.toMatchObject({ code: 'provider_error' });
    }
  }
  expect(sent).toEqual([]);
});

it('no provider sends a value to another host than its own, whatever its base URL', async () => {
  const { sent, http } = recording();
  const names = createProviders({
    ...{ http, publicHttp: http, bedrockRuntime: () => undefined as never, settings: async () => ({}), baseUrls: {} },
    ...{ echo: false, bedrock: false, timeoutMs: 1_000, onFault: () => {} },
  });
  const variables = [...names.keys(), 'azure', 'vllm'].map((name) =>
    name === 'azure' ? 'AZURE_OPENAI' : name.toUpperCase(),
  );
  const baseUrls = Object.fromEntries(variables.map((name) => [`${name}_BASE_URL`, 'https://evil.example/v1']));
  const keys = Object.fromEntries(variables.map((name) => [`${name}_API_KEY`, VALUE]));
  const providers = createProviders({
    ...{ http, publicHttp: http, bedrockRuntime: () => undefined as never, settings: async () => keys, baseUrls },
    ...{ echo: false, bedrock: false, timeoutMs: 1_000, onFault: () => {} },
  });
  expect(providers.size).toBeGreaterThan(14);
  const listed = [...providers.values()].filter(({ listModels }) => listModels !== undefined);
  for (const provider of listed) {
    await expect(provider.listModels?.()).rejects.toMatchObject({
      message: expect.stringContaining('not for the host'),
    });
  }
  expect(sent).toEqual([]);
});
