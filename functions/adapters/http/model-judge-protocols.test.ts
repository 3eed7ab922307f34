import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { DEADLINE_MS } from '../../../test/support/eventually.ts';
import { createProviders } from '../../translation/providers/configured-providers.ts';
import type { ChatProvider } from '../../translation/routing/provider.ts';
import { providerConnections } from '../provider-connections.ts';
import { type DetectorReply, type DetectorServer, startDetectorServer } from './detector-server.fixture.ts';
import { CODES, COST, type Codes, codesIn, open, recorded, spent, TEXT, verdictOn } from './model-judge.fixture.ts';

describe('each protocol', () => {
  let server: DetectorServer;
  beforeAll(async () => {
    server = await startDetectorServer();
  });
  afterAll(() => server.close());
  afterEach(() => {
    server.seen.length = 0;
  });

  const SYSTEM = expect.stringMatching(/^You are a security classifier\./);
  const QUESTION = expect.stringContaining(`\n"${TEXT}"\nEND `);
  const CALLS: Readonly<
    Record<string, { path: string; body: object; reply: (text: string) => object; model?: string }>
  > = {
    openai: {
      path: '/v1/chat/completions',
      body: {
        model: 'model-1',
        messages: [
          { role: 'system', content: SYSTEM },
          { role: 'user', content: QUESTION },
        ],
        max_completion_tokens: 32,
        temperature: 0,
      },
      reply: (content) => ({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model: 'model-1',
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 300, completion_tokens: 8, total_tokens: 308 },
      }),
    },
    anthropic: {
      path: '/v1/messages',
      body: {
        model: 'model-1',
        max_tokens: 32,
        system: [{ type: 'text', text: SYSTEM }],
        messages: [{ role: 'user', content: [{ type: 'text', text: QUESTION }] }],
        stream: false,
        temperature: 0,
      },
      reply: (text) => ({
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'model-1',
        content: [{ type: 'text', text }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 300, output_tokens: 8 },
      }),
    },
    gemini: {
      path: '/v1beta/models/model-1:generateContent',
      body: {
        systemInstruction: { parts: [{ text: SYSTEM }] },
        contents: [{ role: 'user', parts: [{ text: QUESTION }] }],
        generationConfig: { maxOutputTokens: 32, temperature: 0 },
      },
      reply: (text) => ({
        candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
        usageMetadata: { promptTokenCount: 300, candidatesTokenCount: 8, totalTokenCount: 308 },
      }),
    },
    bedrock: {
      path: '/model/model-1/converse',
      body: {
        system: [{ text: SYSTEM }],
        messages: [{ role: 'user', content: [{ text: QUESTION }] }],
        inferenceConfig: { maxTokens: 32, temperature: 0 },
      },
      reply: (text) => ({
        output: { message: { role: 'assistant', content: [{ text }] } },
        stopReason: 'end_turn',
        usage: { inputTokens: 300, outputTokens: 8, totalTokens: 308 },
        metrics: { latencyMs: 1 },
      }),
    },
  };

  function real(name: string): ChatProvider {
    const baseUrls = {
      OPENAI_BASE_URL: `${server.url}/v1`,
      ...Object.fromEntries(['ANTHROPIC', 'GEMINI', 'BEDROCK'].map((prefix) => [`${prefix}_BASE_URL`, server.url])),
      ...Object.fromEntries(Object.keys(CALLS).map((key) => [`${key.toUpperCase()}_API_KEY`, 'KEY'])),
      BEDROCK_REGION: 'eu-central-1',
    };
    const settings = async () => baseUrls;
    return createProviders({
      ...providerConnections(() => undefined),
      settings,
      baseUrls,
      echo: false,
      bedrock: false,
      timeoutMs: DEADLINE_MS,
      onFault: (fault) => {
        throw fault;
      },
    }).get(name) as ChatProvider;
  }

  describe.each(Object.entries(CALLS))('%s', (name, { path, body, reply }) => {
    const ask = (answer: (codes: Codes) => DetectorReply, signal = open()) => {
      server.answer = ({ json }) => answer(codesIn(textIn(json)));
      return verdictOn(TEXT, { providers: new Map([[name, real(name)]]), provider: name, model: 'model-1', signal });
    };

    test('gets a valid request, and its verdict and usage are read', async () => {
      expect(await ask(({ attack }) => ({ json: reply(attack) }))).toMatchObject({ findings: [{ score: 0.8 }] });
      expect(server.seen.map(({ path: asked, json }) => [asked, json])).toEqual([[path, body]]);
      expect([recorded(), spent()]).toEqual([COST, COST]);
      expect(await ask(({ harmless }) => ({ json: reply(harmless) }))).toEqual({ findings: [] });
      expect(await ask(() => ({ json: reply('harmless') }))).toEqual({ failure: 'unreadable' });
    });

    test.each([
      [400, 'refused'],
      [401, 'refused'],
      [429, 'throttled'],
      [500, 'failed'],
    ])('is called once: status %i, %s; the verdict quotes neither text nor key', async (status, failure) => {
      const message = `KEY rejects: ${TEXT}`;
      const quoting = JSON.stringify({ error: { message, type: message }, message, type: 'error' });
      const verdict = await ask(() => ({ status, headers: { 'content-type': 'application/json' }, body: quoting }));
      expect(verdict).toMatchObject({ failure, detail: expect.any(String) });
      expect(JSON.stringify(verdict)).not.toMatch(/planted|KEY/);
      expect([server.seen.length, recorded(), spent()]).toEqual([1, 0, 0]);
    });

    test('may time out, fail to respond, or return something else', async () => {
      expect(await ask(() => 'stall', AbortSignal.timeout(300))).toEqual({ failure: 'timeout' });
      expect(spent()).toBeGreaterThan(0);
      expect(await ask(() => 'reset')).toEqual({ failure: 'unreachable' });
      expect(await ask(() => ({ json: { planted: TEXT } }))).toMatchObject({ failure: 'unreadable' });
    });
  });
});

/** The question in a body of any protocol. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return CODES.test(value) ? value : '';
  return typeof value === 'object' && value !== null ? Object.values(value).map(textIn).join('') : '';
}
