import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { toolOf } from '../support/mcp-client.ts';
import { type McpTestServer, startMcpServer, TEXT } from '../support/mcp-server.ts';
import { WITHOUT_EVENTS } from '../support/quick-start.ts';
import { admin, folder, json, lines, secrets, startForCli, testThatNoSecretWasPrinted } from './cli-setup.ts';

startForCli({ ...WITHOUT_EVENTS, SVC_WEBHOOK_ALLOW_LOOPBACK: 'true' });

let server: McpTestServer;
beforeAll(async () => {
  server = await startMcpServer();
  server.tools = [toolOf('search'), toolOf('read')];
});
afterAll(() => server.stop());

describe('MCP servers', () => {
  it('are added, listed and changed', async () => {
    const [made] = await json('mcp', 'add', 'crm', '--server-url', server.url);
    expect(made).toMatchObject({
      name: 'crm',
      auth: { type: 'none' },
      trust: 'public',
      onChange: 'block',
      approvedTools: 0,
    });
    const [changed] = await json('mcp', 'set', 'crm', '--on-change', 'flag', '--trust', 'trusted');
    expect(changed).toMatchObject({ onChange: 'flag', trust: 'trusted' });
    const [disabled] = await json('mcp', 'disable', 'crm');
    const [enabled] = await json('mcp', 'enable', 'crm');
    expect([disabled.state, enabled.state]).toEqual(['disabled', 'active']);
    const [head = '', row = ''] = await lines('mcp', 'list');
    expect(head).toMatch(/^NAME +URL +STATE +TRUST +ON CHANGE +APPROVED/);
    expect(row).toMatch(/^crm +http:\S+ +active +trusted +flag +0/);
    const refused = await admin(['mcp', 'set', 'crm', '--credential', `cred_${'0'.repeat(32)}`]);
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('There is no such credential')]);
  });

  it('have tools that are shown, approved by their digest, and withdrawn', async () => {
    const [read, search] = await json('mcp', 'tools', 'crm');
    expect([read.tool, search.tool, search.state, search.isServed]).toEqual(['read', 'search', 'new', false]);
    const shown = await admin(['mcp', 'approve', 'crm', 'search', '--yes']);
    expect([shown.code, shown.out]).toEqual([0, expect.stringContaining('Runs search.')]);
    const other = await admin(['mcp', 'approve', 'crm', 'read', '--digest', search.digest, '--yes']);
    expect([other.code, other.error]).toEqual([1, expect.stringContaining('another definition')]);
    expect((await json('mcp', 'list'))[0].approvedTools).toBe(1);
    server.tools = [toolOf('read')];
    expect((await json('mcp', 'tools', 'crm')).map(({ tool, state }) => [tool, state])).toEqual([
      ['read', 'new'],
      ['search', 'removed'],
    ]);
    expect((await json('mcp', 'withdraw', 'crm', 'search', '--yes'))[0].withdrawn).toBe(true);
  });

  it('have tools that are called as a key would, under its policy', async () => {
    server.tools = [toolOf('search'), toolOf('read')];
    await json('mcp', 'approve', 'crm', 'search', '--yes');
    const [key] = await json('keys', 'create', 'agent', '--permissions', 'mcp');
    secrets.add(key.key);
    server.result = TEXT('Found Ada.');
    const asked = ['mcp', 'call', 'crm', 'search', '--key-id', key.id];
    const called = await eventually(
      () => admin([...asked, '--arguments', '{"text": "Ada"}']),
      ({ code }) => code === 0,
    );
    expect(called.out).toContain('Found Ada.');
    expect(called.out).toMatch(/decision +allow/);
    expect(server.calls.at(-1)?.json.params).toMatchObject({ name: 'search', arguments: { text: 'Ada' } });
    const [blocked] = await json(...asked, '--arguments', '{"text": "SVC-TEST-BLOCK-7f3a"}');
    expect([blocked.result.isError, blocked.request.action, blocked.request.keyId]).toEqual([true, 'block', key.id]);
    server.notifications = [{ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } }];
    expect((await json(...asked))[0].result.content).toEqual([{ type: 'text', text: 'Found Ada.' }]);
    server.notifications = undefined;
    const withheld = await admin(['mcp', 'call', 'crm', 'read', '--key-id', key.id]);
    expect([withheld.code, withheld.error]).toEqual([1, expect.stringContaining('was not approved yet')]);
    const wrong = await admin([...asked, '--arguments', '[1]']);
    expect([wrong.code, wrong.error]).toEqual([2, expect.stringContaining('must be a JSON object')]);
    const [tested] = (await json('audit', 'list')).filter(({ action }) => action === 'mcp_tool.tested');
    expect(tested).toMatchObject({ target: { type: 'mcp_tool', id: 'crm/read' }, after: { keyId: key.id } });
  });

  it('are exported with their approvals, and applied from a file', async () => {
    server.tools = [toolOf('search'), toolOf('read')];
    await json('mcp', 'approve', 'crm', 'search', '--yes');
    const file = path.join(folder, 'svc.json');
    await lines('export', file);
    const exported = JSON.parse(await readFile(file, 'utf8'));
    expect(exported.mcpServers[0]).toMatchObject({ name: 'crm', approved: { search: { digest: expect.any(String) } } });
    expect((await lines('plan', file)).at(-1)).toBe('No changes.');
    await writeFile(file, JSON.stringify({ ...exported, mcpServers: [{ ...exported.mcpServers[0], approved: {} }] }));
    expect((await lines('apply', file, '--yes')).at(-1)).toBe('Applied: 1 change.');
    expect((await json('mcp', 'list'))[0].approvedTools).toBe(0);
  });

  it('are restored with the approvals of then, and removed', async () => {
    const versions = await json('mcp', 'versions');
    const approved = versions.find(({ servers }) => Object.keys(servers[0].approved).length > 0);
    const restored = await admin(['mcp', 'rollback', String(approved.version), '--yes']);
    expect(restored.code).toBe(0);
    expect((await json('mcp', 'list'))[0].approvedTools).toBe(1);
    expect((await json('mcp', 'remove', 'crm', '--yes'))[0].deleted).toBe(true);
    expect(await json('mcp', 'list')).toEqual([]);
  });
});

testThatNoSecretWasPrinted(0);
