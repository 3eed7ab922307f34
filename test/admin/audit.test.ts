import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DynamoAuditLog } from '../../functions/adapters/dynamo/dynamo-audit-log.ts';
import type { AdminDeps } from '../../functions/admin-api/admin-deps.ts';
import type { AuditEntry, AuditLog } from '../../functions/control/audit/index.ts';
import { type ChainReport, verifyChain } from '../../functions/control/audit/verify-chain.ts';
import { StoreUnavailable } from '../../functions/kernel/errors/index.ts';
import type { AuditFact } from '../../functions/kernel/model/index.ts';
import { type AdminApp, AUDIT_RETENTION_DAYS, startAdminApp } from '../support/admin-app.ts';

let admin: AdminApp;
beforeAll(async () => {
  admin = await startAdminApp();
});
afterAll(() => admin.stop());

const latest = async (count: number) => (await admin.call('GET', `/audit?limit=${count}`)).json.data.reverse();
const verify = async (log: AuditLog): Promise<ChainReport> => {
  const first = await log.list(100, undefined);
  async function* newestFirst(): AsyncGenerator<AuditEntry, void> {
    let page = first;
    yield* page.entries;
    while (page.nextCursor !== undefined) {
      page = await log.list(100, page.nextCursor);
      yield* page.entries;
    }
  }
  return verifyChain(newestFirst(), { head: first.head, expiredBeforeMs: 0 });
};

describe('each action of an administrator', () => {
  it('is recorded with actor, action, before and after, time and source', async () => {
    const { id, key, ...made } = (await admin.call('POST', '/keys', { body: { name: 'app', tags: { team: 'a' } } }))
      .json;
    await admin.call('PATCH', `/keys/${id}`, { body: { name: 'application', policy: { preset: 'strict' } } });
    const rotated = await admin.call('POST', `/keys/${id}/rotate`, { body: { graceSeconds: 0 } });
    await admin.call('DELETE', `/keys/${id}`);
    const records = await latest(4);
    const [created, updated, rotation, revoked] = records;
    expect(created).toMatchObject({
      object: 'audit.entry',
      at: new Date(admin.clock.time).toISOString(),
      actor: { type: 'key', id: admin.admin.id },
      action: 'key.created',
      target: { type: 'key', id },
      before: null,
      after: { ...made, id },
      from: { address: '192.0.2.7', requestId: expect.stringMatching(/^req_/) },
    });
    expect(updated).toMatchObject({ action: 'key.updated', target: { id } });
    expect([updated.before, updated.after]).toEqual([
      { name: 'app', policy: {} },
      { name: 'application', policy: { preset: 'strict' } },
    ]);
    expect([rotation.action, rotation.before, rotation.after]).toEqual([
      'key.rotated',
      { last4: key.slice(-4) },
      { last4: rotated.json.last4 },
    ]);
    expect([revoked.action, revoked.before, revoked.after]).toEqual([
      'key.revoked',
      { state: 'active' },
      { state: 'revoked' },
    ]);
    const text = JSON.stringify(records);
    for (const secret of [key, rotated.json.key, admin.admin.secret]) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/svc_sk_|[sS]ecretHash|"hash":"[0-9a-f]{8}\./);
  });

  it('has no record if nothing changed: reads, refusals, repetitions', async () => {
    const { id } = (await admin.call('POST', '/keys', { body: { name: 'app' } })).json;
    await admin.call('DELETE', `/keys/${id}`);
    const [before] = await latest(1);
    await admin.call('GET', `/keys/${id}`);
    await admin.call('DELETE', `/keys/${id}`);
    await admin.call('PATCH', `/keys/${id}`, { body: { name: 'x' } });
    await admin.call('POST', '/keys', { body: { name: '' } });
    await admin.call('DELETE', `/keys/${admin.admin.id}`);
    expect(await latest(1)).toEqual([before]);
  });

  it('is read by administrators only, page by page, newest first', async () => {
    const { key } = (await admin.call('POST', '/keys', { body: { name: 'app', permissions: ['analytics'] } })).json;
    expect((await admin.call('GET', '/audit', { key })).status).toBe(403);
    for (const query of ['limit=0', 'cursor=0', 'cursor=x', 'cursor=-1']) {
      expect((await admin.call('GET', `/audit?${query}`)).status).toBe(400);
    }
    const seqs: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { json } = await admin.call('GET', `/audit?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seqs.push(...json.data.map(({ seq }: { seq: number }) => seq));
      cursor = json.nextCursor;
    }
    expect(seqs.length).toBeGreaterThan(5);
    expect(seqs).toEqual(seqs.map((_, at) => seqs.length - at));
  });
});

describe('a change', () => {
  const withDeps = async (change: (deps: AdminDeps) => AdminDeps, run: (app: AdminApp) => Promise<void>) => {
    const other = await startAdminApp(change);
    await run(other).finally(() => other.stop());
  };

  it('is not made if its record cannot be written', async () => {
    const away: AuditLog = {
      append: () => Promise.reject(new StoreUnavailable('away')),
      list: () => Promise.reject(new StoreUnavailable('away')),
    };
    await withDeps(
      (deps) => ({ ...deps, audit: away }),
      async (other) => {
        expect((await other.call('POST', '/keys', { body: { name: 'app' } })).status).toBe(503);
        expect((await other.call('PATCH', `/keys/${other.admin.id}`, { body: { name: 'x' } })).status).toBe(503);
        expect((await other.call('POST', `/keys/${other.admin.id}/rotate`)).status).toBe(503);
        const { data } = (await other.call('GET', '/keys')).json;
        expect(data.map(({ name }: { name: string }) => name)).toEqual(['First admin key']);
      },
    );
  });

  it('is retried after a concurrent change, and the failed attempt is recorded as void', async () => {
    let overtaken = false;
    const overtake = (deps: AdminDeps): AdminDeps => ({
      ...deps,
      keys: {
        find: (hashes) => deps.keys.find(hashes),
        get: (id) => deps.keys.get(id),
        getMany: (ids) => deps.keys.getMany(ids),
        list: (limit, cursor) => deps.keys.list(limit, cursor),
        cursorAfter: (key) => deps.keys.cursorAfter(key),
        takePlace: (place) => deps.keys.takePlace(place),
        create: (key) => deps.keys.create(key),
        replace: async (read, key) => {
          if (!overtaken) {
            overtaken = true;
            await deps.keys.replace(read, { ...read.key, name: 'theirs', tags: { by: 'them' } });
          }
          return deps.keys.replace(read, key);
        },
      },
    });
    await withDeps(overtake, async (other) => {
      const answer = await other.call('PATCH', `/keys/${other.admin.id}`, { body: { name: 'mine' } });
      expect(answer.json).toMatchObject({ name: 'mine', tags: { by: 'them' } });
      const { data } = (await other.call('GET', '/audit')).json;
      expect(data.map(({ action, target, before, after }: AuditFact) => [action, target.id, before, after])).toEqual([
        ['key.updated', other.admin.id, { name: 'theirs' }, { name: 'mine' }],
        ['audit.void', '1', null, null],
        ['key.updated', other.admin.id, { name: 'First admin key' }, { name: 'mine' }],
      ]);
      expect((await verify(other.deps.audit)).faults).toEqual([]);
    });
  });
});

describe('the chain', () => {
  let number = 0;
  const fact = (): AuditFact => {
    number += 1;
    return {
      at: new Date(admin.clock.time).toISOString(),
      actor: { type: 'operator' },
      action: 'key.updated',
      target: { type: 'key', id: `key_${number}` },
      before: null,
      after: { tags: { 10: 'ten', 2: 'two', é: '😀' } },
      from: null,
    };
  };
  const newLog = () => new DynamoAuditLog(admin.dynamo, 'audit', AUDIT_RETENTION_DAYS);

  it('stays exact with many writers in many processes: every record once, in one order', async () => {
    const before = (await verify(newLog())).count;
    const processes = Array.from({ length: 6 }, newLog);
    const entries = await Promise.all(processes.flatMap((log) => Array.from({ length: 8 }, () => log.append(fact()))));
    expect(new Set(entries.map(({ record }) => record.seq)).size).toBe(48);
    const report = await verify(newLog());
    expect(report.faults).toEqual([]);
    expect(report.count).toBe(before + 48);
    const stored = (await newLog().list(100, undefined)).entries.map(({ record }) => record.id);
    expect(stored).toEqual(expect.arrayContaining(entries.map(({ record }) => record.id)));
  });

  it('continues after a writer died between the record and the head', async () => {
    const { record } = await newLog().append(fact());
    const back = new UpdateCommand({
      TableName: 'audit',
      Key: { pk: 'head' },
      UpdateExpression: 'SET seq = :seq, #hash = :hash, #at = :at',
      ExpressionAttributeNames: { '#hash': 'hash', '#at': 'at' },
      ExpressionAttributeValues: {
        ':seq': record.seq - 1,
        ':hash': record.previousHash ?? '',
        ':at': record.previousAt ?? '',
      },
    });
    await admin.dynamo.send(back);
    expect((await verify(newLog())).faults).toEqual([]);
    expect((await newLog().append(fact())).record.seq).toBe(record.seq + 1);
    expect(await verify(newLog())).toMatchObject({ faults: [], end: { seq: record.seq + 1 } });
  });

  it.each(['changed', 'deleted', 'deleted at the end', 'swapped'])(
    'is found broken, and where, when records in the table are %s',
    async (how) => {
      const other = await startAdminApp();
      const log = new DynamoAuditLog(other.dynamo, 'audit', AUDIT_RETENTION_DAYS);
      for (let at = 0; at < 6; at += 1) await log.append(fact());
      const { entries } = await log.list(6, undefined);
      const texts = [...entries].reverse().map(({ record }) => JSON.stringify(record));
      const put = (seq: number, text: string) =>
        other.dynamo.send(new PutCommand({ TableName: 'audit', Item: { pk: `record#${seq}`, record: text } }));
      const remove = (seq: number) =>
        other.dynamo.send(new DeleteCommand({ TableName: 'audit', Key: { pk: `record#${seq}` } }));
      if (how === 'changed') await put(3, (texts[2] ?? '').replace('key.updated', 'key.revoked'));
      if (how === 'deleted') await remove(3);
      if (how === 'deleted at the end') await remove(6);
      if (how === 'swapped') await Promise.all([put(3, texts[3] ?? ''), put(4, texts[2] ?? '')]);
      const { faults } = await verify(log);
      expect(faults.map(({ seq }) => seq)).toEqual(
        { changed: [4], deleted: [4], 'deleted at the end': [6], swapped: expect.arrayContaining([4]) }[how],
      );
      await other.stop();
    },
  );

  it('keeps each record for as long as the setting says', async () => {
    const { record } = await newLog().append(fact());
    const read = new GetCommand({ TableName: 'audit', Key: { pk: `record#${record.seq}` } });
    const { Item } = await admin.dynamo.send(read);
    expect(Item?.expiresAt).toBe(admin.clock.time / 1000 + AUDIT_RETENTION_DAYS * 86_400);
  });
});
