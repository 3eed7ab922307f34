import { describe, expect, test } from '@jest/globals';
import { GITHUB_TOKEN } from '../../contract/inspection/planted-secret.ts';
import { APIS, type ResponseApi, sse } from './answer-formats.ts';
import { ask, CHAT, CHAT_END, COMPLETIONS, FINE, GEMINI, LEAK, MARK, streamOf } from './answers.ts';

describe('log probabilities', () => {
  const { chat } = APIS as { chat: ResponseApi };
  const withTokens = (tokens: readonly string[], said: string) => {
    const logprobs = { content: tokens.map((token) => ({ token, logprob: -1, top_logprobs: [] })) };
    const body = String(chat.whole(said).body).replace(
      '"finish_reason"',
      () => `"logprobs":${JSON.stringify(logprobs)},"finish_reason"`,
    );
    return ask(chat, { body, type: 'application/json' });
  };

  test('that spell another text than the response are inspected', async () => {
    const { text } = await withTokens([...JSON.parse(LEAK)], FINE);
    expect(text).not.toContain(JSON.stringify([...GITHUB_TOKEN].slice(0, 9)).slice(1, -1));
    expect(text).toContain('"logprobs":null');
  });

  test('that spell the response are returned', async () => {
    expect((await withTokens(['All is', ' well.'], FINE)).text).toContain('"token":" well."');
  });
});

describe('log probabilities as numbers and names', () => {
  const chars = (text: string) => [...Buffer.from(text)];
  const chatOf = (logprobs: object) =>
    JSON.stringify({ choices: [{ index: 0, message: { content: 'Hi' }, logprobs, finish_reason: 'stop' }] });
  const geminiOf = (logprobsResult: object) =>
    JSON.stringify({
      candidates: [{ index: 0, content: { parts: [{ text: 'Hi' }] }, logprobsResult, finishReason: 'STOP' }],
    });
  const split = [GITHUB_TOKEN.slice(0, 7), GITHUB_TOKEN.slice(7)];
  const entry = (token: string, text: string) => ({ token, logprob: -1, bytes: chars(text) });

  test.each<[string, ResponseApi | undefined, string]>([
    [
      'bytes of tokens',
      CHAT,
      chatOf({ content: split.map((text, at) => ({ ...entry(['H', 'i'][at] ?? '', text), top_logprobs: [] })) }),
    ],
    [
      'bytes of alternatives',
      CHAT,
      chatOf({
        content: split.map((text, at) => ({
          ...entry('', 'Hi'[at] ?? ''),
          token: 'Hi'[at],
          top_logprobs: [entry('a', text)],
        })),
      }),
    ],
    [
      'names of alternatives',
      COMPLETIONS,
      JSON.stringify({
        choices: [
          {
            index: 0,
            text: 'Hi',
            logprobs: { tokens: ['Hi'], top_logprobs: split.map((text) => ({ [text]: -1 })) },
            finish_reason: 'stop',
          },
        ],
      }),
    ],
    ['names beside tokens', CHAT, chatOf({ content: [{ ...entry('Hi', 'Hi'), [GITHUB_TOKEN]: 1 }] })],
    [
      'alternatives of one rank',
      GEMINI,
      geminiOf({
        chosenCandidates: [{ token: 'Hi' }],
        topCandidates: split.map((token) => ({ candidates: [{ token: 'x' }, { token }] })),
      }),
    ],
  ])('are inspected: %s', async (_, api, body) => {
    const { text } = await ask(api as ResponseApi, { body, type: 'application/json' });
    expect(text).toContain('"action":"redact"');
    expect(text).toMatch(/"logprobs(?:Result)?":null/);
  });

  const letters = [...GITHUB_TOKEN];
  const BYTES: readonly (readonly [string, unknown])[] = [
    ['strings', letters],
    ['a string', GITHUB_TOKEN],
    ['objects', [{ text: GITHUB_TOKEN }]],
    ['lists', [chars(GITHUB_TOKEN)]],
    ['an object', { ...chars(GITHUB_TOKEN) }],
    ['numbers beyond a byte', chars(GITHUB_TOKEN).map((byte) => byte + 256)],
    ['negative numbers', chars(GITHUB_TOKEN).map((byte) => byte - 256)],
    ['fractions', chars(GITHUB_TOKEN).map((byte) => byte + 0.5)],
    ['numbers as text', chars(GITHUB_TOKEN).map(String)],
    ['a word among numbers', [72, 105, GITHUB_TOKEN]],
  ];
  test.each(BYTES)('whose bytes are %s are an error of the provider', async (_, bytes) => {
    const body = chatOf({ content: [{ token: 'Hi', logprob: -1, bytes, top_logprobs: [] }] });
    const whole = await ask(CHAT as ResponseApi, { body, type: 'application/json' });
    expect([whole.status, whole.text.includes(MARK)]).toEqual([502, false]);
    const logprobs = { content: [{ token: 'Hi', logprob: -1, top_logprobs: [{ token: 'x', logprob: -1, bytes }] }] };
    const event = JSON.stringify({ id: 'c1', choices: [{ index: 0, delta: { content: 'Hi' }, logprobs }] });
    const { text } = await ask(streamOf(CHAT), sse(event, ...CHAT_END));
    expect(text).toContain('provider_error');
    expect(text).not.toContain('"bytes"');
  });

  test('are returned if they spell the response, also with multi-byte letters', async () => {
    const [first, second] = [chars('é').slice(0, 1), chars('é').slice(1)];
    const content = [
      { token: 'H', logprob: -1, bytes: chars('H'), top_logprobs: [entry('h', 'h'), entry('J', 'J')] },
      { token: 'é', logprob: -1, bytes: [...first, ...second], top_logprobs: [] },
      { token: '\\xc3', logprob: -1, bytes: first, top_logprobs: [] },
      { token: '\\xa9', logprob: -1, bytes: second, top_logprobs: [] },
    ];
    const { text } = await ask(CHAT as ResponseApi, { body: chatOf({ content }), type: 'application/json' });
    expect(text).toContain(JSON.stringify({ content }).slice(1, -1));
    expect(text).toContain('"action":"allow"');
  });
});
