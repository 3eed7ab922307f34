import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpHost } from '../../functions/server/http-host.ts';
import { startHttpHost } from '../../functions/server/index.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';
import { runBin } from '../support/run-bin.ts';

let admin: AdminApp;
let host: HttpHost;
beforeAll(async () => {
  admin = await startAdminApp();
  host = await startHttpHost(admin.app, { port: 0, host: '127.0.0.1', maxBodyBytes: 1_000_000 });
});
afterAll(async () => {
  await host.stop(0);
  await admin.stop();
});

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runBin('admin', ['audit', 'verify', ...args], {
    SVC_ADMIN_KEY: admin.admin.secret,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: admin.stores.dynamodbUrl,
    ...env,
  });

describe('audit verify', () => {
  const byApi = () => ['--url', `${host.url}/v1`, '--retention-days', '36500'];
  const byTable = ['--table', 'audit', '--retention-days', '36500'];

  it('reports an empty log as empty and intact', async () => {
    expect(await run(byApi())).toMatchObject({
      code: 0,
      out: 'The audit log is empty.\nThe chain is intact.\n',
    });
  });

  it('reads several pages, through the API and from the table, and prints the newest record as an anchor', async () => {
    const { id } = (await admin.call('POST', '/keys', { body: { name: 'app' } })).json;
    for (let at = 1; at <= 119; at += 1) await admin.call('PATCH', `/keys/${id}`, { body: { name: `app ${at}` } });
    const [newest] = (await admin.call('GET', '/audit?limit=1')).json.data;
    const expected = `120 records, the newest is 120:${newest.hash} of ${newest.at}\nThe chain is intact.\n`;
    for (const way of [byApi(), byTable]) {
      expect(await run(way)).toMatchObject({ code: 0, out: expected });
    }
    expect((await run([...byTable, '--anchor', `120:${newest.hash}`])).code).toBe(0);
    const other = await run([...byTable, '--anchor', `119:${newest.hash}`]);
    expect([other.code, other.out]).toEqual([
      1,
      expect.stringContaining('record 119: the record differs from the anchor'),
    ]);
  });

  it('names the changed record, and exits with 1', async () => {
    const { data } = (await admin.call('GET', '/audit?limit=100')).json;
    const { object: _, hash: __, ...record } = data[20];
    const text = JSON.stringify({ ...record, after: { name: 'as if' } });
    const Item = { pk: `record#${record.seq}`, record: text };
    await admin.dynamo.send(new PutCommand({ TableName: 'audit', Item }));
    for (const way of [byApi(), byTable]) {
      const { code, out } = await run(way);
      expect([code, out]).toEqual([1, expect.stringContaining(`record ${record.seq + 1}: does not follow`)]);
      expect(out).toContain('The chain is BROKEN.');
    }
  });

  it('prints its usage, and does not start without a key', async () => {
    for (const args of [
      ['--url', 'http://x', '--table', 'y'],
      ['--table', 'y', '--anchor', '1:z'],
    ]) {
      expect(await run(args)).toMatchObject({
        code: 2,
        out: '',
        error: expect.stringContaining('Add --help'),
      });
    }
    const without = await run(byApi(), { SVC_ADMIN_KEY: '' });
    expect(without).toMatchObject({ code: 2, error: expect.stringContaining('Set SVC_ADMIN_KEY') });
  });

  it('reports the error if the API refuses or is unavailable', async () => {
    const refused = await run(byApi(), { SVC_ADMIN_KEY: 'svc_sk_none' });
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('401 Missing or invalid API key')]);
    expect(refused.error).not.toContain('svc_sk_none');
    const away = await run(['--url', 'http://127.0.0.1:9/v1']);
    expect([away.code, away.error]).toEqual([
      1,
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/v1 cannot be reached: .*\n$/),
    ]);
  });
});
