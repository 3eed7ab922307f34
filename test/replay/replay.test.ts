import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ALL_RULES } from '../../functions/inspection/detectors/index.ts';
import { Policy, Redaction } from '../../functions/inspection/index.ts';
import { Inspector } from '../../functions/inspection/inspector/index.ts';
import { OutputGuard } from '../../functions/inspection/output/output-guard.ts';
import { GatewayError } from '../../functions/kernel/errors/index.ts';
import type { HttpClient } from '../../functions/kernel/http/index.ts';
import { readJsonDocument } from '../../functions/kernel/json/index.ts';
import { runningRequest, writerOf } from '../../functions/pipeline/running-request.fixture.ts';
import { type ChatProvider, type Protocol, Translation } from '../../functions/translation/index.ts';
import { MESSAGES_PROTOCOL } from '../../functions/translation/protocols/anthropic-messages/messages-protocol.ts';
import { MESSAGES_FRAMING } from '../../functions/translation/protocols/anthropic-messages/messages-response-format.ts';
import { geminiProtocol } from '../../functions/translation/protocols/gemini/gemini-protocol.ts';
import { GEMINI_FRAMING } from '../../functions/translation/protocols/gemini/gemini-response-format.ts';
import { CHAT_PROTOCOL } from '../../functions/translation/protocols/openai-chat/chat-protocol.ts';
import { CHAT_FRAMING } from '../../functions/translation/protocols/openai-chat/chat-response-format.ts';
import type { StreamFraming } from '../../functions/translation/protocols/protocol.ts';
import { AnthropicProvider } from '../../functions/translation/providers/anthropic/anthropic-provider.ts';
import { GeminiProvider } from '../../functions/translation/providers/gemini/gemini-provider.ts';
import { OpenAiProvider } from '../../functions/translation/providers/openai/openai-provider.ts';
import { OPENAI_DIALECT } from '../../functions/translation/providers/openai/to-openai-request.ts';
import { byDayOrNight } from '../support/night.ts';

const OPTIONS = {
  apiKey: async () => 'k',
  keyVariable: 'K',
  baseUrl: 'https://host',
  headTimeoutMs: 1,
  idleTimeoutMs: 1,
};
const PROVIDERS: Readonly<Record<string, (http: HttpClient) => ChatProvider>> = {
  openai: (http) => new OpenAiProvider({ ...OPTIONS, http, name: 'openai', dialect: OPENAI_DIALECT }),
  anthropic: (http) => new AnthropicProvider({ ...OPTIONS, http, name: 'anthropic' }),
  gemini: (http) => new GeminiProvider({ ...OPTIONS, http, name: 'gemini' }),
};

interface Caller {
  readonly protocol: Protocol<never>;
  readonly framing: StreamFraming;
  readonly body: object;
}

const MESSAGES = [{ role: 'user', content: 'Hello' }];
/** Callers by the provider whose API they speak. */
const CALLERS: Readonly<Record<string, Caller>> = {
  openai: {
    protocol: CHAT_PROTOCOL as Protocol<never>,
    framing: CHAT_FRAMING,
    body: { model: 'm', messages: MESSAGES, stream: true, stream_options: { include_usage: true } },
  },
  anthropic: {
    protocol: MESSAGES_PROTOCOL as Protocol<never>,
    framing: MESSAGES_FRAMING,
    body: { model: 'm', max_tokens: 50, messages: MESSAGES, stream: true },
  },
  gemini: {
    protocol: geminiProtocol('m', true) as Protocol<never>,
    framing: GEMINI_FRAMING,
    body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  },
};

/** Rules that hold text back: what leaves when must not depend on how the bytes came. */
const HOLDING = new Inspector(ALL_RULES.filter(({ type, id }) => type === 'secret' || id.startsWith('test-text/')));
/** Golden streams are to change with what we translate, not with what we detect. */
const NOTHING = new Inspector([]);

/** What a caller gets of a provider's stream that arrives in these pieces: its text, and how it failed where it did. */
async function replay(
  provider: string,
  caller: string,
  pieces: readonly Uint8Array[],
  inspector = HOLDING,
): Promise<string> {
  const { protocol, framing, body } = CALLERS[caller] as Caller;
  const source = readJsonDocument(JSON.stringify(body));
  const asked = protocol.check(source);
  const request = protocol.read(asked);
  const clock = { now: () => 1_763_712_000_000, monotonic: () => 0 };
  const running = runningRequest({ requestId: 'req_0a1b', route: '/v1', clock });
  const head = { requestId: 'req_0a1b', created: 1_763_712_000, model: 'm' };
  const format = protocol.format(request, head, { asked, sent: asked });
  const unseen = { inputTokens: 99, outputTokens: 3 };
  running.outcome.usage.sends(request, { unseen, isBilled: true });
  running.outcome.routed = { targets: [{ provider, model: 'm' }], alternativeModels: [], route: undefined };
  const writer = writerOf(running, format);
  const guard = new OutputGuard(inspector, new Policy({}), new Redaction('test'), () => {}, { streams: true });
  const http: HttpClient = {
    send: async () => ({ status: 200, headers: {}, body: arriving(pieces) }),
  };
  const { operation } = protocol;
  const subject = (PROVIDERS[provider] as (http: HttpClient) => ChatProvider)(http);
  const call = {
    operation,
    source,
    request,
    model: 'm',
    translation: new Translation('openai'),
    signal: new AbortController().signal,
  };
  let text = '';
  try {
    const answer = await subject.complete(call);
    if (answer.kind !== 'native-stream' && answer.kind !== 'translated-stream') throw new Error('no stream');
    for await (const events of writer.stream(answer, { guard }))
      text += events.map((json) => framing.event(json)).join('');
    return withoutLot(text + framing.end);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return withoutLot(`${text}failed: ${error.code}, ${error.internal}\n`);
  }
}

/** Google gives calls no id: those that they get are drawn by lot. */
function withoutLot(text: string): string {
  return text.replaceAll(/call_[0-9a-f]{16}_/g, 'call_by_lot_');
}

/** What was found is no part of the protocol. */
function withoutSvc(text: string): string {
  return text.replaceAll(/^data: (\{.*"svc":.*\})$/gm, (line, json: string) => {
    const { svc } = JSON.parse(json) as { svc?: unknown };
    return line.replace(JSON.stringify(svc), '{}');
  });
}

async function* arriving(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

const FOLDER = new URL('../../functions/translation/providers/', import.meta.url);
const RECORDED = Object.keys(PROVIDERS).flatMap((provider) =>
  readdirSync(new URL(`${provider}/__fixtures__/`, FOLDER))
    .filter((name) => name.endsWith('.sse'))
    .map((name) => [provider, name] as const),
);

describe.each(RECORDED)('%s, %s', (provider, name) => {
  const bytes = readFileSync(new URL(`${provider}/__fixtures__/${name}`, FOLDER));

  it.each(Object.keys(CALLERS))('gives a caller of %s the same wherever the bytes are cut', async (caller) => {
    expect(withoutSvc(await replay(provider, caller, [bytes], NOTHING))).toMatchSnapshot();
    const whole = await replay(provider, caller, [bytes]);
    const step = (caller === provider ? 1 : 7) * byDayOrNight(11, 1);
    for (let cut = 1; cut < bytes.length; cut += step) {
      const text = await replay(provider, caller, [bytes.subarray(0, cut), bytes.subarray(cut)]);
      if (text !== whole) throw new Error(`cut at ${cut}:\n${text}\ninstead of\n${whole}`);
    }
    const single = [...bytes].map((byte) => Uint8Array.of(byte));
    expect(await replay(provider, caller, single)).toBe(whole);
  });
});
