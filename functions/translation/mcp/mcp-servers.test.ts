import { describe, expect, test } from '@jest/globals';
import { systemClock } from '../../adapters/node/process-time.ts';
import type { StoredMcpServer } from '../../kernel/configuration/index.ts';
import type { HttpRequest } from '../../kernel/http/index.ts';
import { HttpFailure } from '../../kernel/http/index.ts';
import { neverPausing } from '../../kernel/tasks/index.ts';
import { McpServers } from './mcp-servers.ts';

const SERVER = { name: 'slow', url: 'https://slow.example/mcp', auth: { type: 'none' } } as unknown as StoredMcpServer;
const NEVER = new Promise<never>(() => {});

function serversWith(deps: { readonly token?: Promise<string>; readonly renewed?: Promise<boolean>; status?: number }) {
  const sent: HttpRequest[] = [];
  const servers = new McpServers({
    http: {
      send: async (request) => {
        sent.push(request);
        if (request.signal?.aborted) throw new HttpFailure('aborted', false);
        const { status = 500 } = deps;
        return { status, headers: {}, body: (async function* () {})() };
      },
    },
    settings: async () => ({ servers: [] }),
    token: async () => deps.token,
    renewToken: async () => deps.renewed ?? false,
    clock: systemClock,
    scheduler: neverPausing(),
    keys: () => undefined,
    timeoutMs: 1_000,
    listMs: 50,
  });
  return { servers, sent };
}

describe('a list ends with its time, in the shape of an error', () => {
  test('while the access token is awaited, and the server is not called after it', async () => {
    const { servers, sent } = serversWith({ token: NEVER });
    await expect(servers.list(SERVER, 'tool')).rejects.toMatchObject({
      code: 'provider_timeout',
      message: 'The MCP server slow did not list in time.',
    });
    expect(sent).toEqual([]);
  });

  test('while a token is awaited in place of one that was refused', async () => {
    const { servers, sent } = serversWith({ token: Promise.resolve('first'), renewed: NEVER, status: 401 });
    await expect(servers.list(SERVER, 'tool')).rejects.toMatchObject({ code: 'provider_timeout' });
    expect(sent).toHaveLength(1);
  });
});
