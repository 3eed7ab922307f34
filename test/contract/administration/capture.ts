import { describe, expect, test } from '@jest/globals';
import { captureSchema } from '../../../functions/kernel/model/index.ts';
import { type Contract, saying } from '../contract.ts';
import { GITHUB_TOKEN } from '../inspection/planted-secret.ts';
import { expectError, type Reply } from '../reply.ts';

const PROMPT = 'Tangerine barometer over the harbour';

export function captureContract(contract: Contract): void {
  const captureOf = (reply: { headers: Headers }, key?: string) =>
    contract.analytics(`/requests/${reply.headers.get('x-request-id')}/capture`, key);
  const kept = (reply: { headers: Headers }): Promise<Reply> =>
    contract.settled(
      () => captureOf(reply),
      ({ status }) => status === 200,
    );
  const recorded = async (reply: { headers: Headers }, keyId: string) => {
    const id = reply.headers.get('x-request-id');
    const of = ({ json }: Reply) => json.data.find((record: { id: string }) => record.id === id);
    return of(
      await contract.settled(
        () => contract.analytics(`/requests?keyId=${keyId}`),
        (reply) => of(reply) !== undefined,
      ),
    );
  };

  describe('the texts of a request', () => {
    test("are not stored unless the key's policy captures them", async () => {
      const { id, key } = await contract.createKey();
      const reply = await contract.chat(saying(PROMPT, 'echo'), { key });
      expect(await recorded(reply, id)).toMatchObject({ capture: 'none' });
      expectError(await captureOf(reply), 'not_found');
    });

    test.each([false, true])('are stored in full with capture full (stream: %s)', async (stream) => {
      const { id, key } = await contract.createKey({ policy: { capture: 'full' } });
      const body = { ...saying(`${PROMPT} ${GITHUB_TOKEN}`, 'echo'), stream };
      const reply = await (stream ? contract.stream(body, { key }) : contract.chat(body, { key }));
      const { json } = await kept(reply);
      expect(captureSchema.safeParse(json).error).toBeUndefined();
      expect(json).toEqual({
        object: 'capture',
        requestId: reply.headers.get('x-request-id'),
        mode: 'full',
        request: JSON.stringify(body),
        answer: [{ channel: 'choices[0].content', text: `${PROMPT} ${GITHUB_TOKEN}` }],
        truncated: false,
      });
      expect(await recorded(reply, id)).toMatchObject({ capture: 'full' });
      const { json: log } = await contract.admin('GET', '/audit?limit=100');
      const target = { type: 'capture', id: reply.headers.get('x-request-id') };
      expect(log.data).toContainEqual(expect.objectContaining({ action: 'capture.read', target }));
    });

    test('are stored without secrets and personal data with capture redacted, even if these were only flagged', async () => {
      const key = await contract.newKey({ policy: { preset: 'monitor', capture: 'redacted' } });
      const text = `${PROMPT} ${GITHUB_TOKEN} of maria.keller@web.de`;
      const { text: told } = await kept(await contract.chat(saying(text, 'echo'), { key }));
      expect(told).toContain(PROMPT);
      for (const hidden of [GITHUB_TOKEN, 'maria.keller'])
        expect([hidden.slice(0, 5), told.includes(hidden)]).toEqual([hidden.slice(0, 5), false]);
    });

    test('are stored for a blocked request, and not for a refused one', async () => {
      const key = await contract.newKey({ policy: { capture: 'full' } });
      const blocked = await kept(await contract.chat(saying(`${PROMPT} SVC-TEST-BLOCK-7f3a`, 'echo'), { key }));
      expect(blocked.json).toMatchObject({ answer: [], request: expect.stringContaining(PROMPT) });
      expectError(
        await captureOf(await contract.chat({ ...saying(PROMPT, 'echo'), temperature: 9 }, { key })),
        'not_found',
      );
    });

    test('are for administrators', async () => {
      const key = await contract.newKey({ policy: { capture: 'full' } });
      const reply = await contract.chat(saying(PROMPT, 'echo'), { key });
      const reading = await contract.newKey({ permissions: ['analytics'] });
      expectError(await captureOf(reply, reading), 'insufficient_permissions');
      expectError(await contract.analytics('/requests/req_none/capture'), 'not_found');
    });
  });
}
