import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ProvidersDocument, type StoredProvider, storedRoutes } from '../../kernel/configuration/index.ts';
import { HttpFailure, type HttpRequest } from '../../kernel/http/index.ts';
import { readJsonDocument } from '../../kernel/json/index.ts';
import { type ChatProvider, Translation } from '../routing/index.ts';
import { availableProviders, type ProvidersOptions } from './configured-providers.ts';
import { LiveProviders } from './live-providers.ts';
import { createStored, resolveStored } from './stored-providers.ts';

const KEY = 'sk-of-the-settings';
const SETTINGS = {
  OPENAI_API_KEY: KEY,
  OPENAI_BASE_URL: 'https://openai.example.com/v1',
  GEMINI_API_KEY: KEY,
  ANTHROPIC_API_KEY: KEY,
  BEDROCK_API_KEY: KEY,
  AZURE_OPENAI_API_KEY: KEY,
  AZURE_OPENAI_BASE_URL: 'https://azure.example.com',
  SVC_PROVIDERS: 'lab',
  LAB_API_KEY: KEY,
  LAB_BASE_URL: 'http://10.0.0.1:8000/v1',
};

interface Sent extends HttpRequest {
  readonly client: 'any' | 'public';
}

/** The options with a network that only records. */
function recording(more: Partial<ProvidersOptions> = {}) {
  const sent: Sent[] = [];
  const clientOf = (client: Sent['client']) => ({
    send: async (request: HttpRequest) => {
      sent.push({ ...request, client });
      throw new HttpFailure('connect', false);
    },
  });
  const bedrock: { region: string | undefined; endpoint: string | undefined; apiKey: string | undefined }[] = [];
  const options: ProvidersOptions = {
    http: clientOf('any'),
    publicHttp: clientOf('public'),
    bedrockRuntime: ({ region, endpoint }) => {
      const call = async ({ apiKey }: { apiKey: string | undefined }) => {
        bedrock.push({ region, endpoint, apiKey });
        throw new HttpFailure('connect', false);
      };
      const http = { send: () => Promise.reject(new HttpFailure('connect', false)) };
      return { http, converse: call, converseStream: call, invoke: call, invokeStream: call };
    },
    settings: async () => SETTINGS,
    baseUrls: SETTINGS,
    echo: false,
    bedrock: true,
    timeoutMs: 1_000,
    onFault: () => {},
    ...more,
  };
  return { sent, bedrock, options };
}

async function messageOfCall(provider: ChatProvider, model = 'm', headers = {}): Promise<string> {
  const request = {
    ...{ model: 'm', messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi' }] }] },
    ...{ stream: false, includeUsage: false, choiceCount: 1, others: [] },
  };
  const call = { request, operation: 'openai-chat' as const, source: readJsonDocument('{}'), model, headers };
  const signal = AbortSignal.abort();
  return provider.complete({ ...call, translation: new Translation(provider.name), signal }).then(
    () => '',
    (error: Error) => error.message,
  );
}
const secretsIn = ({ headers }: HttpRequest) => JSON.stringify(headers).includes(KEY);
const openai = (fields: Partial<StoredProvider> = {}): StoredProvider => ({
  ...{ name: 'openai', protocol: 'openai' },
  ...fields,
});

describe('the key of the settings', () => {
  it('is sent to the host of the settings', async () => {
    const { sent, options } = recording();
    for (const baseUrl of [undefined, 'https://openai.example.com/v2', 'https://openai.example.com:443/v1/'])
      await messageOfCall(createStored(openai({ baseUrl }), options));
    expect(sent.map(({ url }) => url)).toEqual([
      'https://openai.example.com/v1/chat/completions',
      'https://openai.example.com/v2/chat/completions',
      'https://openai.example.com:443/v1/chat/completions',
    ]);
    expect(sent.every((request) => secretsIn(request) && request.client === 'any')).toBe(true);
  });

  it('is never sent to another host, scheme or port, whatever the provider is called', async () => {
    const host = fc.constantFrom(
      ...['https://evil.example/v1', 'http://openai.example.com/v1', 'https://openai.example.com:8443/v1'],
      ...['https://openai.example.com.evil.example/v1', 'https://azure.example.com.evil.example'],
      ...['http://10.0.0.1:8001/v1', 'https://api.openai.com/v1', 'https://api.mistral.ai/v1'],
    );
    const name = fc.constantFrom('openai', 'openai-', 'azure', 'azure-openai', 'lab', 'gemini', 'anthropic', 'bedrock');
    const protocol = fc.constantFrom(...(['openai', 'anthropic', 'gemini', 'azure', 'bedrock'] as const));
    await fc.assert(
      fc.asyncProperty(name, protocol, host, async (named, spoken, baseUrl) => {
        const { sent, bedrock, options } = recording();
        await messageOfCall(createStored({ name: named, protocol: spoken, baseUrl }, options));
        expect(sent.some(secretsIn)).toBe(false);
        expect(sent.every(({ client }) => client === 'public')).toBe(true);
        expect(bedrock).toEqual([]);
      }),
    );
  });

  it('is replaced by a credential, also at the host of the settings', async () => {
    const { sent, options } = recording({ credential: async ({ credentialId }, host) => `${credentialId} ${host}` });
    await messageOfCall(createStored(openai({ credentialId: 'cred_1' }), options));
    expect(sent.map(({ headers }) => headers.authorization)).toEqual(['Bearer cred_1 openai.example.com']);
  });

  it('does not replace a credential that cannot be read', async () => {
    const { sent, options } = recording();
    const message = await messageOfCall(createStored(openai({ credentialId: 'cred_1' }), options));
    expect([message, sent]).toEqual([expect.stringContaining('its credential cannot be read'), []]);
  });
});

describe('a stored provider', () => {
  it('without a credential is called without a key, in each protocol', async () => {
    const { sent, options } = recording();
    for (const protocol of ['openai', 'anthropic', 'gemini', 'azure'] as const) {
      await messageOfCall(createStored({ name: 'my-llm', protocol, baseUrl: 'https://llm.example.com/x' }, options));
    }
    expect(sent.map(({ url }) => url)).toEqual([
      'https://llm.example.com/x/chat/completions',
      'https://llm.example.com/x/v1/messages',
      'https://llm.example.com/x/v1beta/models/m:generateContent',
      'https://llm.example.com/x/openai/v1/chat/completions',
    ]);
    expect(
      sent.flatMap(({ headers }) => Object.keys(headers)).filter((name) => /key|authorization/.test(name)),
    ).toEqual([]);
  });

  it('has its name in errors', async () => {
    const { options } = recording();
    for (const protocol of ['openai', 'anthropic', 'gemini', 'azure'] as const) {
      const stored = { name: 'my-llm', protocol, baseUrl: 'https://llm.example.com' };
      expect(await messageOfCall(createStored(stored, options))).toContain('my-llm');
    }
  });

  it('of Bedrock is signed for the region of its host, and for no other host', async () => {
    const { bedrock, options } = recording();
    const at = (baseUrl?: string): StoredProvider => ({ name: 'us', protocol: 'bedrock', ...(baseUrl && { baseUrl }) });
    await messageOfCall(createStored(at('https://bedrock-runtime.us-east-1.amazonaws.com'), options));
    const message = await messageOfCall(createStored(at('https://bedrock-runtime.us-east-1.evil.example'), options));
    expect(message).toContain('only calls to the hosts of AWS are signed');
    const endpoint = 'https://bedrock-runtime.us-east-1.amazonaws.com';
    expect(bedrock).toEqual([{ region: 'us-east-1', endpoint, apiKey: undefined }]);
  });

  it('sends no request to another path for a name of a model', async () => {
    const { sent, bedrock, options } = recording({ credential: async () => 'key' });
    for (const protocol of ['gemini', 'azure', 'bedrock'] as const) {
      const stored = { name: 'my-llm', protocol, baseUrl: 'https://llm.example.com', credentialId: 'cred_1' };
      expect(await messageOfCall(createStored(stored, options), '../../other')).toContain("'model' is not a valid");
    }
    expect([sent, bedrock]).toEqual([[], []]);
  });

  it('at the host of a known provider has its differences', () => {
    const { options } = recording();
    const second = { name: 'mistral-2', protocol: 'openai', baseUrl: 'https://api.mistral.ai/v1' } as const;
    expect(resolveStored(second, SETTINGS).entry.name).toBe('mistral');
    expect(createStored(second, options).name).toBe('mistral-2');
  });

  it('at the host of OpenAI allows only the accounts of the settings', async () => {
    const baseUrls = { ...SETTINGS, OPENAI_ACCOUNTS: 'none' };
    const { sent, options } = recording({ baseUrls, credential: async () => 'key' });
    const second = { name: 'second', protocol: 'openai', baseUrl: 'https://api.openai.com/v1' } as const;
    const provider = createStored({ ...second, credentialId: 'cred_1' }, options);
    const message = await messageOfCall(provider, 'm', { 'openai-organization': 'org-other' });
    expect([message, sent]).toEqual([expect.stringContaining('does not allow the value of the header'), []]);
  });

  it('serves what its capabilities list', () => {
    const { options } = recording();
    const servedWith = (endpoints: NonNullable<StoredProvider['capabilities']>['endpoints']) =>
      createStored(openai({ capabilities: { endpoints } }), options).serves;
    const chat = servedWith(['chat']);
    const has = (name: string) => chat.has(name as 'gemini');
    expect(['openai-chat', 'anthropic-messages', 'gemini'].every(has)).toBe(true);
    expect(['openai-embeddings', 'openai-images', 'rerank', 'openai-input-tokens'].some(has)).toBe(false);
    expect([...servedWith(['embeddings', 'rerank'])].sort()).toEqual(['openai-embeddings', 'rerank']);
    expect(servedWith(['chat', 'responses']).has('openai-input-tokens')).toBe(true);
  });

  it('of Claude Platform on AWS has the id of its workspace, under any name', async () => {
    for (const name of ['claude-aws', 'second']) {
      const { sent, options } = recording({ credential: async () => 'key-of-aws' });
      const stored = {
        name,
        protocol: 'anthropic',
        baseUrl: 'https://aws-external-anthropic.us-west-2.api.aws',
      } as const;
      const capabilities = { workspaceId: 'wrkspc_1' };
      await messageOfCall(createStored({ ...stored, credentialId: 'cred_1', capabilities }, options));
      expect(sent[0]?.headers).toMatchObject({
        'anthropic-workspace-id': 'wrkspc_1',
        authorization: 'Bearer key-of-aws',
      });
    }
  });

  it.each([
    ['anthropic', 'https://lab.services.ai.azure.com/anthropic', '/v1/messages', 'x-api-key'],
    ['anthropic', 'https://claude.example.com', '/v1/messages', 'x-api-key'],
    ['gemini', 'https://google.example.com', '/v1beta/models/m:generateContent', 'x-goog-api-key'],
    ['azure', 'https://lab.openai.azure.com', '/openai/v1/chat/completions', 'api-key'],
  ] as const)('of the protocol %s at %s is called there with its key', async (protocol, baseUrl, path, header) => {
    const { sent, options } = recording({ credential: async () => 'key-of-lab' });
    await messageOfCall(createStored({ name: 'lab-two', protocol, baseUrl, credentialId: 'cred_1' }, options));
    expect(sent).toMatchObject([{ url: `${baseUrl}${path}`, headers: { [header]: 'key-of-lab' }, client: 'public' }]);
  });

  it('without an address fails each of its requests', async () => {
    const { options } = recording();
    const provider = createStored({ name: 'my-llm', protocol: 'openai' }, options);
    expect(await messageOfCall(provider)).toBe(
      'The provider my-llm is not configured correctly here: it needs a base URL.',
    );
    expect(availableProviders(new Map([['my-llm', provider]]), SETTINGS)).toEqual(new Set());
  });
});

describe('the providers in force', () => {
  it('follow the document, and keep what has not changed', async () => {
    const { options } = recording();
    let document: ProvidersDocument = { providers: [] };
    const live = new LiveProviders(options, async () => document);
    const standard = live.get('openai');
    await live.refresh();
    expect(live.get('openai')).toBe(standard);

    const lab = {
      name: 'my-llm',
      protocol: 'openai',
      baseUrl: 'https://llm.example.com',
      models: ['llama-*'],
    } as const;
    document = { providers: [lab] };
    const routes = await live.refresh();
    expect(routes).toEqual(storedRoutes([lab]));
    expect(await live.refresh()).toBe(routes);
    const made = live.get('my-llm');
    expect(made?.name).toBe('my-llm');

    document = { providers: [lab, openai({ state: 'disabled' })] };
    await live.refresh();
    expect([live.get('my-llm') === made, live.has('openai'), live.isDisabled('openai')]).toEqual([true, false, true]);
    expect([...live.values()].map(({ name }) => name)).not.toContain('openai');

    document = { providers: [{ ...lab, baseUrl: 'https://other.example.com' }] };
    await live.refresh();
    expect([live.get('my-llm') === made, live.get('openai') === standard]).toEqual([false, true]);
  });

  it('have another identity at another address, with other capabilities and with another key of the settings', async () => {
    const { options } = recording();
    let settings = SETTINGS;
    let document: ProvidersDocument = { providers: [] };
    const live = new LiveProviders({ ...options, settings: async () => settings }, async () => document);
    const identity = async () => {
      await live.refresh();
      return live.identityOf('openai');
    };
    const first = await identity();
    settings = { ...SETTINGS, ANTHROPIC_API_KEY: 'another' };
    expect(await identity()).toBe(first);
    settings = { ...SETTINGS, OPENAI_API_KEY: 'another' };
    const identities = [first, await identity()];
    for (const more of [{}, { baseUrl: 'https://one.example.com/v1' }, { capabilities: { strictTools: true } }]) {
      document = { providers: [openai(more)] };
      identities.push(await identity());
    }
    const elsewhere = { ...options, baseUrls: { ...SETTINGS, OPENAI_BASE_URL: 'https://eu.example.com/v1' } };
    identities.push(await new LiveProviders(elsewhere).identityOf('openai'));
    expect(new Set(identities).size).toBe(identities.length);
  });

  it('are not changed by a document that cannot be read', async () => {
    const failure = new Error('away');
    const live = new LiveProviders(recording().options, () => Promise.reject(failure));
    await expect(live.refresh()).rejects.toBe(failure);
  });
});
