import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { type Contract, saying } from '../contract.ts';
import { expectError, parsed, type Reply } from '../reply.ts';
import { GITHUB_TOKEN } from './planted-secret.ts';

const ZEUS = { id: 'zeus', literals: ['Project Zeus'], ignoreCase: true, category: 'project_name' };
const CODE = { id: 'code', pattern: '\\bACME-\\d{4,6}\\b', action: 'redact' };
const LEAK = 'The part ACME-12345 is ready.';
const CLEAN = 'The part [REDACTED_CUSTOM] is ready.';

/** A key's custom rules, allow list, banned topics, shadow policy and evidence. */
export function customRuleContract(contract: Contract): void {
  const keyWith = (policy: object) => contract.newKey({ policy });
  const guard = (body: object) => contract.call('/guard', JSON.stringify(body));

  describe("a policy's own rule", () => {
    test('blocks a request before any provider is called, in disguises too', async () => {
      const key = await keyWith({ rules: [{ ...ZEUS, action: 'block' }] });
      const before = contract.upstream.requests.length;
      for (const text of ['What is project zeus?', 'What is PROJECT\nZEUS?', 'What is Projесt Ze\u200bus?']) {
        const reply = await contract.chat(saying(text), { key });
        expectError({ ...reply, json: { error: reply.json.error } }, 'content_filter', 'messages[0].content');
        expect(reply.json.svc.detected_threats).toContainEqual(
          expect.objectContaining({ rule: 'custom/zeus', type: 'secret', category: 'project_name', action: 'block' }),
        );
      }
      expect(contract.upstream.requests).toHaveLength(before);
    });

    test('redacts requests and responses', async () => {
      const key = await keyWith({ rules: [CODE] });
      contract.upstream.next({ text: LEAK });
      const { json } = await contract.chat(saying('What of ACME-99999?'), { key });
      expect(contract.sent.body).toContain('What of [REDACTED_CUSTOM]?');
      expect(json.choices[0].message.content).toBe(CLEAN);
    });

    test('redacts a stream that is split anywhere', async () => {
      const key = await keyWith({ rules: [CODE] });
      for (let at = 1; at < LEAK.length; at += 1) {
        contract.upstream.next({ pieces: [LEAK.slice(0, at), LEAK.slice(at)] });
        const { status, content } = await contract.stream(saying('Hi'), { key });
        expect({ at, status, content }).toEqual({ at, status: 200, content: CLEAN });
      }
    });

    test('ends a stream at the blocked text, and keeps the text before', async () => {
      const key = await keyWith({ rules: [{ ...CODE, action: 'block' }] });
      contract.upstream.next({ pieces: [...LEAK] });
      const { content, finishReason, done } = await contract.stream(saying('Hi'), { key });
      expect({ content, finishReason, done }).toEqual({
        content: 'The part ',
        finishReason: 'content_filter',
        done: true,
      });
    });
  });

  describe('the allow list of a policy', () => {
    test('removes findings inside allowed text, and no others', async () => {
      const key = await keyWith({ preset: 'strict', allow: [{ literal: 'help@example.com', rules: ['pii'] }] });
      const { json } = await contract.chat(saying('Write to help@example.com, not to ada@lovelace.dev'), { key });
      expect(contract.sent.body).toMatch(/Write to help@example\.com, not to \[EMAIL_\d{5}\]/);
      expect(json.svc.detected_threats).toHaveLength(1);
    });

    test('silences a rule, but no test text', async () => {
      const key = await keyWith({ preset: 'strict', allow: [{ rules: ['pii', 'test-text/block'] }] });
      expect((await contract.chat(saying('ada@lovelace.dev'), { key })).json.svc.detected_threats).toEqual([]);
      expectErrorCode(await contract.chat(saying('SVC-TEST-BLOCK-7f3a'), { key }));
    });
  });

  test('a banned topic is blocked if enough of its words are near each other', async () => {
    const bannedTopics = [
      { name: 'gambling', action: 'block' },
      { name: 'rivals', keywords: ['Initech', 'Hooli'], threshold: 1, action: 'flag' },
    ];
    const key = await keyWith({ bannedTopics });
    expectErrorCode(await contract.chat(saying('Which blackjack bets have the best odds?'), { key }));
    contract.upstream.next({ text: 'No.' });
    const { status, json } = await contract.chat(saying('I bet that Hooli is cheaper.'), { key });
    expect([status, json.svc.action, json.svc.threat_score < 0.5]).toEqual([200, 'flag', true]);
    expect(json.svc.detected_threats).toMatchObject([{ rule: 'topic/rivals', category: 'banned_topic' }]);
  });

  test('a shadow policy changes nothing and is recorded', async () => {
    const key = await keyWith({ shadow: { rules: [{ ...ZEUS, action: 'block' }] } });
    contract.upstream.next({ text: 'Nothing.' });
    const { status, headers, json } = await contract.chat(saying('What is Project Zeus?'), { key });
    expect([status, json.svc.action]).toEqual([200, 'allow']);
    const id = headers.get('x-request-id');
    const told = { action: 'allow', shadow: { action: 'block', threats: { secret: 1 } } };
    expect(await logged(contract, (line) => line.requestId === id)).toMatchObject(told);
    const stored = ({ json: list }: Reply) => list.data.find((record: { id: string }) => record.id === id);
    const listed = await contract.settled(
      () => contract.analytics('/requests'),
      (reply) => stored(reply) !== undefined,
    );
    expect(stored(listed)).toMatchObject(told);
  });

  test('evidence is masked, and only the caller gets it', async () => {
    const shown = { output: `${GITHUB_TOKEN} and ACME-4711`, policy: { evidence: true, rules: [CODE] } };
    const { text, json, headers } = await guard(shown);
    const excerpt = `gh***${GITHUB_TOKEN.slice(-2)}`;
    expect(json.svc.detected_threats).toMatchObject([
      { evidence: `${excerpt} (32 to 63 characters)` },
      { evidence: 'A***1 (8 to 15 characters)' },
    ]);
    expect(text).not.toContain(GITHUB_TOKEN.slice(2, 8));
    await logged(contract, (line) => line.requestId === headers.get('x-request-id'));
    for (const planted of [excerpt, 'A***1', GITHUB_TOKEN, 'ACME-4711', 'evidence']) {
      expect(contract.service.logs()).not.toContain(planted);
    }
    expect((await guard({ ...shown, policy: { rules: [CODE] } })).text).not.toContain('evidence');
  });

  test('rules in a guard call are not run on a very long text', async () => {
    const rules = [{ ...CODE }];
    expectError(await guard({ input: LONG, policy: { rules } }), 'invalid_value', 'policy');
    expectError(await guard({ input: LONG, policy: { shadow: { rules } } }), 'invalid_value', 'policy');
    expect((await guard({ input: LONG, policy: { preset: 'strict' } })).status).toBe(200);
  });

  describe('a policy that is refused, when saved and when sent', () => {
    const rule = (fields: object) => ({ rules: [{ ...CODE }, { id: 'b', action: 'flag', ...fields }] });

    test.each<[string, object, string, RegExp]>([
      ['look-around', rule({ pattern: 'a(?!b)' }), 'policy.rules[1].pattern', /lookahead is not supported/],
      ['a back-reference', rule({ pattern: '(a)\\1' }), 'policy.rules[1].pattern', /backreferences/],
      ['the empty string', rule({ pattern: 'a?' }), 'policy.rules[1].pattern', /empty string/],
      [
        'a failed example',
        rule({ literals: ['a'], tests: { match: ['b'] } }),
        'policy.rules[1].tests.match[0]',
        /does not match/,
      ],
      ['an id twice', rule({ id: 'code', pattern: 'a' }), 'policy.rules[1].id', /twice/],
      ['a rule that only allows', { rules: [{ ...CODE, action: 'allow' }] }, 'policy.rules[0].action', /./],
      [
        'a topic of no family',
        { bannedTopics: [{ name: 'cats', action: 'flag' }] },
        'policy.bannedTopics[0].keywords',
        /./,
      ],
      ['a pattern of its shadow', { shadow: rule({ pattern: '(' }) }, 'policy.shadow.rules[1].pattern', /unclosed/],
      [
        'a list for tool calls that is missing',
        {
          tools: { rules: [{ id: 'to', tool: 'send', action: 'ask', args: { 'to[*]': { from: ['list:friends'] } } }] },
        },
        'policy.tools.rules[0].args["to[*]"].from[0]',
        /not in 'lists'/,
      ],
      [
        'a bad glob of tools',
        { tools: { effects: { 'get_[a-z]': 'read' } } },
        'policy.tools.effects["get_[a-z]"]',
        /no other wildcard/,
      ],
      ['too long a policy', { rules: Array.from({ length: 50 }, (_, at) => long(at)) }, 'policy', /longer than 65536/],
    ])('%s', async (_, policy, param, reason) => {
      const { id } = await contract.createKey();
      const refusals = [
        await contract.admin('POST', '/keys', { name: 'x', policy }),
        await contract.admin('PATCH', `/keys/${id}`, { policy }),
        await guard({ input: 'a', policy }),
      ];
      for (const { status, json } of refusals) {
        expect({ status, param: json.error.param }).toEqual({ status: 400, param });
        expect(json.error.message).toMatch(reason);
      }
    });
  });
}

/** A text that is too long for custom rules. */
const LONG = 'a '.repeat(131_072);

function long(at: number) {
  return {
    id: `r${at}`,
    literals: Array.from({ length: 20 }, (_, more) => `${at}-${more}`.padEnd(100, 'x')),
    action: 'flag',
  };
}

function expectErrorCode({
  status,
  json,
}: {
  readonly status: number;
  readonly json: { readonly error?: { code: string } };
}) {
  expect([status, json.error?.code]).toEqual([400, 'content_filter']);
}

async function logged(contract: Contract, fits: (line: Record<string, unknown>) => boolean) {
  const lines = () => contract.service.logs().split('\n');
  const find = () =>
    lines()
      .map((line) => (parsed(line) ?? {}) as Record<string, unknown>)
      .find(fits);
  return eventually(find);
}
