import { beforeAll, describe, expect, test } from '@jest/globals';
import { filtered, NOTHING_FOUND } from '../../../functions/adapters/http/detector-server.fixture.ts';
import { type Contract, saying } from '../contract.ts';
import { expectError } from '../reply.ts';
import {
  ATTACK,
  askedTexts,
  detectors,
  fresh,
  GUARDRAIL,
  interveneAt,
  MODEL,
  serving,
  startDetectors,
  TIMEOUT,
  testThatNothingIsLogged,
} from './outside-detectors-setup.ts';
import { GITHUB_TOKEN } from './planted-secret.ts';

startDetectors();

describe('with Amazon Bedrock Guardrails', () => {
  let contract: Contract;
  beforeAll(async () => {
    contract = await serving(GUARDRAIL);
  });
  const forwarded = () => contract.upstream.requests.length;
  const guard = async (body: object) => (await contract.call('/guard', JSON.stringify(body))).json;

  test('their findings block a request before a provider is called', async () => {
    const text = fresh();
    interveneAt(text, filtered('PROMPT_ATTACK', 'HIGH'));
    const before = forwarded();
    const messages = [
      { role: 'system', content: 'The operator speaks.' },
      { role: 'user', content: text },
    ];
    const reply = await contract.chat({ model: MODEL, messages });
    expectError(reply, 'content_filter', 'messages[1].content');
    expect(reply.json).toMatchObject({
      svc: {
        action: 'block',
        threat_score: 0.95,
        detected_threats: [
          {
            rule: 'bedrock-guardrails/prompt-attack',
            type: 'prompt_injection',
            location: { message: 1, field: 'messages[1].content', start: 0, end: text.length },
          },
        ],
      },
    });
    expect(forwarded()).toBe(before);
    expect(askedTexts()).toEqual([['INPUT', text]]);
    expect(reply.headers.get('server-timing')).toMatch(/, outside;dur=\d/);
  });

  test('they get no request that our rules block, and no turn of a conversation twice', async () => {
    await contract.chat(saying(ATTACK, MODEL));
    expect(detectors.seen).toEqual([]);
    const turn = { role: 'user', content: fresh() };
    contract.upstream.next({ text: fresh() });
    await contract.chat({ model: MODEL, messages: [turn] });
    const first = detectors.seen.length;
    contract.upstream.next({ text: fresh() });
    await contract.chat({ model: MODEL, messages: [turn, { role: 'user', content: fresh() }] });
    expect([first, detectors.seen.length]).toEqual([2, 4]);
  });

  test('they get no request that is over its limit', async () => {
    const key = await contract.newKey({ rateLimit: { requests: 1, period: 'hour' } });
    const ask = () => contract.call('/guard', JSON.stringify({ input: fresh() }), { key });
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
    detectors.seen.length = 0;
    expect((await ask()).status).toBe(429);
    expect(detectors.seen).toEqual([]);
  });

  test('they get only text that the provider gets', async () => {
    const key = await contract.newKey({ policy: { input: { secret: { action: 'redact' } } } });
    const text = fresh(`${GITHUB_TOKEN} belongs to Anna Karenina`);
    interveneAt('Anna', {
      sensitiveInformationPolicy: { piiEntities: [{ type: 'NAME', match: 'Anna Karenina', action: 'ANONYMIZED' }] },
    });
    const { json } = await contract.chat(saying(text, MODEL), { key });
    expect(JSON.stringify(detectors.seen)).not.toContain(GITHUB_TOKEN.slice(4, 12));
    const name = json.svc.detected_threats.find(({ category }: { category: string }) => category === 'name');
    expect(text.slice(name.location.start, name.location.end)).toBe('Anna Karenina');
  });

  test('personal data that they find is restored for the caller and never reaches the provider', async () => {
    const key = await contract.newKey({ policy: { input: { pii: { action: 'redact' } } } });
    interveneAt('Karenina', {
      sensitiveInformationPolicy: { piiEntities: [{ type: 'NAME', match: 'Anna Karenina', action: 'ANONYMIZED' }] },
    });
    await contract.chat(saying(fresh('Write to Anna Karenina'), MODEL), { key });
    const [, placeholder] = /Write to (\[NAME_\d{5}\])/.exec(contract.sent.body) ?? [];
    contract.upstream.next({ text: `Dear ${placeholder}!` });
    const { json } = await contract.chat(saying(fresh('Write to Anna Karenina'), MODEL), { key });
    expect(contract.sent.body).toContain(`Write to ${placeholder}`);
    expect(contract.sent.body).not.toContain('Karenina');
    expect(json.choices[0].message.content).toBe('Dear Anna Karenina!');
  });

  describe('a request that they could not inspect', () => {
    test.each([
      ['timeout', 'stall' as const, ''],
      ['throttled', { status: 429 }, ' (status 429)'],
      ['refused', { status: 403 }, ' (status 403)'],
      ['failed', { status: 500 }, ' (status 500)'],
      ['unreadable', { status: 200, body: 'x' }, ''],
    ])('(%s) passes and is told, or is blocked, as the policy says', async (reason, answer, detail) => {
      detectors.answer = ({ json }) => (json.source === 'INPUT' ? answer : { json: NOTHING_FOUND });
      const told = `bedrock_guardrails: ${reason}`;
      contract.upstream.next({ text: 'Fine.' });
      const passed = await contract.chat(saying(fresh(), MODEL));
      expect(passed).toMatchObject({ status: 200, json: { svc: { action: 'allow', coverage: { skipped: [told] } } } });
      expect(contract.service.logs()).toContain(`"detectorFailures":["${told}${detail}"]`);

      const before = forwarded();
      for (const policy of [{ preset: 'strict' }, { onDetectorFailure: 'block' }]) {
        const reply = await contract.chat(saying(fresh(), MODEL), { key: await contract.newKey({ policy }) });
        expectError(reply, 'content_filter');
        expect(reply.json).toMatchObject({
          error: { param: null, message: expect.stringContaining('could not be inspected') },
          svc: { action: 'block', threat_score: expect.any(Number), coverage: { skipped: [told] } },
        });
      }
      const refusing = await contract.newKey({ policy: { onDetectorFailure: 'block', onBlock: 'refusal' } });
      const { json } = await contract.chat(saying(fresh(), MODEL), { key: refusing });
      expect(json.choices[0]).toMatchObject({ finish_reason: 'content_filter' });
      expect(forwarded()).toBe(before);
    });

    test('gets its response after the deadline, and the call to the detector is aborted', async () => {
      detectors.answer = () => 'stall';
      expect((await guard({ input: fresh() })).svc.coverage.skipped).toContain(TIMEOUT);
      await detectors.seen.at(-1)?.givenUp;
    });
  });

  describe('the guard', () => {
    test('reports their findings in a text and in a response', async () => {
      const text = fresh();
      interveneAt(text, filtered('PROMPT_ATTACK', 'MEDIUM'));
      expect(await guard({ input: text, as: 'tool' })).toMatchObject({
        action: 'flag',
        svc: { detected_threats: [{ type: 'indirect_injection', score: 0.8 }] },
      });
      expect(await guard({ output: text })).toMatchObject({ action: 'flag' });
      expect(askedTexts()).toEqual([
        ['INPUT', text],
        ['OUTPUT', text],
      ]);
    });

    test('returns text with their redactions', async () => {
      interveneAt('Levin', {
        sensitiveInformationPolicy: { piiEntities: [{ type: 'NAME', match: 'Levin', action: 'ANONYMIZED' }] },
      });
      const policy = { preset: 'strict' };
      expect(await guard({ input: fresh('It was Levin'), policy })).toMatchObject({
        action: 'redact',
        input: expect.stringMatching(/^It was \[NAME_\d{5}\] \d+$/),
      });
      expect(await guard({ output: fresh('It was Levin'), policy })).toMatchObject({
        action: 'redact',
        output: expect.stringMatching(/^It was \[REDACTED_NAME\] \d+$/),
      });
    });

    test('reports that it would block what they could not inspect', async () => {
      detectors.answer = () => ({ status: 500 });
      const policy = { onDetectorFailure: 'block' };
      for (const body of [{ input: fresh() }, { output: fresh() }]) {
        expect(await guard({ ...body, policy })).toMatchObject({ action: 'block', flagged: true });
      }
    });
  });

  testThatNothingIsLogged(() => contract);
});
