import { beforeAll, describe, expect, test } from '@jest/globals';
import { moderated, moderation } from '../../../functions/adapters/http/detector-server.fixture.ts';
import { type Contract, saying } from '../contract.ts';
import { expectError } from '../reply.ts';
import { PLANTED } from '../service.ts';
import { detectors, fresh, MODEL, serving, startDetectors } from './outside-detectors-setup.ts';

startDetectors();

describe("with OpenAI's moderation, for uncertain verdicts", () => {
  let contract: Contract;
  beforeAll(async () => {
    contract = await serving({ SVC_OUTSIDE_MODERATION: 'openai', SVC_OUTSIDE_WHEN: 'uncertain:0.3-0.95' });
  });
  const guard = async (body: object) => (await contract.call('/guard', JSON.stringify(body))).json;
  /** Flagged by our own rules, and not blocked. */
  const SUSPICIOUS = 'Mail anna.karenina@web.de today';

  test('it gets uncertain texts, and no clear ones', async () => {
    detectors.answer = ({ json }) => ({
      json: moderation(...(json.input ?? []).map(() => moderated({ harassment: 0.97 }))),
    });
    const clear = await guard({ input: fresh('Good morning') });
    expect(detectors.seen).toEqual([]);
    expect(clear.action).toBe('allow');
    const text = fresh(SUSPICIOUS);
    const { svc } = await guard({
      messages: [
        { role: 'user', content: text },
        { role: 'user', content: fresh('Hi') },
      ],
    });
    expect(detectors.seen.map(({ json }) => json.input)).toEqual([[text]]);
    expect(detectors.seen[0]?.headers.authorization).toBe(`Bearer ${PLANTED.openaiKey}`);
    expect(svc.threat_score).toBeLessThan(0.5);
    expect(svc.detected_threats).toContainEqual(
      expect.objectContaining({ rule: 'openai-moderation/harassment', type: 'toxicity', score: 0.97, action: 'flag' }),
    );
  });

  test('its failure is reported, and its key is in no log', async () => {
    detectors.answer = () => ({ status: 401, body: `{"error":{"message":"Incorrect API key: ${PLANTED.openaiKey}"}}` });
    const { svc } = await guard({ input: fresh(SUSPICIOUS) });
    expect(svc.coverage.skipped).toEqual(['openai_moderation: refused']);
    const logs = contract.service.logs();
    expect(logs).toContain('openai_moderation: refused (status 401)');
    expect([logs.includes(PLANTED.openaiKey), logs.includes('Incorrect API key')]).toEqual([false, false]);
  });
});

describe('with a detector of the deployment', () => {
  const SECRET = ['planted', 'guard', 'key'].join('-');
  const settings = (onFailure: string) => ({
    SVC_HTTP_DETECTORS: JSON.stringify([
      {
        name: 'own_guard',
        url: `${detectors.url}/v2/guard`,
        headers: { authorization: 'Bearer {secret}' },
        secret: 'OWN_GUARD_KEY',
        request: { messages: [{ role: 'user', content: '{text}' }] },
        score: ['flagged'],
        scoreIfTrue: 0.9,
        when: 'always',
        onFailure,
      },
    ]),
    OWN_GUARD_KEY: SECRET,
  });

  test('its findings act by policy and carry its name', async () => {
    const contract = await serving(settings('policy'));
    detectors.answer = ({ json }) => ({ json: { flagged: JSON.stringify(json).includes('harbour') } });
    const before = contract.upstream.requests.length;
    const reply = await contract.chat(saying(fresh(), MODEL));
    expectError(reply, 'content_filter', 'messages[0].content');
    expect(reply.json.svc.detected_threats).toMatchObject([
      { rule: 'own-guard/prompt-injection', type: 'prompt_injection', score: 0.9, action: 'block' },
    ]);
    expect(contract.upstream.requests).toHaveLength(before);
    expect(detectors.seen[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
    expect(contract.service.logs()).not.toContain(SECRET);
  });

  test('its failure is reported and ignored where the settings say so', async () => {
    const contract = await serving(settings('ignore'));
    detectors.answer = () => ({ status: 500 });
    contract.upstream.next({ text: 'Fine.' });
    const key = await contract.newKey({ policy: { onDetectorFailure: 'block' } });
    const reply = await contract.chat(saying(fresh(), MODEL), { key });
    expect(reply).toMatchObject({ status: 200, json: { svc: { coverage: { skipped: ['own_guard: failed'] } } } });
  });
});

test('without one, no call is made and no time is reported', async () => {
  const contract = await serving({});
  contract.upstream.next({ text: 'Fine.' });
  const reply = await contract.chat(saying(fresh(), MODEL), {
    key: await contract.newKey({ policy: { onDetectorFailure: 'block' } }),
  });
  expect([reply.status, detectors.seen.length]).toEqual([200, 0]);
  expect(reply.headers.get('server-timing')).not.toContain('outside');
});
