import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isApiKeyForm } from '../../functions/control/keys/index.ts';
import { PLANTED } from '../contract/service.ts';
import { eventually } from '../support/eventually.ts';
import {
  admin,
  folder,
  json,
  lines,
  models,
  newKey,
  receiver,
  secrets,
  startForCli,
  testThatNoSecretWasPrinted,
} from './cli-setup.ts';

startForCli();

describe('keys', () => {
  it('are created, and only their secret is on standard output', async () => {
    const { out, error, code } = await admin([
      ...['keys', 'create', 'shop', '--environment', 'production', '--rate', '600/minute', '--burst', '50'],
      ...['--tag', 'team=a=b', '--budget', '5/day', '--expires', '2030-01-01T00:00:00Z', '--models', 'echo,gpt-*'],
      ...['--tools', 'crm/search_*'],
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
      allowedTools: ['crm/search_*'],
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
    const byMonth = ['--budget', '9/calendarMonth', '--budget-time-zone', 'Europe/Berlin'];
    const [monthly] = await json('keys', 'update', made.id, ...byMonth);
    expect(monthly).toMatchObject({ budget: { usd: 9, period: 'calendarMonth', timeZone: 'Europe/Berlin' } });
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
    expect(head).toMatch(
      /^NAME +STATE +SOURCE +CREDENTIALS +HOST +HEALTH +REQUESTS +ERRORS +LAST ERROR +CIRCUIT +MODELS$/,
    );
    expect(rows.some((row) => row.startsWith('mistral'))).toBe(false);
    expect(rows.find((row) => row.startsWith('openai'))).toMatch(/ closed +\d+$/);
  });

  it('adds, changes, disables, rolls back and removes providers', async () => {
    const address = 'https://llm.example.com/v1';
    const options = ['--protocol', 'openai', '--base-url', address, '--models', 'llama-*,qwen-*'];
    const [added] = await json('providers', 'add', 'my-llm', ...options);
    expect(added).toMatchObject({ baseUrl: address, models: { globs: ['llama-*', 'qwen-*'] }, source: 'api' });
    const file = path.join(folder, 'capabilities.json');
    await writeFile(file, '{"endpoints":["chat"]}');
    await admin(['providers', 'set', 'my-llm', '--capabilities', file, '--if-version', '1']);
    expect((await admin(['providers', 'set', 'my-llm', '--models', '', '--if-version', '1'])).code).not.toBe(0);
    expect((await admin(['providers', 'set', 'my-llm'])).code).toBe(2);
    expect((await admin(['providers', 'disable', 'my-llm'])).error).toContain('my-llm is disabled.');
    expect((await json('providers', 'show', 'my-llm'))[0]).toMatchObject({
      state: 'disabled',
      capabilities: { endpoints: ['chat'] },
    });
    expect((await lines('providers')).find((row) => row.startsWith('my-llm'))).toMatch(/^my-llm +disabled +api /);
    expect((await lines('providers', 'versions'))[1]).toMatch(/^3 .* my-llm$/);
    expect((await json('providers', 'rollback', '1'))[0]).toMatchObject({ version: 4 });
    expect((await admin(['providers', 'enable', 'my-llm'])).error).toContain('my-llm is active.');
    expect((await admin(['providers', 'remove', 'my-llm'])).code).toBe(2);
    expect(await json('providers', 'remove', 'my-llm', '--yes')).toMatchObject([{ name: 'my-llm', deleted: true }]);
  });

  it('keeps credentials, whose values come from standard input', async () => {
    const [first, second] = ['sk-planted-first-value', 'sk-planted-second-value'];
    for (const value of [first, second]) secrets.add(value);
    // The provider cannot be reached: the test has no result.
    const args = ['credentials', 'create', 'openai', 'Shared', '--keys-only'];
    const made = await admin([...args, '--json'], { input: `${first}\n` });
    const credential = JSON.parse(made.out);
    expect(credential).toMatchObject({ name: 'Shared', provider: 'openai', keysOnly: true, last4: 'alue' });
    const { id } = credential;
    expect((await admin(args)).code).toBe(2);
    expect((await lines('credentials', 'list'))[1]).toContain(`${id}  Shared  openai`);
    const rotated = await admin(['credentials', 'rotate', id, '--grace', '0'], { input: second });
    expect([rotated.code, rotated.error]).toEqual([0, expect.stringContaining('The old value is deleted.')]);
    expect((await admin(['credentials', 'set', id, '--state', 'disabled'])).error).toContain('is disabled');
    expect(await json('credentials', 'show', id)).toMatchObject([{ id, state: 'disabled', previous: null }]);
    expect((await admin(['credentials', 'test', id])).code).toBe(1);
    expect((await admin(['credentials', 'delete', id])).code).toBe(2);
    expect(await json('credentials', 'delete', id, '--yes')).toMatchObject([{ id, deleted: true }]);
  });

  it('sends how a credential by federation is exchanged, and reads no value', async () => {
    // The service of this test has no AWS credentials.
    const ids = [
      '--identity-provider',
      'wip_1',
      '--service-account-id',
      'sa_1',
      '--audience',
      'https://api.openai.com/v1',
    ];
    const args = ['credentials', 'create', 'openai', 'No key', '--type', 'federation', '--kind', 'openai', ...ids];
    const refused = await admin(args);
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining("'federation' needs AWS credentials")]);
    const other = await admin([...args, '--tenant', '3f0e8a52-0000-4000-8000-000000000001']);
    expect([other.code, other.error]).toEqual([1, expect.stringContaining('is not for the kind openai')]);
  });

  it('lists routes', async () => {
    const rows = await lines('routes');
    expect(rows.find((row) => row.startsWith('claude-*'))).toMatch(/^claude-\* +standard +active +anthropic 100 %/);
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

testThatNoSecretWasPrinted(8);
