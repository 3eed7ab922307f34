import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import type { Contract } from '../contract.ts';

/** What every home does without a server: deployed ones call public addresses only. `test/runtime/mcp.test.ts` has calls. */
export function mcpContract(contract: Contract): void {
  const send = (server: string, method: string, key: string, params: object = {}) =>
    contract.call(`/mcp/${server}`, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), {
      key,
      headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
    });

  describe('MCP servers', () => {
    let key: string;
    let keyId: string;
    beforeAll(async () => {
      const { json } = await contract.admin('POST', '/keys', { name: 'mcp', permissions: ['mcp'] });
      key = json.key;
      keyId = json.id;
      const made = await contract.admin('POST', '/mcp-servers', { name: 'away', url: 'https://mcp.invalid/mcp' });
      expect(made.status).toBe(201);
      await eventually(
        () => send('away', 'ping', key),
        ({ status }) => status === 200,
      );
    });

    test('are introduced by the gateway, and unknown ones are a 404', async () => {
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
      const { json } = await send('away', 'initialize', key, params);
      expect(json.result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'away' } });
      const unknown = await send('none', 'ping', key);
      expect([unknown.status, unknown.json.error.data.code]).toEqual([404, 'not_found']);
      const refused = await send('away', 'ping', await contract.newKey());
      expect([refused.status, refused.json.error.data.code]).toEqual([403, 'insufficient_permissions']);
    });

    test('that cannot be reached are named, in the list of all too', async () => {
      const { status, json } = await send('away', 'tools/list', key);
      expect([status, json.id, json.error.data.code]).toEqual([502, 1, 'provider_error']);
      expect(json.error.message).toContain('away');
      const all = await contract.call('/mcp', '{"jsonrpc": "2.0", "id": 2, "method": "tools/list"}', { key });
      expect(all.json.result).toMatchObject({ tools: [], _meta: { 'svc/unavailable': ['away'] } });
    });

    test('are tested with tokens that the admin API makes and the gateway takes', async () => {
      const made = await contract.admin('POST', '/mcp-servers/away/tools/search/test', { keyId });
      expect(made.status).toBe(200);
      const call = await send('away', 'tools/call', made.json.token, { name: 'search', arguments: {} });
      expect([call.status, call.json.error.data.code]).toEqual([502, 'provider_error']);
      const changed = `${made.json.token.slice(0, -8)}AAAAAAAA`;
      expect((await send('away', 'ping', changed)).status).toBe(401);
      expect((await contract.admin('DELETE', '/mcp-servers/away')).status).toBe(200);
    });
  });
}
