import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { type Contract, saying } from '../contract.ts';
import { GITHUB_TOKEN } from '../inspection/planted-secret.ts';
import { parsed } from '../reply.ts';
import { PLANTED } from '../service.ts';

const OWN_RULE = { id: 'own', literals: ['Rhododendron'], action: 'flag' };
const PROMPT = 'Heliotrope marmalade for the lighthouse keeper';

export function logContract(contract: Contract): void {
  const recordsOf = async (id: string | null): Promise<Record<string, unknown>[]> => {
    const find = () =>
      contract.service
        .logs()
        .split('\n')
        .map((line) => parsed(line) as Record<string, unknown>)
        .filter((line) => line?.message === 'request' && line.requestId === id);
    return eventually(find, (lines) => lines.length > 0);
  };

  describe('the log', () => {
    test('has one entry for each request with its state', async () => {
      const spent = await contract.newKey({ rateLimit: { requests: 1, period: 'month' } });
      await contract.chat(saying('Hi', 'echo'), { key: spent });
      contract.upstream.next({ status: 401 });
      const ended = [
        ['failed', await contract.chat(saying(PROMPT))],
        ['completed', await contract.chat(saying(PROMPT))],
        ['completed', await contract.stream(saying(PROMPT))],
        ['blocked', await contract.chat(saying(`${PROMPT} SVC-TEST-BLOCK-7f3a`))],
        ['refused', await contract.chat({ ...saying(PROMPT), temperature: 9 })],
        ['refused', await contract.chat(saying(PROMPT, 'echo'), { key: spent })],
        ['refused', await contract.chat(`{"messages": ${PROMPT}`)],
      ] as const;
      for (const [outcome, { headers }] of ended) {
        const records = await recordsOf(headers.get('x-request-id'));
        expect(records).toMatchObject([{ outcome, route: '/v1/chat/completions', durationMs: expect.any(Number) }]);
      }
    });

    test('contains no key, credential, prompt or secret of a request', async () => {
      await contract.chat(saying(`${PROMPT} ${GITHUB_TOKEN}`));
      contract.upstream.next({ text: `${PROMPT} ${GITHUB_TOKEN}` });
      await contract.stream(saying('Hi'));
      contract.upstream.next({ status: 401 });
      await contract.chat(saying(PROMPT));
      const once = { headers: { 'idempotency-key': 'Bergamot order', 'x-end-user-id': 'Quentin Bramble' } };
      for (const _ of ['first', 'again']) await contract.chat(saying(PROMPT), once);
      await contract.chat(saying('another'), once);
      const { id, key } = await contract.createKey({ policy: { rules: [OWN_RULE] }, tags: { note: 'Tamarind' } });
      const rotated = await contract.admin('POST', `/keys/${id}/rotate`, { graceSeconds: 60 });
      await contract.admin('PUT', '/policy', { rules: [] });
      await contract.admin('DELETE', '/end-users/Quentin%20Bramble');
      const logs = contract.service.logs();
      expect(logs).toContain('"message":"request"');
      const planted = [
        PLANTED.openaiKey,
        PLANTED.anthropicKey,
        contract.key,
        contract.service.adminKey,
        GITHUB_TOKEN,
        PROMPT,
        key,
        rotated.json.key,
        // And what the tests before brought: an end user, another's state of a trace.
        ...['Bergamot', 'Quentin Bramble', 'Tamarind', OWN_RULE.literals[0] as string, 'Quillfeather', 'zanzibar'],
      ];
      for (const text of [...planted, 'svc_sk_', 'previous instructions', 'maria.keller', 'pppppppp']) {
        expect([text.slice(0, 6), logs.includes(text)]).toEqual([text.slice(0, 6), false]);
      }
    });
  });
}
