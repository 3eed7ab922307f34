import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Contract } from '../contract/contract.ts';
import { startLocalProcess } from '../contract/local-process.ts';
import { eventually } from '../support/eventually.ts';
import { type EverythingServer, startEverything } from './everything-server.ts';

const SUITE = path.join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const LONGEST_MS = 240_000;
const contract = new Contract((providers) => startLocalProcess(providers, { SVC_WEBHOOK_ALLOW_LOOPBACK: 'true' }), {});
const servers: EverythingServer[] = [];
let key: string;

/** Scenarios of what needs a session, which the gateway has none of; docs/mcp.md says how each is refused. */
const NEED_A_SESSION = [
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'logging-set-level',
  'resources-subscribe',
  'resources-unsubscribe',
  'tools-call-elicitation',
  'tools-call-sampling',
  'tools-call-with-logging',
];
/** An extension that the gateway does not declare. */
const IS_EXTENSION = /^tasks-/;

beforeAll(async () => {
  await contract.start();
  key = await contract.newKey({ permissions: ['mcp'], rateLimit: { requests: 100_000, period: 'minute' } });
  for (const kind of ['modern', 'sessions'] as const) {
    const server = await startEverything(kind);
    servers.push(server);
    // What is not approved is inspected too.
    const settings = { name: kind, url: server.url, resources: 'on', onChange: 'off' };
    expect((await contract.admin('POST', '/mcp-servers', settings)).status).toBe(201);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    await eventually(
      () => contract.call(`/mcp/${kind}`, body, { key }),
      ({ json }) => (json?.result?.tools ?? []).length > 10,
    );
  }
});
afterAll(async () => {
  await contract.stop();
  for (const server of servers) server.stop();
});

test.each([
  ['2026-07-28', 'modern', []],
  ['2025-11-25', 'modern', NEED_A_SESSION],
  ['2025-11-25', 'sessions', NEED_A_SESSION],
])(
  'the requirements of %s hold in front of the %s server',
  async (revision, server, expected) => {
    const { failed, passed } = await run(revision, server);
    expect(failed).toEqual(expected);
    expect(passed).toBeGreaterThan(20);
  },
  LONGEST_MS,
);

/** Runs the scenarios that a revision requires. @returns the names of those that fail, and how many pass */
async function run(revision: string, server: string): Promise<{ readonly failed: string[]; readonly passed: number }> {
  const results = await mkdtemp(path.join(tmpdir(), 'svc-conformance-'));
  const front = await startFront(server);
  const args = ['server', '--url', front.url, '--requirements', revision, '--output-dir', results];
  const suite = spawn(process.execPath, [SUITE, ...args], { stdio: 'ignore' });
  await once(suite, 'exit');
  front.stop();
  const failed: string[] = [];
  let passed = 0;
  for await (const file of glob('**/checks.json', { cwd: results })) {
    const [, name = ''] = /^server-(.*)-\d{4}-\d{2}-\d{2}T/.exec(path.basename(path.dirname(file))) ?? [];
    if (IS_EXTENSION.test(name)) continue;
    const checks = JSON.parse(await readFile(path.join(results, file), 'utf8')) as { readonly status: string }[];
    if (checks.some(({ status }) => status === 'FAILURE')) failed.push(name);
    else passed += 1;
  }
  await rm(results, { recursive: true });
  return { failed: failed.sort(), passed };
}

/** The address of a server for a suite that sends no key. */
async function startFront(server: string): Promise<EverythingServer> {
  const { hostname, port, pathname } = new URL(contract.service.baseUrl);
  const front = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const to = { hostname, port, path: `${pathname}/mcp/${server}`, method: incoming.method, headers };
    const sent = request(to, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    outgoing.on('close', () => sent.destroy());
    incoming.pipe(sent);
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  const stop = () => {
    front.closeAllConnections();
    front.close();
  };
  return { url: `http://localhost:${(front.address() as AddressInfo).port}/mcp`, stop };
}
