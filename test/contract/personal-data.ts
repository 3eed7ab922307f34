import { describe, expect, test } from '@jest/globals';
import { type Contract, saying } from './contract.ts';
import { GITHUB_TOKEN } from './planted-secret.ts';
import { UNSUSPICIOUS } from './reply.ts';

const ADDRESS = 'maria.keller@firma-nord.de';
const QUESTION = `Write to ${ADDRESS} and to tom@werk-sued.de, then to ${ADDRESS} again.`;
const HIDDEN = 'Write to [EMAIL_1] and to [EMAIL_2], then to [EMAIL_1] again.';

export function personalDataContract(contract: Contract): void {
  describe.each([['gpt-4o-mini'], ['claude-sonnet-4-5']])(
    'with the policy strict, personal data sent to %s',
    (model) => {
      const strict = () => contract.newKey({ policy: { preset: 'strict' } });

      test('is hidden from the provider and back in the answer', async () => {
        const { json } = await contract.chat(saying(QUESTION, model), { key: await strict() });
        expect(contract.sent.body).toContain(HIDDEN);
        expect(contract.sent.body).not.toMatch(/maria|werk-sued/);
        expect(json.choices[0].message.content).toBe(QUESTION);
        expect(json.svc.action).toBe('redact');
      });

      test.each([
        ['characters one by one', { pieces: [...HIDDEN] }],
        ['single bytes', { text: HIDDEN, bytesPerWrite: 1 }],
        ['words', { text: HIDDEN }],
      ])('is back in a stream of %s', async (_, behaviour) => {
        contract.upstream.next(behaviour);
        const { content, done } = await contract.stream(saying(QUESTION, model), { key: await strict() });
        expect({ content, done }).toEqual({ content: QUESTION, done: true });
      });

      test('is told apart by whole placeholders: the tenth is not the first and a zero', async () => {
        const addresses = Array.from({ length: 12 }, (_, at) => `person${at + 1}@firma-nord.de`);
        contract.upstream.next({ pieces: [...'[EMAIL_1]0 [EMAIL_10] [EMAIL_12] [EMAIL_13]'] });
        const { content } = await contract.stream(saying(addresses.join(' '), model), { key: await strict() });
        expect(content).toBe(`${addresses[0]}0 ${addresses[9]} ${addresses[11]} [EMAIL_13]`);
      });
    },
  );

  test('the policy strict takes secrets out of the request for good', async () => {
    const key = await contract.newKey({ policy: { preset: 'strict' } });
    const { json } = await contract.chat(saying(`The token ${GITHUB_TOKEN} is mine`), { key });
    expect(contract.sent.body).toContain('[REDACTED_GITHUB_TOKEN]');
    expect(json.choices[0].message.content).toBe('The token [REDACTED_GITHUB_TOKEN] is mine');
  });

  test('the balanced policy leaves personal data as it is and tells it', async () => {
    const { json } = await contract.chat(saying(QUESTION));
    expect(contract.sent.json).toEqual(saying(QUESTION));
    expect(json.svc).toMatchObject({ action: 'flag', threat_score: UNSUSPICIOUS });
  });
}
