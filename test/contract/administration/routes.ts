import { describe, expect, test } from '@jest/globals';
import { type Contract, saying } from '../contract.ts';
import type { Reply } from '../reply.ts';

export function routesContract(contract: Contract): void {
  const write = (path: string, body: object, method = 'POST') =>
    contract.call(`/admin${path}`, JSON.stringify(body), {
      method,
      key: contract.service.adminKey,
      headers: { 'if-match': '*' },
    });
  const ask = () => contract.chat(saying('Hi', 'at-run-time'));
  /** Waits until every process gives this status. */
  const until = (status: number) => contract.everywhere(ask, (reply) => reply.status === status);
  const errorOf = ({ json }: Reply) => json.error;

  describe('routes', () => {
    test('take effect without a restart: added, disabled, enabled, rolled back', async () => {
      expect(errorOf(await ask())).toMatchObject({ code: 'model_not_found' });
      const before = (await contract.admin('GET', '/routes')).json;
      const added = { models: 'at-run-time', targets: [{ provider: 'echo', model: 'echo' }] };
      expect((await write('/routes', { routes: [added, ...before.routes] }, 'PUT')).status).toBe(200);
      await until(200);
      const models = await contract.call('/models', undefined);
      expect(models.json.data.map(({ id }: { id: string }) => id)).toContain('at-run-time');

      await write('/routes/disable', { models: 'at-run-time' });
      expect(errorOf(await until(404))).toMatchObject({
        code: 'model_not_found',
        param: 'model',
        message: "The route of the model 'at-run-time' is disabled: an administrator has stopped it.",
      });
      await write('/routes/enable', { models: 'at-run-time' });
      await until(200);
      expect((await write('/routes/rollback', { version: before.version })).json.routes).toEqual(before.routes);
      expect(errorOf(await until(404)).message).toContain('does not exist');
    });
  });
}
