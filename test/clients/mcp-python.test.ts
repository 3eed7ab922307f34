import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Contract } from '../contract/contract.ts';
import { startLocalProcess } from '../contract/local-process.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { installPython } from '../support/python-suite.mjs';

const FOLDER = path.join(import.meta.dirname, 'mcp-python');
/** Undefined without Python. */
const programs = installPython(FOLDER);
const python = path.join(programs ?? '', 'python');
const contract = new Contract((providers) => startLocalProcess(providers, { SVC_WEBHOOK_ALLOW_LOOPBACK: 'true' }), {});
const stops: (() => void)[] = [];
let key: string;

(programs === undefined ? describe.skip : describe)("MCP's own SDK for Python", () => {
  beforeAll(async () => {
    await contract.start();
    key = await contract.newKey({ permissions: ['mcp'] });
    for (const name of ['modern', 'sessions']) {
      const port = await freePort();
      const server = spawn(python, [path.join(FOLDER, 'server.py'), String(port), name], { stdio: 'ignore' });
      stops.push(() => void server.kill());
      const url = `http://127.0.0.1:${port}/mcp`;
      await contract.admin('POST', '/mcp-servers', { name, url, resources: 'on' });
      const { json } = await eventually(
        () => contract.admin('GET', `/mcp-servers/${name}/tools`),
        ({ status }) => status === 200,
      );
      for (const { tool, digest } of json.data) {
        const approve = `/mcp-servers/${name}/tools/${encodeURIComponent(tool)}/approve`;
        expect((await contract.admin('POST', approve, { digest })).status).toBe(200);
      }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'prompts/list' });
      await eventually(
        () => contract.call(`/mcp/${name}`, body, { key }),
        ({ json }) => json?.result?.prompts?.length === 1,
      );
    }
  });
  afterAll(async () => {
    await contract.stop();
    for (const stop of stops) stop();
  });

  test.each([
    ['2026-07-28', 'modern', '2026-07-28'],
    ['2026-07-28', 'sessions', 'auto'],
    ['2025-11-25', 'modern', 'legacy'],
    ['2025-11-25', 'sessions', 'legacy'],
  ])('a client of %s uses the %s server, by its mode %s', async (version, server, mode) => {
    const url = `${contract.service.baseUrl}/mcp/${server}`;
    const { stdout } = await promisify(execFile)(python, [path.join(FOLDER, 'client.py'), url, mode], {
      env: { PATH: process.env.PATH, SVC_KEY: key },
    });
    expect(JSON.parse(stdout)).toEqual({
      version,
      tools: ['say'],
      prompts: ['review'],
      resources: ['test://readme'],
      said: 'Good evening',
      blocked: true,
      prompt: 'Review this code: x = 1',
      resource: 'Read me.',
    });
  });
});
