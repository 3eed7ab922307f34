import { describe, expect, test } from '@jest/globals';
import { type Contract, saying } from '../contract.ts';
import type { Reply } from '../reply.ts';
import { PLANTED } from '../service.ts';

export function providersContract(contract: Contract): void {
  const patch = (body: object) => contract.admin('PATCH', '/providers/openai', body);
  const ask = () => contract.chat(saying('Hi', 'my-own-model'));
  /** Waits until every process gives this status. */
  const until = (status: number) => contract.everywhere(ask, (reply) => reply.status === status);
  const messageOf = ({ json }: Reply) => json.error.message;

  describe('providers', () => {
    test('change without a restart: names of models, disabled, enabled, rolled back', async () => {
      expect(messageOf(await ask())).toContain('does not exist');
      const before = (await contract.admin('GET', '/providers/versions?limit=1')).json.data[0]?.version ?? 0;
      const { status, json } = await patch({ models: ['my-own-*'] });
      expect([status, json.source, json.isOverridden, json.models.globs]).toEqual([200, 'api', true, ['my-own-*']]);
      await until(200);
      // It is still called where the settings say, with their key.
      expect(contract.sent.headers.authorization).toBe(`Bearer ${PLANTED.openaiKey}`);
      expect((contract.sent.json as { model: string }).model).toBe('my-own-model');

      await patch({ state: 'disabled' });
      expect(messageOf(await until(404))).toBe("The provider 'openai' is disabled: an administrator has stopped it.");
      const prefixed = await contract.chat(saying('Hi', 'openai/gpt-4o-mini'));
      expect([prefixed.status, messageOf(prefixed)]).toEqual([404, expect.stringContaining("'openai' is disabled")]);
      await patch({ state: 'active' });
      await until(200);
      const rolledBack = await contract.admin('POST', '/providers/rollback', { version: before });
      expect([rolledBack.status, rolledBack.json.object]).toEqual([200, 'providers']);
      expect(messageOf(await until(404))).toContain('does not exist');
    });
  });
}
