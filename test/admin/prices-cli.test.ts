import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpHost } from '../../functions/server/http-host.ts';
import { startHttpHost } from '../../functions/server/index.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';
import { runAdminInProcess } from '../support/run-bin.ts';

/** In the form of genai-prices. */
const LIST = [
  {
    id: 'openai',
    models: [
      {
        id: 'gpt-4o-mini',
        match: { equals: 'gpt-4o-mini' },
        prices: { input_mtok: 0.3, output_mtok: 0.6, cache_read_mtok: 0.075 },
      },
      { id: 'brand-new', match: { equals: 'brand-new' }, prices: { input_mtok: 1, output_mtok: 2 } },
      {
        id: 'gpt-4o',
        match: { equals: 'gpt-4o' },
        prices: { input_mtok: 250, output_mtok: 10, cache_read_mtok: 1.25 },
      },
    ],
  },
];

let admin: AdminApp;
let host: HttpHost;
let lists: Server;
let folder = '';
let file = '';
beforeAll(async () => {
  admin = await startAdminApp();
  host = await startHttpHost(admin.app, { port: 0, host: '127.0.0.1', maxBodyBytes: 1_000_000 });
  lists = createServer((request, response) => {
    if (request.url === '/list') response.end(JSON.stringify(LIST));
    else if (request.url === '/long') response.end('x'.repeat(33 * 1024 * 1024));
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(lists, 'listening');
  folder = await mkdtemp(path.join(tmpdir(), 'svc-prices-'));
  file = path.join(folder, 'list.json');
  await writeFile(file, JSON.stringify(LIST));
});
afterAll(async () => {
  lists.closeAllConnections();
  lists.close();
  await host.stop(0);
  await admin.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: readonly string[]) =>
  runAdminInProcess([...args, '--url', `${host.url}/v1`], { SVC_ADMIN_KEY: admin.admin.secret });
const refresh = (...args: readonly string[]) => run('prices', 'refresh', '--provider', 'openai', ...args);
const document = async () => (await admin.call('GET', '/prices')).json;

describe('the prices of models', () => {
  it('are set from options, listed with their source, and removed', async () => {
    const set = await run(
      'prices',
      'set-model',
      'lab/llama',
      '--input',
      '0.15',
      '--output',
      '0.6',
      '--batch-factor',
      '0.5',
    );
    expect([set.code, set.error]).toEqual([0, 'The prices are now version 1. Every process applies it within 10 s.\n']);
    await run('prices', 'set-model', 'lab/llama', '--input', '1', '--output', '2', '--valid-from', '2100-01-01');
    const listed = await run('prices', '--search', 'LAB/');
    expect(listed.out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['MODEL', 'INPUT', 'OUTPUT', 'CACHED', 'SOURCE', 'NEXT'],
      ['lab/llama', '0.15', '0.6', '-', 'api', '2100-01-01'],
      [''],
    ]);
    expect((await run('prices', 'set-model', 'lab/llama', '--input', '1')).error).toContain(
      "Missing required field 'output'",
    );
    expect((await run('prices', 'remove', 'lab/llama', '--if-version', '1')).error).toContain('412');
    expect((await run('prices', 'remove', 'lab/llama')).code).toBe(0);
    expect((await document()).prices).toEqual({});
  });

  it('are shown as set takes them, and rolled back', async () => {
    const { out, error } = await run('prices', 'show', '--version', '1');
    expect(error).toMatch(/^Version 1 of 2026-06-01T\S+ by key_\w+, 'First admin key'\.\n$/);
    const shown = path.join(folder, 'shown.json');
    await writeFile(shown, out);
    expect((await run('prices', 'set', shown)).code).toBe(0);
    expect((await document()).prices).toEqual({ 'lab/llama': { input: 0.15, output: 0.6, batchFactor: 0.5 } });
    expect((await run('prices', 'rollback', '0')).code).toBe(0);
    const versions = (await run('prices', 'versions')).out.split('\n').slice(1, 3);
    expect(versions.map((line) => line.split(/ {2,}/).at(-1))).toEqual(['0', '1']);
  });
});

describe('a published list', () => {
  it('is compared, and nothing is written', async () => {
    const before = await document();
    const { code, out, error } = await refresh('--from', file);
    expect([code, out.split('\n').map((line) => line.split(/ {2,}/))]).toEqual([
      0,
      [
        ['MODEL', 'CHANGE', 'PRICES'],
        ['openai/gpt-4o-mini', 'changed', 'input: 0.15 -> 0.3'],
        ['openai/brand-new', 'new', 'input: none -> 1; output: none -> 2'],
        ['openai/gpt-4o', 'changed, looks wrong', 'input: 2.5 -> 250'],
        [''],
      ],
    ]);
    expect(error).toContain('1 look wrong');
    expect(await document()).toEqual(before);
  });

  it('is written after confirmation, without prices that look wrong unless they are asked for', async () => {
    const url = `http://127.0.0.1:${(lists.address() as AddressInfo).port}/list`;
    expect((await refresh('--from', url, '--apply')).error).toContain(
      'Write 2 prices? Without a terminal, pass --yes.',
    );
    expect((await refresh('--from', url, '--apply', '--yes')).code).toBe(0);
    expect((await document()).prices).toMatchObject({
      'openai/gpt-4o-mini': { input: 0.3, output: 0.6, contextTokens: 128_000 },
      'openai/brand-new': { input: 1, output: 2 },
    });
    expect(Object.keys((await document()).prices)).toHaveLength(2);
    await refresh('--from', file, '--apply', '--large-changes', '--yes');
    expect((await document()).prices['openai/gpt-4o']).toMatchObject({ input: 250 });
    expect((await refresh('--from', file, '--apply', '--large-changes', '--yes')).out).toBe('MODEL  CHANGE  PRICES\n');
  });

  it.each([
    ['is not there', '/none', 'cannot be read: status 404.'],
    ['is too long', '/long', 'cannot be read: it has more than 33554432 bytes.'],
  ])('that %s is refused', async (_, at, message) => {
    const before = await document();
    const url = `http://127.0.0.1:${(lists.address() as AddressInfo).port}${at}`;
    expect(await refresh('--from', url, '--apply', '--yes')).toMatchObject({
      code: 1,
      error: expect.stringContaining(message),
    });
    await writeFile(path.join(folder, 'odd.json'), '{"a": 1');
    expect((await refresh('--from', path.join(folder, 'odd.json'))).error).toContain('is not JSON.');
    expect(await document()).toEqual(before);
  });
});
