import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { COMPILE_CACHE, WITHOUT_EVENTS } from '../support/quick-start.ts';
import { runBin } from '../support/run-bin.ts';
import {
  admin,
  chat,
  environment,
  folder,
  json,
  lines,
  newKey,
  said,
  startForCli,
  testThatNoSecretWasPrinted,
} from './cli-setup.ts';

startForCli(WITHOUT_EVENTS);

describe('what requests did', () => {
  it('is grouped and filtered by tags, and what a month has cost is shown, also as CSV', async () => {
    const { id, key } = await newKey('spending', '--tag', 'app=desk');
    await chat(key, 'hello', { 'x-svc-tags': 'feature=search' });
    await chat(key, 'hello', { 'x-svc-tags': 'feature=chat' });
    await eventually(
      () => json('usage', '--key', id),
      ([one]) => one.requests === 2,
    );
    const byFeature = ['--key', id, '--group-by', 'tag:feature'];
    const [usage] = await json('usage', ...byFeature);
    expect(usage.groups.map(({ group }: { group: string }) => group).sort()).toEqual(['chat', 'search']);
    expect(await json('requests', 'list', '--tag', 'app=desk', '--tag', 'feature=chat')).toHaveLength(1);
    const [head, ...rows] = await lines('spend', ...byFeature, '--time-zone', 'Europe/Berlin');
    expect(head).toMatch(/^GROUP +REQUESTS +USD +MONTH BEFORE +FORECAST +BUDGET +UNKNOWN COST +CHARGES$/);
    expect(rows.map((row) => row.split(/ +/).slice(0, 2).join(' ')).sort()).toEqual(['all 2', 'chat 1', 'search 1']);
    const [csvHead, ...csv] = await lines('spend', ...byFeature, '--format', 'csv');
    expect(csvHead).toMatch(/^month,timeZone,group,label,requests,/);
    expect(csv).toHaveLength(2);
  });

  it('is shown as usage, threats, sessions and a replay of a policy, and a finding is marked', async () => {
    const { id, key } = await newKey('busy');
    const session = { 'x-session-id': 's1', 'x-end-user-id': 'ann' };
    const statuses = [await chat(key, 'hello', session), await chat(key, 'SVC-TEST-BLOCK-7f3a', session)];
    expect(statuses).toEqual([200, 400]);
    const [summary] = await eventually(
      () => json('usage', '--last', '24h', '--key', id, '--group-by', 'model'),
      ([one]) => one.requests === 2,
    );
    expect(summary).toMatchObject({ requests: 2, blocked: 1, groups: expect.any(Array) });
    const people = await lines('usage', '--key', id);
    expect([people[0], people.at(-1)]).toEqual([
      expect.stringMatching(/^GROUP +REQUESTS +BLOCKED/),
      expect.stringMatching(/^all +2 +1 /),
    ]);
    const shown = await admin(['usage', '--last', '5m', '--key', id]);
    expect(shown.error).toMatch(/^Totals of full hours: \S+T\d\d:00:00\.000Z to \S+T\d\d:00:00\.000Z\.\n$/);
    const minutes = await admin(['usage', '--last', '5m', '--interval', '1m']);
    expect(minutes.error).toMatch(/^Totals of full minutes: \S+Z to \S+Z\.\n$/);
    const hours = await json('usage', '--last', '2h', '--interval', 'hour', '--key', id);
    expect(hours.reduce((sum, hour) => sum + hour.requests, 0)).toBe(2);
    const requests = await json('requests', 'list', '--key', id, '--last', '1h', '--status', '4xx');
    expect(requests).toMatchObject([{ keyId: id, status: 400, action: 'block' }]);
    const { id: requestId } = requests[0] as { id: string };
    expect(await json('requests', 'list', '--id', requestId)).toEqual(requests);
    const [head, row] = await lines('requests', 'list', '--key', id, '--limit', '1');
    expect(head).toMatch(/^TIME +STATUS +ACTION +SCORE +ID +KEY +NAME +MODEL +ROUTE +MS +USD +ERROR$/);
    expect(row).toMatch(new RegExp(`400 +block .*${requestId} +${id} +busy .* /v1/chat/completions `));
    const [threat] = await json('threats', 'list', '--key', id, '--last', '1h');
    expect(threat).toMatchObject({ keyId: id, action: 'block', mark: null });
    const threats = await lines('threats', 'list', '--key', id);
    expect(threats[0]).toMatch(/^TIME +TYPE +ACTION .* ID +KEY +NAME +PLACE$/);
    expect(threats[1]).toContain(threat.id);
    expect(threats[1]).toMatch(new RegExp(`${id} +busy `));
    expect((await lines('usage', '--group-by', 'keyId', '--key', id))[1]).toMatch(new RegExp(`^${id} +busy +2 `));
    expect(await json('threats', 'mark', threat.id, 'false_positive')).toMatchObject([{ mark: 'false_positive' }]);
    expect(await json('threats', 'mark', threat.id, 'none')).toMatchObject([{ mark: null }]);
    const [listed] = await eventually(
      () => json('sessions', '--end-user', 'ann', '--last', '1h'),
      ([one]) => one?.requests === 2,
    );
    expect(listed).toMatchObject({ id: 's1', requests: 2, blocked: 1 });
    const file = path.join(folder, 'off.json');
    await writeFile(file, JSON.stringify({ preset: 'monitor' }));
    const [replay] = await json('policy', 'replay', file, '--last', '1h', '--key', id);
    expect(replay).toMatchObject({ object: 'policy.replay', requests: expect.any(Number), nextCursor: null });
    expect((await lines('policy', 'replay', file, '--key', id))[0]).toMatch(
      /^[1-9]\d* requests with findings: \d+ would have a different action\.$/,
    );
  });

  it('is printed live, each finding once, until Ctrl-C', async () => {
    const { id, key } = await newKey('tailed', '--rate', '3/hour');
    const child = spawn(process.execPath, ['bin/svc.ts', 'admin', 'events', 'tail', '--every', '1s', '--json'], {
      env: { PATH: process.env.PATH, ...COMPILE_CACHE, ...environment() },
    });
    const printed: { kind: string; keyId: string; id: string }[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => printed.push(JSON.parse(line)));
    let error = '';
    child.stderr.on('data', (bytes) => {
      error += bytes;
    });
    const mine = () => printed.filter(({ keyId }) => keyId === id);
    // The first printed finding shows that it runs; earlier findings are not printed.
    const started = await newKey('starter', '--rate', '1000/hour');
    await eventually(
      () => chat(started.key, 'SVC-TEST-BLOCK-7f3a'),
      () => printed.some(({ keyId }) => keyId === started.id),
    );
    const statuses: number[] = [];
    for (const text of ['hello', 'SVC-TEST-BLOCK-7f3a', 'SVC-TEST-FLAG-7f3a', 'one too many']) {
      statuses.push(await chat(key, text));
    }
    expect(statuses).toEqual([200, 400, 200, 429]);
    await eventually(
      async () => mine().length,
      (count) => count >= 3,
    );
    // Two more looks, which see them all again.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(mine().map(({ kind }) => kind)).toEqual(['blocked', 'threat', 'limited']);
    expect(new Set(printed.map((one) => one.id)).size).toBe(printed.length);
    said.push(error);
    expect((await lines('events', 'tail', '--help')).join(' ')).toContain('until Ctrl-C');
  });

  it('of an end user is deleted', async () => {
    expect((await admin(['end-users', 'delete', 'ann'])).code).toBe(2);
    const [answer] = await json('end-users', 'delete', 'ann', '--yes');
    expect(answer).toMatchObject({ object: 'end_user.deletion', deleted: { records: 2 } });
  });
});

describe('as a process', () => {
  it('reads standard input, prints the result, and exits with the code of the command', async () => {
    const set = await runBin('admin', ['policy', 'set', '-', '--json'], environment(), '{"preset":"balanced"}');
    expect([set.code, JSON.parse(set.out)]).toEqual([0, expect.objectContaining({ version: 1, preset: 'balanced' })]);
    const none = await runBin('admin', ['keys', 'show', 'key_none'], environment());
    expect([none.code, none.out, none.error]).toEqual([1, '', expect.stringContaining('There is no such key')]);
    const wrong = await runBin('admin', ['keys', 'show'], environment());
    expect([wrong.code, wrong.out, wrong.error]).toEqual([2, '', expect.stringContaining('missing required argument')]);
  });
});

describe('policy, audit and the deployment as a file', () => {
  it('a policy is set from standard input, shown, and replaces only the named version', async () => {
    const set = await admin(['policy', 'set', '-', '--json'], { input: '{"preset":"strict"}' });
    expect(JSON.parse(set.out)).toMatchObject({ version: 2, preset: 'strict' });
    const shown = await admin(['policy', 'show']);
    expect([JSON.parse(shown.out), shown.error]).toEqual([
      { preset: 'strict' },
      expect.stringMatching(/^Version 2 of /),
    ]);
    const late = await admin(['policy', 'set', '-', '--if-version', '1'], { input: '{}' });
    expect([late.code, late.error]).toEqual([1, expect.stringMatching(/412 The policy has changed.*\(req_\w+\)/)]);
    expect((await json('policy', 'versions')).map(({ version }) => version)).toEqual([2, 1]);
    const [read] = await json('policy', 'versions', '--limit', '1');
    expect((await admin(['policy', 'set', '-'], { input: JSON.stringify(read) })).error).toContain('now version 3');
    await admin(['policy', 'set', '-'], { input: '{}' });
  });

  it('a policy is rolled back to an older version, over the named version only', async () => {
    const back = await admin(['policy', 'rollback', '2', '--if-version', '4', '--json']);
    expect(JSON.parse(back.out)).toMatchObject({ version: 5, preset: 'strict' });
    const late = await admin(['policy', 'rollback', '1', '--if-version', '4']);
    expect([late.code, late.error]).toEqual([1, expect.stringContaining('412 The policy has changed')]);
    const unknown = await admin(['policy', 'rollback', '9']);
    expect([unknown.code, unknown.error]).toEqual([1, expect.stringContaining('404 There is no such version')]);
    expect((await admin(['policy', 'rollback', 'last'])).code).toBe(2);
    const old = await admin(['policy', 'show', '--version', '2']);
    expect([JSON.parse(old.out), old.error]).toEqual([{ preset: 'strict' }, expect.stringMatching(/^Version 2 of /)]);
    expect((await admin(['policy', 'show', '--version', '2', '--effective'])).code).toBe(2);
    const { error } = await admin(['policy', 'rollback', '0']);
    expect(error).toMatch(/^ {2}preset: "strict" -> none\nThe policy is now version 6\./);
  });

  it('a policy is rolled out, compared, withdrawn and promoted', async () => {
    const begin = ['policy', 'set', '-', '--percent', '10', '--blocked-points', '2', '--minutes', '60'];
    const { error } = await admin([...begin, '--tag', 'team=shop'], { input: '{"preset":"strict"}' });
    expect(error).toBe(
      'The policy is now version 7. It is rolled out to 10 % of the sessions. Every process applies it within 10 s.\n',
    );
    const watch = { blockedPoints: 2, minRequests: 200, minutes: 60 };
    expect(await json('policy', 'rollout')).toMatchObject([
      { version: 7, rollout: { percent: 10, tags: { team: 'shop' }, watch }, total: { requests: 0 } },
    ]);
    const shown = await admin(['policy', 'rollout']);
    expect(shown.error).toMatch(
      /^Version 7 is rolled out to 10 % .*\nIt is withdrawn if it blocks more than 2 points more/,
    );
    expect(shown.out.split('\n')[1]).toMatch(/^in all +0 +0 /);
    expect((await admin(['policy', 'promote', '6'])).error).toContain('412 The policy has changed');
    expect((await admin(['policy', 'withdraw', '7'])).error).toContain('The policy is now version 8.');
    expect((await admin(['policy', 'withdraw', '8'])).error).toContain('409 No roll-out of the policy runs.');
    await admin(begin, { input: '{"preset":"strict"}' });
    expect((await json('policy', 'promote', '9'))[0]).toMatchObject({ version: 10, preset: 'strict' });
    expect((await admin(['policy', 'rollout'])).error).toContain('No roll-out runs.');
    await admin(['policy', 'rollback', '0']);
  });

  it('the emergency override is set for a time, shown and ended', async () => {
    expect((await admin(['override', 'observe'])).code).toBe(2);
    expect((await admin(['override', 'observe', '--for', '0', '--yes'])).code).toBe(2);
    expect((await admin(['override', 'refuse', '--for', '25h', '--yes'])).error).toContain(
      "'until' must be in the future",
    );
    // Without a terminal the question has no response.
    expect((await admin(['override', 'observe', '--for', '30m'])).code).toBe(2);
    expect((await admin(['override', 'show'])).error).toBe('No override is in force.\n');
    const { error } = await admin(['override', 'observe', '--for', '30m', '--yes']);
    expect(error).toMatch(/^Override observe, until 20\S+Z\.\n$/);
    expect(await json('override', 'show')).toMatchObject([{ mode: 'observe', version: 1 }]);
    expect((await admin(['override', 'none'])).error).toBe('No override is in force.\n');
  });

  it('the audit log is listed, and its chain is intact', async () => {
    const [newest] = await json('audit', 'list', '--limit', '5');
    expect(newest).toMatchObject({ action: 'override.updated', seq: expect.any(Number) });
    expect((await lines('audit', 'list', '--limit', '5'))[1]).toContain('override.updated');
    expect(await json('audit', 'verify')).toEqual([
      { whole: true, records: newest.seq, newest: expect.objectContaining({ seq: newest.seq }), faults: [] },
    ]);
  });

  it('is exported, and nothing is left to apply', async () => {
    const file = path.join(folder, 'svc.json');
    expect(await lines('export', file)).toEqual([]);
    expect(await json('export', file)).toEqual([{ file, keys: expect.any(Number), webhooks: 0 }]);
    expect(await lines('plan', file)).toEqual(['No changes.']);
    expect(await json('apply', file)).toEqual([]);
  });
});

testThatNoSecretWasPrinted(3);
