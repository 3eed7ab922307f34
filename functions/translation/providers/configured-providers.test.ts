import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEADLINE_MS } from '../../../test/support/eventually.ts';
import { providerConnections } from '../../adapters/provider-connections.ts';
import { readJsonDocument } from '../../kernel/json/index.ts';
import { CHAT_PROTOCOL } from '../protocols/openai-chat/chat-protocol.ts';
import { type ChatProvider, Translation } from '../routing/index.ts';
import { availableProviders, createProviders, type ProviderSettings, prefixOf } from './configured-providers.ts';
import { describeProviders } from './describe-providers.ts';
import { COMPATIBLE_PROVIDERS, PROVIDERS } from './provider-list.ts';

/** Each provider's settings prefix, path, and key header. */
const CALLS: Readonly<Record<string, readonly [prefix: string, path: string, header: string, value: string]>> = {
  openai: ['OPENAI', '/chat/completions', 'authorization', 'Bearer KEY'],
  anthropic: ['ANTHROPIC', '/v1/messages', 'x-api-key', 'KEY'],
  'claude-aws': ['CLAUDE_AWS', '/v1/messages', 'authorization', 'Bearer KEY'],
  gemini: ['GEMINI', '/v1beta/models/model-1:generateContent', 'x-goog-api-key', 'KEY'],
  azure: ['AZURE_OPENAI', '/openai/v1/chat/completions', 'api-key', 'KEY'],
  vertex: ['VERTEX', '/publishers/google/models/model-1:generateContent', 'x-goog-api-key', 'KEY'],
  bedrock: ['BEDROCK', '/model/model-1/converse', 'authorization', 'Bearer KEY'],
  ...Object.fromEntries(
    COMPATIBLE_PROVIDERS.map(({ name }) => [
      name,
      [name.toUpperCase(), '/chat/completions', 'authorization', 'Bearer KEY'],
    ]),
  ),
  'my-llm': ['MY_LLM', '/chat/completions', 'authorization', 'Bearer KEY'],
};

let asked: IncomingMessage | undefined;
const server = createServer((request, response) => {
  asked = request;
  request.resume().on('end', () => response.writeHead(400, { 'content-type': 'application/json' }).end('{}'));
});
beforeAll(async () => {
  Object.assign(process.env, { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const faults: string[] = [];
const onFault = (fault: Error) => {
  faults.push(fault.message);
};
const made = (baseUrls: ProviderSettings, settings = baseUrls, bedrock = false) =>
  createProviders({
    ...providerConnections(() => undefined),
    ...{ settings: async () => settings, baseUrls, echo: true, bedrock, timeoutMs: DEADLINE_MS, onFault },
  });
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function ask(provider: ChatProvider | undefined): Promise<unknown> {
  asked = undefined;
  const body = { model: 'model-1', messages: [{ role: 'user', content: 'Hello' }] };
  const source = readJsonDocument(JSON.stringify(body));
  const request = CHAT_PROTOCOL.read(CHAT_PROTOCOL.check(source));
  const signal = new AbortController().signal;
  return provider
    ?.complete({
      operation: 'openai-chat',
      source,
      request,
      model: 'model-1',
      translation: new Translation('x'),
      signal,
    })
    .catch((error) => error);
}

describe.each(Object.entries(CALLS))('%s', (name, [prefix, path, header, value]) => {
  const settings = () => ({
    SVC_PROVIDERS: 'my-llm',
    MY_LLM_BASE_URL: url(),
    CLAUDE_AWS_WORKSPACE_ID: 'wrkspc_1',
    [`${prefix}_BASE_URL`]: url(),
    [`${prefix}_API_KEY`]: 'KEY',
  });

  it('is called at the configured URL with the configured key', async () => {
    await ask(made(settings()).get(name));
    expect([asked?.url, asked?.headers[header]]).toEqual([path, value]);
  });

  it('is called with a new key once it changes', async () => {
    const current = { ...settings() };
    const provider = made(settings(), current).get(name);
    await ask(provider);
    Object.assign(current, { [`${prefix}_API_KEY`]: 'OTHER' });
    await ask(provider);
    expect(asked?.headers[header]).toBe(value.replace('KEY', 'OTHER'));
  });

  it('is named on the first screen, and available', () => {
    expect(describeProviders(settings(), false, false).find((one) => one.name === name)?.isConfigured).toBe(true);
    expect(availableProviders(made(settings()), settings())).toContain(name);
  });
});

it('Bedrock needs no key if AWS credentials may call it', async () => {
  const baseUrls = { BEDROCK_BASE_URL: url(), BEDROCK_REGION: 'us-east-1' };
  const providers = made(baseUrls, {}, true);
  await ask(providers.get('bedrock'));
  expect(asked?.headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/us-east-1\/bedrock\/aws4_request/,
  );
  expect([
    availableProviders(providers, {}).has('bedrock'),
    availableProviders(made(baseUrls, {}), {}).has('bedrock'),
  ]).toEqual([true, false]);
});

it('Claude Platform on AWS gets the id of its workspace, and nothing is sent without one', async () => {
  const settings = { CLAUDE_AWS_BASE_URL: url(), CLAUDE_AWS_API_KEY: 'KEY' };
  await ask(made({ ...settings, CLAUDE_AWS_WORKSPACE_ID: ' wrkspc_1\n' }).get('claude-aws'));
  expect(asked?.headers).toMatchObject({ 'anthropic-workspace-id': 'wrkspc_1', 'anthropic-version': '2023-06-01' });
  expect(asked?.headers).not.toHaveProperty('x-api-key');
  for (const wrong of [{}, { CLAUDE_AWS_WORKSPACE_ID: 'two words' }]) {
    const error = await ask(made({ ...settings, ...wrong }).get('claude-aws'));
    expect(error).toMatchObject({ code: 'provider_error', message: expect.stringContaining('the id of a workspace') });
    expect(asked).toBeUndefined();
  }
});

it('nothing is sent without a key', async () => {
  for (const [name, provider] of made({ SVC_PROVIDERS: '', AZURE_OPENAI_BASE_URL: url(), BEDROCK_BASE_URL: url() })) {
    if (provider.keyless || name === 'echo') continue;
    expect(await ask(provider)).toMatchObject({ code: 'provider_error', fallback: 'now' });
    expect([name, asked]).toEqual([name, undefined]);
  }
});

it.each([
  ['http://127.0.0.1\r\n/v1', 'white space'],
  ['http://127.0.0.1/v 1', 'white space'],
  ['http:\\\\127.0.0.1', 'backslash'],
  ['http://127.0.0.1/#', 'fragment'],
  ['ftp://127.0.0.1', 'an http or https URL'],
])('no base URL is %j, and the error does not quote it', (address, fault) => {
  for (const name of ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'VLLM_BASE_URL']) {
    faults.length = 0;
    made({ [name]: address });
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name} .*${fault}`))]);
    expect(faults.join()).not.toContain('127.0.0.1');
  }
});

describe('a setting of one provider that cannot be used', () => {
  const good = () => ({ GROQ_API_KEY: 'KEY', GROQ_BASE_URL: url() });
  const keyed = Object.entries(CALLS).filter(([name]) => name !== 'my-llm');

  it.each([
    ...keyed.map(([name, [prefix]]) => [name, { [`${prefix}_BASE_URL`]: 'planted value' }, `${prefix}_BASE_URL`]),
    ['azure', { AZURE_OPENAI_API_VERSION: 'planted', AZURE_OPENAI_BASE_URL: 'http://a/' }, 'AZURE_OPENAI_API_VERSION'],
    ['openai', { OPENAI_ACCOUNTS: 'planted value' }, 'OPENAI_ACCOUNTS'],
    ['bedrock', { BEDROCK_REGION: 'planted region' }, 'BEDROCK_REGION'],
    ['lab', { SVC_PROVIDERS: 'lab' }, 'LAB_BASE_URL'],
    ['lab', { SVC_PROVIDERS: 'lab', LAB_BASE_URL: 'planted' }, 'LAB_BASE_URL'],
  ] as [string, ProviderSettings, string][])('of %s fails its requests alone: %j', async (name, bad, setting) => {
    faults.length = 0;
    const key = `${CALLS[name]?.[0] ?? 'LAB'}_API_KEY`;
    const settings: ProviderSettings = { ...(name === 'groq' ? {} : good()), [key]: 'KEY', ...bad };
    const providers = made(settings);
    expect(faults).toEqual([expect.stringContaining(setting)]);
    const error = await ask(providers.get(name));
    expect(error).toMatchObject({ code: 'provider_error', fallback: 'now', headers: { 'x-should-retry': 'false' } });
    expect(String(error)).toContain(setting);
    expect(`${error} ${faults}`).not.toContain('planted');
    expect(asked).toBeUndefined();
    expect(availableProviders(providers, settings).has(name)).toBe(false);
    if (name === 'groq') return;
    await ask(providers.get('groq'));
    expect(asked?.url).toBe('/chat/completions');
  });

  it.each(['planted\nkey', 'planted–key'])('is a key that no header may hold: %j', async (key) => {
    for (const [name, [prefix]] of keyed) {
      const settings = { [`${prefix}_BASE_URL`]: url(), [`${prefix}_API_KEY`]: key };
      const error = await ask(made(settings).get(name));
      expect(error).toMatchObject({ code: 'provider_error', fallback: 'now' });
      expect([String(error), asked]).toEqual([expect.stringContaining(`${prefix}_API_KEY`), undefined]);
      expect(String(error)).not.toContain('planted');
    }
  });

  it('is no name of a provider; the other names are valid', async () => {
    faults.length = 0;
    const settings = { SVC_PROVIDERS: 'Planted!,lab', LAB_BASE_URL: url() };
    await ask(made(settings).get('lab'));
    expect(asked?.url).toBe('/chat/completions');
    expect(faults).toEqual(['SVC_PROVIDERS: a name consists of lower-case letters, digits and -']);
  });
});

it('a key from a file may end with a line end', async () => {
  await ask(made({ OPENAI_BASE_URL: url(), OPENAI_API_KEY: 'KEY\n' }).get('openai'));
  expect(asked?.headers.authorization).toBe('Bearer KEY');
});

it('a base URL from a file may end with a line end', async () => {
  const settings = { OPENAI_BASE_URL: `${url()}/\r\n`, OPENAI_API_KEY: 'KEY' };
  await ask(made(settings, settings).get('openai') as ChatProvider);
  expect(asked?.url).toBe('/chat/completions');
});

it.each(['docs/reference/settings.md', 'docs/providers.md'])('%s names each of them', (file) => {
  const page = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  const needAddress = PROVIDERS.filter(({ address }) => address === undefined).map(prefixOf);
  const names = [...made(Object.fromEntries(needAddress.map((prefix) => [`${prefix}_BASE_URL`, url()]))).keys()];
  expect(names).toHaveLength(COMPATIBLE_PROVIDERS.length + 8);
  for (const name of names) expect(page).toContain(`\`${name}\``);
});
