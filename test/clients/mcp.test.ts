import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer as OldServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { Contract } from '../contract/contract.ts';
import { startLocalProcess } from '../contract/local-process.ts';
import { eventually } from '../support/eventually.ts';

const BLOCK = 'SVC-TEST-BLOCK-7f3a';
const INFO = { name: 'test', version: '1.0.0' };
const contract = new Contract((providers) => startLocalProcess(providers, { SVC_WEBHOOK_ALLOW_LOOPBACK: 'true' }), {});
const stops: (() => void)[] = [];
let key: string;

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

async function listen(listener: Listener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** A server of the revision 2026-07-28 alone. */
function startModern(): Promise<string> {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer(INFO);
      const args = { description: 'Says a text again.', inputSchema: z.object({ text: z.string() }) };
      server.registerTool('say', args, async ({ text }, context) => {
        await context.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: context.mcpReq._meta?.progressToken ?? 0, progress: 1 },
        });
        return { content: [{ type: 'text', text }] };
      });
      return server;
    },
    { legacy: 'reject' },
  );
  const handle = toNodeHandler(handler);
  return listen(handle as Listener);
}

/** A server of the revision 2025-11-25 that refuses requests without a session. */
function startWithSessions(): Promise<string> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return listen(async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    if (known !== undefined) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    const server = new OldServer(INFO);
    server.registerTool(
      'say',
      { description: 'Says a text again.', inputSchema: { text: z.string() } },
      async ({ text }) => ({
        content: [{ type: 'text', text }],
      }),
    );
    await server.connect(transport);
    return transport.handleRequest(request, response);
  });
}

beforeAll(async () => {
  await contract.start();
  key = await contract.newKey({ permissions: ['mcp'] });
  const urls = { modern: await startModern(), sessions: await startWithSessions() };
  for (const [name, url] of Object.entries(urls)) {
    expect((await contract.admin('POST', '/mcp-servers', { name, url })).status).toBe(201);
    const { json } = await contract.admin('GET', `/mcp-servers/${name}/tools`);
    const { digest } = json.data[0];
    expect((await contract.admin('POST', `/mcp-servers/${name}/tools/say/approve`, { digest })).status).toBe(200);
    await eventually(
      () => toolsOf(name).catch(() => []),
      (names) => names.length === 1,
    );
  }
});
afterAll(async () => {
  await contract.stop();
  for (const stop of stops) stop();
});

const addressOf = (server: string) => new URL(`${contract.service.baseUrl}/mcp/${server}`);
const authorization = () => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });

async function newClient(server: string, mode: 'legacy' | 'auto' | { pin: string }) {
  const client = new Client(INFO, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(addressOf(server), authorization()));
  return client;
}

async function oldClient(server: string) {
  const client = new OldClient(INFO);
  // The types of its transport lack `undefined` of optional members.
  await client.connect(new OldTransport(addressOf(server), authorization()) as Parameters<OldClient['connect']>[0]);
  return client;
}

async function toolsOf(server: string): Promise<readonly string[]> {
  const client = await newClient(server, 'auto');
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

const CLIENTS = [
  ['2026-07-28', (server: string) => newClient(server, { pin: '2026-07-28' })],
  ['2026-07-28 by itself', (server: string) => newClient(server, 'auto')],
  ['2025-11-25', (server: string) => newClient(server, 'legacy')],
  ['2025-11-25 of the SDK 1.x', oldClient],
] as const;

describe.each(CLIENTS)("MCP's own client of the revision %s", (_, connect) => {
  test.each(['modern', 'sessions'])('lists and calls a tool of the %s server', async (server) => {
    const client = await connect(server);
    expect((await client.listTools()).tools.map(({ name, description }) => [name, description])).toEqual([
      ['say', 'Says a text again.'],
    ]);
    const call = { name: 'say', arguments: { text: 'Good evening' } };
    expect((await client.callTool(call)).content).toEqual([{ type: 'text', text: 'Good evening' }]);
    await client.close();
  });

  test.each(['modern', 'sessions'])('goes on after a call to the %s server that the policy blocks', async (server) => {
    const client = await connect(server);
    const blocked = await client.callTool({ name: 'say', arguments: { text: `Say ${BLOCK}` } });
    expect([blocked.isError, JSON.stringify(blocked.content)]).toEqual([
      true,
      expect.stringContaining('security policy'),
    ]);
    expect(JSON.stringify(blocked.content)).not.toContain(BLOCK);
    expect((await client.callTool({ name: 'say', arguments: { text: 'Hi' } })).isError).not.toBe(true);
    await client.close();
  });

  test('reads the error of an unknown tool', async () => {
    const client = await connect('modern');
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow('Unknown tool');
    await client.close();
  });
});

test('a client gets the progress of a call', async () => {
  const client = await newClient('modern', { pin: '2026-07-28' });
  const seen: number[] = [];
  const call = { name: 'say', arguments: { text: 'Hi' } };
  await client.callTool(call, { onprogress: ({ progress }) => void seen.push(progress) });
  expect(seen).toEqual([1]);
  await client.close();
});
