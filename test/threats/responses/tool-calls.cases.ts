import { beforeAll, describe, expect, test } from '@jest/globals';
import { GITHUB_TOKEN } from '../../contract/inspection/planted-secret.ts';
import type { Exchange } from '../../fidelity/gateway.ts';
import type { Answer } from '../../fidelity/upstream.ts';
import { someByDay } from '../../support/night.ts';
import { AGENT_CALLS, CALL_PLACES, HOSTED } from './agent-calls.ts';
import { APIS, jsonsIn, type ResponseApi, sse } from './answer-formats.ts';
import { gateway } from './answers.ts';

const keys = new Map<string, string>();
beforeAll(async () => {
  for (const preset of ['strict', 'balanced'])
    keys.set(preset, await gateway.newKey({ preset, output: { tool_misuse: { action: 'off' } } }));
});

const ADDRESS = 'maria.keller@firma-nord.de';

async function ask(api: ResponseApi, answer: Answer, preset = 'strict', body = api.body): Promise<Exchange> {
  const headers = { authorization: `Bearer ${keys.get(preset)}` };
  const { path, type = 'application/json' } = api;
  const [exchange] = await gateway.askAll([{ path, body, type, headers, answer }]);
  return exchange as Exchange;
}

interface Svc {
  readonly action: string;
  readonly detected_threats: readonly { readonly type: string; readonly rule: string; readonly action: string }[];
}

function svcIn(text: string): Svc {
  const holders = jsonsIn(text).flatMap((json) => [json, json.response, json.message]);
  return holders.map((holder) => Object(holder).svc as Svc | undefined).findLast((svc) => svc !== undefined) as Svc;
}

/** Every string of a response but `svc`, joined by its member's name as a client joins deltas. */
function joinedIn(text: string): string {
  const byName = new Map<string, string>();
  const visit = (value: unknown, name: string): void => {
    if (typeof value === 'string') byName.set(name, (byName.get(name) ?? '') + value);
    if (typeof value !== 'object' || value === null) return;
    for (const [at, one] of Object.entries(value)) if (at !== 'svc') visit(one, Array.isArray(value) ? name : at);
  };
  for (const json of jsonsIn(text)) visit(json, '');
  return [...byName.values()].join('\n');
}

describe.each(CALL_PLACES)('in %s, %#', (place, api, answerOf) => {
  test('personal data passes and is flagged', async () => {
    const { status, text } = await ask(api, answerOf(ADDRESS));
    expect([status, joinedIn(text)]).toEqual([200, expect.stringContaining(ADDRESS)]);
    expect(text).not.toContain('[REDACTED_');
    const { action, detected_threats } = svcIn(text);
    expect([action, new Set(detected_threats.map(({ type, action }) => `${type} ${action}`))]).toEqual([
      'flag',
      new Set(['pii flag']),
    ]);
  });

  test.each([
    ['a secret', GITHUB_TOKEN],
    ['the test text', 'SVC-TEST-REDACT-7f3a'],
  ])('%s blocks a call of the client, and is removed from one that the provider has executed', async (__, secret) => {
    for (const preset of ['strict', 'balanced']) {
      const { status, text } = await ask(api, answerOf(secret), preset);
      expect(joinedIn(text)).not.toContain(secret);
      if (HOSTED.test(place)) {
        expect([svcIn(text).action, text]).toEqual(['redact', expect.stringContaining('[REDACTED_')]);
        continue;
      }
      expect([status, text]).toEqual([200, expect.not.stringContaining('[REDACTED_')]);
      const { action, detected_threats } = svcIn(text);
      expect([action, detected_threats[0]]).toMatchObject(['block', { type: 'secret', action: 'block' }]);
      expect(text).not.toMatch(/"(?:finish_reason|stop_reason)":"(?:tool_calls|tool_use)"|"status":"completed"/);
    }
  });
});

test.each(['strict', 'balanced'])('no call of mail and office agents is changed under %s', async (preset) => {
  const { chat, messages, gemini } = APIS as Record<string, ResponseApi>;
  for (const [at, [name, args]] of AGENT_CALLS.entries()) {
    const call = { id: 'c', type: 'function', function: { name, arguments: JSON.stringify(args) } };
    const answers: [ResponseApi | undefined, object, object][] = [
      [chat, { choices: [{ index: 0, message: { tool_calls: [call] }, finish_reason: 'tool_calls' }] }, call],
      [
        messages,
        {
          ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', stop_reason: 'tool_use', usage: {} },
          content: [{ type: 'tool_use', id: 't', name, input: args }],
        },
        { type: 'tool_use', id: 't', name, input: args },
      ],
      [
        gemini,
        { candidates: [{ index: 0, content: { parts: [{ functionCall: { name, args } }] }, finishReason: 'STOP' }] },
        { functionCall: { name, args } },
      ],
    ];
    for (const [api, body, expected] of someByDay(answers, 1, at)) {
      const answer = { body: JSON.stringify(body), type: 'application/json' };
      const { text } = await ask(api as ResponseApi, answer, preset);
      expect(text).toContain(JSON.stringify(expected));
      expect(['allow', 'flag']).toContain(svcIn(text).action);
    }
  }
});

describe('a placeholder in a call that leads to no value', () => {
  const { chat } = APIS as Record<'chat', ResponseApi>;
  const answer = (to: string): Answer => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: JSON.stringify({ to }) } };
    const choice = { index: 0, message: { tool_calls: [call] }, finish_reason: 'tool_calls' };
    return { body: JSON.stringify({ choices: [choice] }), type: 'application/json' };
  };
  const asking = (...messages: object[]) => ({
    ...chat,
    body: (lane: number) => JSON.stringify({ model: `gpt-w${lane}`, messages }),
  });
  const user = (content: string) => ({ role: 'user', content });
  const assistant = (content: string) => ({ role: 'assistant', content });
  const called = (to: string) => ({
    role: 'assistant',
    tool_calls: [{ id: 'p', type: 'function', function: { name: 'f', arguments: JSON.stringify({ to }) } }],
  });
  const result = (content: string) => ({ role: 'tool', tool_call_id: 'p', content });

  test.each([
    ['of a secret of the user', [user(`Use ${GITHUB_TOKEN}.`)], '[REDACTED_GITHUB_TOKEN]'],
    ['of a secret in an earlier call', [user('Go'), called(GITHUB_TOKEN), result('ok')], '[REDACTED_GITHUB_TOKEN]'],
    ['of a secret in a result', [user('Go'), called('a'), result(GITHUB_TOKEN)], '[REDACTED_GITHUB_TOKEN]'],
    ['of an earlier response', [user('Hi'), assistant('Ask [REDACTED_EMAIL].'), user('Do')], '[REDACTED_EMAIL]'],
    ['that the model made up', [user(`Write to ${ADDRESS}.`)], '[EMAIL_00000]'],
    [
      'of an earlier request',
      [user('Hi'), assistant('See https://a.example/?q=[EMAIL_48213]'), user('Do')],
      '[EMAIL_48213]',
    ],
  ])('blocks the call: %s', async (_, messages, marker) => {
    for (const text of [marker, `to ${marker}`, `${marker}${marker}`]) {
      const exchange = await ask(asking(...messages), answer(text));
      const { action, detected_threats } = svcIn(exchange.text);
      expect([action, detected_threats.at(-1)]).toMatchObject([
        'block',
        { rule: 'redaction/lost-value', action: 'block' },
      ]);
      expect(exchange.text).not.toContain('tool_calls":[');
    }
  });

  test.each([
    ['the user wrote', [user('Replace addresses by [REDACTED_EMAIL] and [EMAIL_12345].')]],
    ['a file holds', [user('Edit it'), called('a.py'), result('return "[REDACTED_EMAIL]" + "[EMAIL_12345]"')]],
    ['the model invented', [user('Write a redactor for logs')]],
    [
      'an earlier call had',
      [
        user('Go'),
        assistant('I use [REDACTED_EMAIL] and [EMAIL_12345].'),
        called('[REDACTED_EMAIL][EMAIL_12345]'),
        result('ok'),
      ],
    ],
  ])('passes if %s it', async (_, messages) => {
    for (const text of ['[REDACTED_EMAIL]', 'a [EMAIL_12345] b']) {
      const exchange = await ask(asking(...messages), answer(text));
      expect([svcIn(exchange.text).action, exchange.text]).toEqual(['allow', expect.stringContaining(text)]);
    }
  });

  test('passes if the policy allows it', async () => {
    keys.set('allowing', await gateway.newKey({ preset: 'strict', allow: [{ rules: ['redaction/lost-value'] }] }));
    const api = asking(user(`Use ${GITHUB_TOKEN}.`));
    const { text } = await ask(api, answer('[REDACTED_GITHUB_TOKEN]'), 'allowing');
    expect(text).toContain(JSON.stringify(JSON.stringify({ to: '[REDACTED_GITHUB_TOKEN]' })));
  });

  test('is in no call that has a value for it', async () => {
    const first = await ask(asking(user(`Write to ${ADDRESS}.`)), answer('a'));
    const [placeholder = 'none'] = /\[EMAIL_\d+\]/.exec(String(first.sent?.body)) ?? [];
    const { text } = await ask(asking(user(`Write to ${ADDRESS}.`)), answer(placeholder));
    expect(text).toContain(JSON.stringify(JSON.stringify({ to: ADDRESS })));
  });
});

test('a placeholder that is split over the chunks of a streamed argument is restored, or blocks the call', async () => {
  const { gemini } = APIS as Record<'gemini', ResponseApi>;
  const body = () => JSON.stringify({ contents: [{ role: 'user', parts: [{ text: `Write to ${ADDRESS}.` }] }] });
  const api = { ...gemini, ...gemini.streamed, body } as ResponseApi;
  const chunk = (functionCall: object, more: object = {}) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ functionCall }] }, ...more }],
  });
  const argument = (stringValue: string) =>
    chunk({ partialArgs: [{ jsonPath: '$.to', stringValue, willContinue: true }], willContinue: true });
  const answer = (to: string, at: number) =>
    sse(
      ...[
        chunk({ name: 'write', willContinue: true }),
        argument(`to ${to.slice(0, at)}`),
        argument(`${to.slice(at)} now`),
        chunk({}, { finishReason: 'STOP' }),
      ].map((one) => JSON.stringify(one)),
    );
  const first = await ask(api, answer('a', 0));
  const [placeholder = 'none'] = /\[EMAIL_\d+\]/.exec(String(first.sent?.body)) ?? [];
  for (let at = 0; at <= placeholder.length; at += 1) {
    expect(joinedIn((await ask(api, answer(placeholder, at))).text)).toContain(`to ${ADDRESS} now`);
    const { text } = await ask(api, answer('[EMAIL_00000]', at));
    expect([svcIn(text).action, svcIn(text).detected_threats.at(-1)?.rule]).toEqual(['block', 'redaction/lost-value']);
  }
});

test('an event in place of a whole message is an error of the provider, also if a call in it is blocked', async () => {
  const api = APIS.messages as ResponseApi;
  const call = { type: 'tool_use', id: 't', name: 'f', input: { a: GITHUB_TOKEN } };
  const body = JSON.stringify({ type: 'content_block_start', index: 0, content_block: call });
  const { status, text } = await ask(api, { type: 'application/json', body });
  expect([status, text]).toEqual([502, expect.not.stringContaining(GITHUB_TOKEN)]);
});
