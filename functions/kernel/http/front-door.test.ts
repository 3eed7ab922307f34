import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isOriginSecret, type OriginSecrets, readOriginSecrets, rotatedSecrets } from './front-door.ts';

const word = (letter: string) => letter.repeat(64);
const generated: OriginSecrets = { sent: word('a') };

test('what the distribution sends, sent last and will send is believed, and nothing else', () => {
  const secrets = { sent: word('a'), next: word('b'), before: word('c') };
  for (const shown of Object.values(secrets)) expect(isOriginSecret(shown, secrets)).toBe(true);
  for (const shown of ['', word('d'), word('a').slice(1), `${word('a')}a`, word('A'), 'undefined', 'null']) {
    expect(isOriginSecret(shown, secrets)).toBe(false);
    expect(isOriginSecret(shown, generated)).toBe(false);
  }
});

test('whatever is shown, another deployment’s secrets are never believed', () => {
  const secrets = fc.record({ sent: fc.stringMatching(/^[a-z]{32}$/), next: fc.stringMatching(/^[a-z]{32}$/) });
  fc.assert(
    fc.property(secrets, fc.oneof(fc.string(), fc.stringMatching(/^[a-z]{32}$/)), (ours, shown) => {
      expect(isOriginSecret(shown, ours)).toBe(Object.values(ours).includes(shown));
    }),
  );
});

test('the first rotation changes nothing that is sent; each further one sends what was believed before it', () => {
  let before = generated;
  let secrets = rotatedSecrets(before);
  expect(secrets.sent).toBe(before.sent);
  for (let rotation = 0; rotation < 5; rotation += 1) {
    before = secrets;
    secrets = rotatedSecrets(before);
    expect(isOriginSecret(secrets.sent, before)).toBe(true);
    expect(secrets.sent).not.toBe(before.sent);
    expect(isOriginSecret(before.sent, secrets)).toBe(true);
    expect(readOriginSecrets(JSON.stringify(secrets))).toEqual(secrets);
  }
});

test('a secret is out of use after two rotations', () => {
  const old = rotatedSecrets(generated);
  expect(isOriginSecret(old.sent, rotatedSecrets(rotatedSecrets(old)))).toBe(false);
});

test.each(['', 'x', '{}', '[]', 'null', '{"sent":""}', '{"sent":"short"}', `{"sent":"${word('a')}","next":1}`])(
  'a text that is none of ours is not read: %s',
  (text) => expect(readOriginSecrets(text)).toBeUndefined(),
);
