import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COMMANDS, createProgram } from '../../bin/admin/program.ts';
import { isApiKeyForm } from '../../functions/core/keys/api-key-format.ts';
import { startLocalProcess } from '../contract/local-process.ts';
import { PLANTED, type Service } from '../contract/service.ts';
import { eventually } from '../support/eventually.ts';
import { runAdminInProcess, runBin } from '../support/run-bin.ts';

let service: Service;
let receiver: Server;
let folder = '';
/** What every run printed beside its result: nothing of a secret may be in it. */
const said: string[] = [];
const secrets = new Set<string>();

beforeAll(async () => {
  const nowhere = 'http://127.0.0.1:9';
  service = await startLocalProcess({
    OPENAI_API_KEY: PLANTED.openaiKey,
    OPENAI_BASE_URL: nowhere,
    ANTHROPIC_API_KEY: PLANTED.anthropicKey,
    ANTHROPIC_BASE_URL: nowhere,
  });
  secrets.add(service.adminKey);
  receiver = createServer((request, response) => request.resume().on('end', () => response.end())).listen(
    0,
    '127.0.0.1',
  );
  await once(receiver, 'listening');
  folder = await mkdtemp(path.join(tmpdir(), 'svc-cli-'));
});
afterAll(async () => {
  await service.stop();
  receiver.close();
  await rm(folder, { recursive: true, force: true });
});

const environment = () => ({ SVC_URL: service.adminUrl, SVC_ADMIN_KEY: service.adminKey });
async function admin(args: readonly string[], { env = {}, input = '' } = {}) {
  const run = await runAdminInProcess(args, { ...environment(), ...env }, input);
  said.push(run.error);
  return run;
}
/** The JSON lines of a call that succeeds. */
async function json(...args: readonly string[]) {
  const { out, error, code } = await admin([...args, '--json']);
  expect([code, error]).toEqual([0, expect.any(String)]);
  // biome-ignore lint/suspicious/noExplicitAny: their shape is what is tested
  return linesOf(out).map((line) => JSON.parse(line) as any);
}
const linesOf = (out: string) => out.split('\n').filter((line) => line !== '');
/** What a person reads of a call that succeeds, line by line. */
async function lines(...args: readonly string[]) {
  const { out, error, code } = await admin(args);
  expect([code, error]).toEqual([0, expect.any(String)]);
  return linesOf(out);
}
const newKey = async (name: string, ...more: string[]) => {
  const [made] = await json('keys', 'create', name, ...more);
  secrets.add(made.key);
  return made;
};
const chat = (key: string, content: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${service.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content }] }),
  }).then((response) => response.status);
const models = (key: string) =>
  fetch(`${service.baseUrl}/models`, { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status);

describe('keys', () => {
  it('are created, and only their secret is on standard output', async () => {
    const { out, error, code } = await admin([
      ...['keys', 'create', 'shop', '--environment', 'production', '--rate', '600/minute', '--burst', '50'],
      ...['--tag', 'team=a=b', '--budget', '5/day', '--expires', '2030-01-01T00:00:00Z', '--models', 'echo,gpt-*'],
    ]);
    expect(code).toBe(0);
    const secret = out.trim();
    secrets.add(secret);
    expect([isApiKeyForm(secret), out]).toEqual([true, `${secret}\n`]);
    const id = /^Created (key_\w+), 'shop'\. Its secret is shown only once\.\n$/.exec(error)?.[1] as string;
    const [shown] = await json('keys', 'show', id);
    expect(shown).toMatchObject({
      id,
      environment: 'Production',
      rateLimit: { requests: 600, period: 'minute', burst: 50 },
      budget: { usd: 5, period: 'day' },
      tags: { team: 'a=b' },
      expiresAt: '2030-01-01T00:00:00.000Z',
      allowedModels: ['echo', 'gpt-*'],
      last4: secret.slice(-4),
    });
    expect(await models(secret)).toBe(200);
  });

  it('are listed for people and for scripts', async () => {
    const { id } = await newKey('listed', '--permissions', 'embeddings');
    const [head = '', ...rows] = await lines('keys', 'list');
    expect(head).toMatch(/^ID +NAME +ENVIRONMENT +STATE +LAST4 +PERMISSIONS/);
    expect(rows.find((row) => row.startsWith(id))).toMatch(
      /^key_\w+ +listed +Development +active +\w{4} +embeddings +1000\/hour/,
    );
    const listed = await json('keys', 'list', '--state', 'active');
    expect(listed.map((key) => key.name)).toEqual(expect.arrayContaining(['listed', 'First admin key']));
  });

  it('are changed, rotated, disabled, enabled and revoked', async () => {
    const made = await newKey('changing', '--budget', '5/day');
    const [updated] = await json('keys', 'update', made.id, '--name', 'changed', '--budget', 'none');
    expect(updated).toMatchObject({ name: 'changed', budget: null });
    const rotated = await admin(['keys', 'rotate', made.id, '--grace', '1h']);
    const secret = rotated.out.trim();
    secrets.add(secret);
    expect(rotated.error).toMatch(/ The old one is valid until 20\S+Z\.\n$/);
    expect([isApiKeyForm(secret), secret === made.key, await models(secret), await models(made.key)]).toEqual([
      ...[true, false, 200, 200],
    ]);
    const states: string[] = [];
    for (const command of ['disable', 'enable'] as const) {
      await lines('keys', command, made.id);
      states.push((await json('keys', 'show', made.id))[0].state);
    }
    expect(states).toEqual(['disabled', 'active']);
    const unasked = await admin(['keys', 'revoke', made.id]);
    expect([unasked.code, unasked.error]).toEqual([2, expect.stringContaining('pass --yes')]);
    expect((await json('keys', 'show', made.id))[0].state).toBe('active');
    expect((await json('keys', 'revoke', made.id, '--yes'))[0].state).toBe('revoked');
  });

  it('cannot steer the terminal by their name', async () => {
    const { id } = await newKey('red \u001b[31m\u202e name');
    const row = (await lines('keys', 'list')).find((line) => line.startsWith(id));
    expect(row).toContain('red \ufffd[31m\ufffd name');
    expect((await json('keys', 'show', id))[0].name).toBe('red \u001b[31m\u202e name');
  });
});

describe('webhooks', () => {
  it('are created, listed, changed, tested, shown with deliveries, redelivered, rotated and deleted', async () => {
    const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const made = await admin([
      'webhooks',
      'create',
      address,
      '--events',
      'key.created,key.updated',
      '--min-score',
      '0.5',
    ]);
    const secret = made.out.trim();
    secrets.add(secret);
    expect([made.code, secret]).toEqual([0, expect.stringMatching(/^whsec_\S+$/)]);
    const [webhook] = await json('webhooks', 'list');
    expect(webhook).toMatchObject({
      url: address,
      events: ['key.created', 'key.updated'],
      filter: { minThreatScore: 0.5 },
    });
    expect((await lines('webhooks', 'list'))[1]).toContain(address);
    const { id } = webhook;
    const [updated] = await json('webhooks', 'update', id, '--events', 'key.revoked', '--description', 'ours');
    expect(updated).toMatchObject({ events: ['key.revoked'], description: 'ours' });
    const [test] = await json('webhooks', 'test', id);
    const deliveries = () => json('webhooks', 'deliveries', id);
    const testDelivery = async () => (await deliveries()).find(({ eventId }) => eventId === test.eventId);
    const delivery = await eventually(testDelivery, (one) => one?.state === 'delivered');
    expect(delivery).toMatchObject({ type: 'webhook.test', state: 'delivered' });
    expect((await lines('webhooks', 'deliveries', id, '--state', 'delivered'))[1]).toContain(delivery.id);
    expect((await json('webhooks', 'redeliver', id, delivery.id))[0].state).toBe('pending');
    expect(await lines('webhooks', 'redrive', '--dry-run')).toEqual([`${id}, ${address}: 0 dead, 0 queued again`]);
    const rotated = (await admin(['webhooks', 'rotate-secret', id, '--grace', '0'])).out.trim();
    secrets.add(rotated);
    expect([rotated === secret, rotated]).toEqual([false, expect.stringMatching(/^whsec_\S+$/)]);
    expect((await admin(['webhooks', 'delete', id])).code).toBe(2);
    expect(await json('webhooks', 'delete', id, '--yes')).toMatchObject([{ id, deleted: true }]);
    expect(await json('webhooks', 'list')).toEqual([]);
  });
});

describe('what requests did', () => {
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
    const [threat] = await json('threats', 'list', '--key', id, '--last', '1h');
    expect(threat).toMatchObject({ keyId: id, action: 'block', mark: null });
    const threats = await lines('threats', 'list', '--key', id);
    expect(threats[0]).toMatch(/^TIME +TYPE +ACTION .* ID +KEY +NAME +PLACE$/);
    expect(threats[1]).toContain(threat.id);
    expect(threats[1]).toMatch(new RegExp(`${id} +busy `));
    expect((await lines('usage', '--group-by', 'keyId', '--key', id))[1]).toMatch(new RegExp(`^${id} +busy +2 `));
    expect(await json('threats', 'mark', threat.id, 'false_positive')).toMatchObject([{ mark: 'false_positive' }]);
    expect(await json('threats', 'mark', threat.id, 'none')).toMatchObject([{ mark: null }]);
    const [told] = await eventually(
      () => json('sessions', '--end-user', 'ann', '--last', '1h'),
      ([one]) => one?.requests === 2,
    );
    expect(told).toMatchObject({ id: 's1', requests: 2, blocked: 1 });
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
      env: { PATH: process.env.PATH, ...environment() },
    });
    const told: { kind: string; keyId: string; id: string }[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => told.push(JSON.parse(line)));
    let error = '';
    child.stderr.on('data', (bytes) => {
      error += bytes;
    });
    const mine = () => told.filter(({ keyId }) => keyId === id);
    // The first printed finding shows that it runs; earlier findings are not printed.
    const started = await newKey('starter', '--rate', '1000/hour');
    await eventually(
      () => chat(started.key, 'SVC-TEST-BLOCK-7f3a'),
      () => told.some(({ keyId }) => keyId === started.id),
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
    expect(new Set(told.map((one) => one.id)).size).toBe(told.length);
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

describe('what is in force', () => {
  it('lists providers with credentials present or absent, and no credential', async () => {
    const providers = await json('providers', '--all');
    expect(providers).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'openai', credentials: 'present', host: '127.0.0.1:9', circuit: [] }),
        expect.objectContaining({ name: 'mistral', credentials: 'absent' }),
      ]),
    );
    for (const secret of [PLANTED.openaiKey, PLANTED.anthropicKey]) {
      expect(JSON.stringify(providers)).not.toContain(secret);
    }
    const [head, ...rows] = await lines('providers');
    expect(head).toMatch(/^NAME +CREDENTIALS +HOST +HEALTH +REQUESTS +ERRORS +LAST ERROR +CIRCUIT +MODELS$/);
    expect(rows.some((row) => row.startsWith('mistral'))).toBe(false);
    expect(rows.find((row) => row.startsWith('openai'))).toMatch(/ closed +\d+$/);
  });

  it('lists routes', async () => {
    const rows = await lines('routes');
    expect(rows.find((row) => row.startsWith('claude-*'))).toMatch(/^claude-\* +standard +anthropic 100 %/);
    expect(rows.find((row) => row.startsWith('sonar*'))).toContain('perplexity (not configured) 0 %');
  });

  it('tests a provider, and fails where the test fails', async () => {
    const [echo] = await json('test-provider', 'echo');
    expect(echo).toMatchObject({ result: 'ok', model: 'echo', costUsd: 0 });
    const failed = await admin(['test-provider', 'openai', '--model', 'gpt-4o-mini']);
    expect([failed.code, failed.out]).toEqual([1, expect.stringContaining('The provider cannot be reached')]);
  });

  it('shows the effective policy of the deployment and of a key', async () => {
    const file = path.join(folder, 'strict.json');
    await writeFile(file, '{"preset":"strict"}');
    const { id } = await newKey('strict', '--policy', file);
    const rows = await lines('policy', 'show', '--effective');
    expect(rows.find((row) => row.startsWith('jailbreak'))).toMatch(
      /^jailbreak +block +0.85 +preset +flag +0.5 +preset$/,
    );
    expect(rows.find((row) => row.startsWith('capture'))).toMatch(/^capture +"none" +default$/);
    const [policy] = await json('policy', 'show', '--effective', '--key', id);
    expect(policy).toMatchObject({ keyId: id, preset: { value: 'strict', source: 'key' } });
    expect((await admin(['policy', 'show', '--key', id])).code).toBe(2);
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
    expect((await admin(['policy', 'rollback', '0'])).error).toContain('The policy is now version 6.');
  });

  it('the audit log is listed, and its chain is intact', async () => {
    const [newest] = await json('audit', 'list', '--limit', '5');
    expect(newest).toMatchObject({ action: 'policy.updated', seq: expect.any(Number) });
    expect((await lines('audit', 'list', '--limit', '5'))[1]).toContain('policy.updated');
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

describe('a failed call', () => {
  it('prints the error of the API with the request id, and exits with 1', async () => {
    const none = await admin(['keys', 'show', 'key_none']);
    expect([none.code, none.out, none.error]).toEqual([
      1,
      '',
      expect.stringMatching(
        /^GET \/admin\/keys\/key_none: 404 There is no such key, or it is revoked\. \(req_[0-9a-f]{32}\)\n$/,
      ),
    ]);
    const wrong = await admin(['keys', 'create', 'x', '--permissions', 'chat']);
    expect([wrong.code, wrong.error]).toEqual([
      1,
      expect.stringMatching(/: 400 'permissions\[0\]': must be .* \(req_/),
    ]);
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/v1`;
    closed.close();
    const away = await admin(['keys', 'list', '--url', url]);
    expect([away.code, away.error]).toEqual([
      1,
      `${url} cannot be reached: nothing listens there (ECONNREFUSED). Start the service, or correct SVC_URL.\n`,
    ]);
    const other = await admin(['keys', 'list'], { env: { SVC_ADMIN_KEY: 'x' } });
    expect([other.code, other.error]).toEqual([
      1,
      expect.stringMatching(/401 .* npm run --silent admin-key -- --local, .*\(req_/),
    ]);
    const file = await admin(['policy', 'set', path.join(folder, 'none.json')]);
    expect([file.code, file.error]).toEqual([1, `${path.join(folder, 'none.json')}: no such file or folder\n`]);
  });

  it.each([
    ['no command', [], /^Usage: .*COMMAND/],
    ['a group alone', ['keys'], /^Usage: .* keys COMMAND/],
    [
      'an unknown command',
      ['keys', 'explode'],
      /unknown command 'keys explode'\. 'keys' has list, show, .*\nAdd --help/,
    ],
    ['a misspelt command', ['keys', 'lst'], /unknown command 'keys lst'\. Did you mean 'keys list'\?\nAdd --help/],
    ['a misspelt group', ['webhook', 'lits'], /unknown command 'webhook'\. Did you mean 'webhooks list'\?/],
    ['swapped words', ['list', 'keys'], /unknown command 'list'\. Did you mean 'keys list'\?/],
    ['another word', ['keys', 'delete', 'key_1'], /unknown command 'keys delete'\. Did you mean 'keys revoke'\?/],
    ['no group', ['fly'], /unknown command 'fly'\. The first word is one of keys, webhooks, /],
    ['a misspelt option', ['keys', 'list', '--stat', 'active'], /unknown option '--stat' \(Did you mean --state\?\)/],
    ['a value that is none', ['keys', 'list', '--state', 'activ'], /one of active, .*\. Did you mean active\?/],
    [
      'an address without /v1',
      ['keys', 'list', '--url', 'http://localhost:8787'],
      /mean 'http:\/\/localhost:8787\/v1'/,
    ],
    ['an address without http', ['keys', 'list', '--url', 'localhost:8787/v1'], /not an http or https address/],
    ['an unknown option', ['keys', 'list', '--color', 'red'], /unknown option '--color'\nAdd --help/],
    ['a switch with a value', ['keys', 'list', '--json=1'], /unknown option '--json'/],
    ['a missing argument', ['keys', 'show'], /missing required argument 'ID'\nAdd --help/],
    ['an argument too many', ['keys', 'list', 'more'], /too many arguments/],
    ['an option without its value', ['keys', 'create', 'x', '--rate'], /'--rate <N\/PERIOD>' argument missing/],
    ['an option in place of a value', ['keys', 'create', 'x', '--rate', '--burst'], /'--rate <.*A value is missing/],
    ['a wrong amount', ['keys', 'create', 'x', '--rate', 'fast'], /--rate must be an amount and a period/],
    ['a wrong duration', ['usage', '--last', 'week'], /--last must be a duration/],
    ['two ranges', ['usage', '--last', '1h', '--from', '2h'], /--last is a complete range/],
    ['nothing to change', ['keys', 'update', 'key_1'], /Name at least one field to change\./],
    ['a mark that is none', ['threats', 'mark', 'thr_1', 'maybe'], /MARK must be/],
    ['a kind that is none', ['events', 'tail', '--only', 'all'], /It must be of threat, blocked, limited\./],
  ])('ends with 2 and says how it is made: %s', async (_what, args, message) => {
    const { code, out, error } = await admin(args);
    expect([code, out, error]).toEqual([2, '', expect.stringMatching(message)]);
  });

  it('is JSON on standard output with --json, and nothing else is printed', async () => {
    const none = await admin(['keys', 'show', 'key_none', '--json']);
    const message = expect.stringMatching(/^GET \/admin\/keys\/key_none: 404 There is no such key/);
    expect([none.code, none.error, JSON.parse(none.out)]).toEqual([
      ...[1, ''],
      { error: { message, type: 'api', status: 404, code: 'not_found', requestId: expect.stringMatching(/^req_/) } },
    ]);
    const wrong = await admin(['--json', 'keys', 'lst']);
    expect([wrong.code, wrong.error, JSON.parse(wrong.out)]).toEqual([
      ...[2, ''],
      { error: { message: "unknown command 'keys lst'. Did you mean 'keys list'?", type: 'usage' } },
    ]);
    const away = await admin(['keys', 'list', '--json', '--url', 'http://127.0.0.1:1/v1']);
    expect([away.code, JSON.parse(away.out).error.type]).toEqual([1, 'unreachable']);
    const file = await admin(['plan', folder, '--json']);
    expect([file.code, JSON.parse(file.out).error]).toEqual([
      1,
      { message: expect.stringContaining('folder'), type: 'file' },
    ]);
  });

  it('without AWS credentials a command that uses a table says what to check', async () => {
    // Nothing listens there, and the SDK does not look for credentials.
    const env = {
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_MAX_ATTEMPTS: '1',
    };
    const { code, out, error } = await runBin('admin', ['audit', 'verify', '--table', 'none'], env);
    expect([code, out, error]).toEqual([
      1,
      '',
      expect.stringMatching(/^audit table: \w+\. Check your AWS credentials .*\n$/),
    ]);
  });

  it('common options may come first', async () => {
    const { code, out } = await admin(['--json', '--url', service.adminUrl, 'keys', 'list'], { env: { SVC_URL: '' } });
    expect([code, JSON.parse(out.split('\n')[0] ?? '').object]).toEqual([0, 'key']);
  });

  it('exits with 2 without an address or a key', async () => {
    expect(await admin(['keys', 'list'], { env: { SVC_URL: '' } })).toMatchObject({
      code: 2,
      error: expect.stringContaining('SVC_URL'),
    });
    expect(await admin(['keys', 'list'], { env: { SVC_ADMIN_KEY: '' } })).toMatchObject({
      code: 2,
      error: expect.stringContaining('SVC_ADMIN_KEY'),
    });
  });

  it('repeats no value of a wrong call', async () => {
    for (const args of [
      ['keys', 'list', '--token=pa$$word'],
      ['keys', 'list', "--token=a'b pa$$word"],
      ['keys', 'list', 'pa$$word'],
      ['keys', 'create', 'x', '--rate', '--pa$$word'],
    ]) {
      const { code, out, error } = await admin(args);
      expect([code, out, error]).toEqual([2, '', expect.not.stringContaining('pa$$word')]);
    }
  });

  it('takes no key as an argument, and repeats none', async () => {
    for (const args of [
      ['keys', 'list', '--key', service.adminKey],
      ['keys', 'list', service.adminKey],
      [`--token=${service.adminKey}`],
    ]) {
      const { code, out, error } = await admin(args);
      expect([code, out, error]).toEqual([2, '', expect.stringMatching(/^A key must not be an argument/)]);
    }
  });
});

it('each command has help with its options and examples', async () => {
  const taken: string[] = [];
  const program = createProgram(COMMANDS, process, async ({ name }) => {
    taken.push(name);
  });
  for (const command of COMMANDS) {
    const words = command.name.split(' ');
    const { code, out } = await admin([...words, '--help']);
    const call = [command.name, '[options]', ...command.args.map((arg) => `<${arg}>`)].join(' ');
    expect([code, out.split('\n')[0]]).toEqual([0, `Usage: npm run --silent admin -- ${call}`]);
    for (const option of Object.keys(command.options)) expect(out).toContain(`--${option}`);
    // Its examples are calls that it takes.
    expect(command.examples.length).toBeGreaterThan(0);
    for (const example of command.examples) {
      expect(out).toContain(example);
      const args = [...example.replace(/ >>? \S+$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(
        ([, quoted, word]) => quoted ?? word ?? '',
      );
      await program.parseAsync(args, { from: 'user' });
      expect(taken.at(-1)).toBe(command.name);
    }
  }
  const overview = await lines('--help');
  const calls = overview.flatMap((line) => COMMANDS.find(({ name }) => line.startsWith(`  ${name} `))?.name ?? []);
  expect(calls).toEqual(COMMANDS.map(({ name }) => name));
  expect((await lines('keys', '--help')).filter((line) => line.startsWith('  keys '))).toHaveLength(10);
});

it('secrets are printed only as results, and never logged', () => {
  expect(secrets.size).toBeGreaterThan(8);
  const text = [...said, service.logs()].join('\n');
  for (const secret of [...secrets, PLANTED.openaiKey, PLANTED.anthropicKey]) expect(text).not.toContain(secret);
});
