import { describe, expect, it } from '@jest/globals';
import { mintApiKey } from '../../functions/control/keys/index.ts';
import { hasAwsIdentity, readLocalEnv } from './local-env.ts';

describe("the local run's environment", () => {
  it('has defaults, for empty variables too', () =>
    expect(readLocalEnv({ PORT: '', SVC_DATA_DIR: undefined })).toMatchObject({
      PORT: 8787,
      SVC_DATA_DIR: '.svc',
      SVC_MAX_BODY_BYTES: 6 * 1024 * 1024,
      SVC_WARM_UP: true,
      SVC_RELAY_EVENTS: true,
    }));

  it('is read', () => {
    const SVC_ADMIN_KEY = mintApiKey();
    expect(readLocalEnv({ PORT: '0', SVC_ADMIN_KEY, SVC_WARM_UP: 'false' })).toMatchObject({
      PORT: 0,
      SVC_ADMIN_KEY,
      SVC_WARM_UP: false,
    });
  });

  it('has an address, further host names, secrets and a port of metrics', () => {
    expect(readLocalEnv({})).toMatchObject({ SVC_HOST: '127.0.0.1', SVC_ALLOWED_HOSTS: [], SVC_DRAIN_SECONDS: 7 });
    expect(readLocalEnv({}).SVC_METRICS_PORT).toBeUndefined();
    const set = { SVC_HOST: '0.0.0.0', SVC_ALLOWED_HOSTS: 'svc,gateway.internal', SVC_METRICS_PORT: '9464' };
    expect(readLocalEnv({ ...set, SVC_PEPPER: 'p'.repeat(32) })).toMatchObject({
      SVC_HOST: '0.0.0.0',
      SVC_ALLOWED_HOSTS: ['svc', 'gateway.internal'],
      SVC_METRICS_PORT: 9464,
      SVC_PEPPER: 'p'.repeat(32),
    });
  });

  it.each([
    { SVC_HOST: 'localhost' },
    { SVC_HOST: '0.0.0.0:80' },
    { SVC_ALLOWED_HOSTS: '*' },
    { SVC_ALLOWED_HOSTS: 'https://a' },
    { SVC_PEPPER: 'short' },
    { SVC_SEALING_KEY: 'p'.repeat(31) },
    { SVC_METRICS_PORT: '-1' },
    { SVC_DRAIN_SECONDS: '1000' },
    { SVC_WARM_UP: 'no' },
    { SVC_OTLP_HEADERS: 'authorization=planted' },
    { SVC_OTLP_HEADERS: '["a"]' },
    { SVC_OTLP_HEADERS: '{"a": 1}' },
    { SVC_OTLP_HEADERS: '{"a b": "c"}' },
    { SVC_OTLP_HEADERS: '{"a": "b\\n"}' },
    { SVC_RELAY_EVENTS: '0' },
  ])('refuses %j', (variables) => expect(() => readLocalEnv(variables)).toThrow(Object.keys(variables)[0]));

  it.each([
    [undefined, 'always'],
    ['always', 'always'],
    ['uncertain', { from: 0.2, to: 0.85 }],
    ['uncertain:0-1', { from: 0, to: 1 }],
    ['uncertain:0.35-0.9', { from: 0.35, to: 0.9 }],
  ])('says when outside detectors are asked: %s', (SVC_OUTSIDE_WHEN, when) =>
    expect(readLocalEnv({ SVC_OUTSIDE_WHEN }).SVC_OUTSIDE_WHEN).toEqual(when),
  );

  it.each(['never', 'uncertain:', 'uncertain:0.9-0.2', 'uncertain:0.5-0.5', 'uncertain:0.2-1.5', 'uncertain:-1-1'])(
    'may not say that nobody would ever be asked: %s',
    (SVC_OUTSIDE_WHEN) => expect(() => readLocalEnv({ SVC_OUTSIDE_WHEN })).toThrow('SVC_OUTSIDE_WHEN: must be always'),
  );

  it('has a budget and a score for the judging model', () => {
    const read = (variables: object) => {
      const { SVC_JUDGE_MODEL, SVC_JUDGE_BUDGET_USD, SVC_JUDGE_SCORE } = readLocalEnv({ ...variables });
      return [SVC_JUDGE_MODEL, SVC_JUDGE_BUDGET_USD, SVC_JUDGE_SCORE];
    };
    expect(read({})).toEqual([undefined, 1, 0.8]);
    expect(
      read({ SVC_JUDGE_MODEL: 'openai/gpt-4o-mini', SVC_JUDGE_BUDGET_USD: '2.5', SVC_JUDGE_SCORE: '0.9' }),
    ).toEqual(['openai/gpt-4o-mini', 2.5, 0.9]);
    for (const [name, value] of [
      ['SVC_JUDGE_MODEL', 'gpt-4o-mini'],
      ['SVC_JUDGE_BUDGET_USD', '0'],
      ['SVC_JUDGE_SCORE', '0.4'],
    ]) {
      expect(() => readLocalEnv({ [name as string]: value })).toThrow(`${name}: `);
    }
  });

  it('names all wrong variables, without their values', () => {
    const wrong = { PORT: '99999', SVC_ADMIN_KEY: `svc_sk_${'a'.repeat(38)}`, AWS_ENDPOINT_URL_SQS: 'no address' };
    try {
      readLocalEnv(wrong);
      throw new Error('nothing was thrown');
    } catch (error) {
      const { message } = error as Error;
      for (const [name, value] of Object.entries(wrong)) {
        expect(message).toContain(name);
        expect(message).not.toContain(value);
      }
    }
  });
});

describe('Bedrock is called', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  it.each<[object, boolean]>([
    [{ ...keys, AWS_REGION: 'eu-central-1' }, true],
    [{ ...keys, BEDROCK_REGION: 'us-east-1' }, true],
    [{ AWS_PROFILE: 'work', AWS_REGION: 'eu-central-1' }, true],
    [keys, false],
    [{ AWS_REGION: 'eu-central-1' }, false],
    [{ AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'id' }, false],
    [{ ...keys, AWS_REGION: '' }, false],
    [{}, false],
  ])('by %j: %s', (env, expected) => expect(hasAwsIdentity({ ...env })).toBe(expected));
});
