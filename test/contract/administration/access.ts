import { describe, expect, test } from '@jest/globals';
import { type Contract, saying } from '../contract.ts';
import { expectError } from '../reply.ts';

const HELLO = saying('Hello', 'echo');

export function accessContract(contract: Contract): void {
  const chatWith = async (fields: object, headers: Record<string, string> = {}) =>
    contract.chat(HELLO, { key: await contract.newKey(fields as Record<string, unknown>), headers });

  describe('permissions', () => {
    test.each([
      ['by its name', { permissions: ['chat_completions'] }],
      ['by its path', { permissions: ['/v1/chat/completions'] }],
      ['through admin', { permissions: ['admin'] }],
    ])('chat is allowed %s', async (_, fields) => {
      expect((await chatWith(fields)).status).toBe(200);
    });

    test.each([
      ['a key without it', { permissions: ['embeddings'] }],
      ['a key without any', { permissions: [] }],
      ['a key that excludes it', { permissions: ['chat_completions'], excludePermissions: ['chat_completions'] }],
      ['an admin that excludes it', { permissions: ['admin'], excludePermissions: ['/v1/chat/completions'] }],
    ])('chat is refused to %s', async (_, fields) => {
      expectError(await chatWith(fields), 'insufficient_permissions');
    });

    test('the admin API needs the permission admin, and an exclusion wins over it', async () => {
      for (const fields of [
        { permissions: ['chat_completions', 'analytics'] },
        { permissions: ['admin'], excludePermissions: ['admin'] },
      ]) {
        const key = await contract.newKey(fields);
        expectError(await contract.call('/admin/keys', undefined, { key }), 'insufficient_permissions');
      }
    });

    test('tool calls that wait need the permission approvals, or admin', async () => {
      for (const permissions of [['approvals'], ['/v1/approvals'], ['admin']]) {
        const { status, json } = await contract.call('/approvals?state=pending', undefined, {
          key: await contract.newKey({ permissions }),
        });
        expect([status, json]).toEqual([200, { object: 'list', data: [], nextCursor: null }]);
      }
      const key = await contract.newKey({ permissions: ['chat_completions', 'analytics'] });
      expectError(await contract.call('/approvals', undefined, { key }), 'insufficient_permissions');
      const id = `appr_${'0'.repeat(32)}`;
      expectError(await contract.call(`/approvals/${id}`, undefined, { key }), 'insufficient_permissions');
      const approver = await contract.newKey({ permissions: ['approvals'] });
      const decision = JSON.stringify({ decision: 'approve' });
      expectError(await contract.call(`/approvals/${id}`, decision, { key: approver }), 'not_found');
    });

    test('a model outside allowedModels is refused, one inside a glob is served', async () => {
      const key = await contract.newKey({ allowedModels: ['ech*'] });
      expect((await contract.chat(HELLO, { key })).status).toBe(200);
      expectError(await contract.chat(saying('Hi'), { key }), 'insufficient_permissions', 'model');
    });
  });

  describe('an IP whitelist', () => {
    test.each([
      ['the address', ['127.0.0.1']],
      ['a block around it', ['203.0.113.0/24', '127.0.0.0/8']],
      ['its IPv6 notation', ['::ffff:127.0.0.1']],
      ['every address', ['0.0.0.0/0']],
    ])('that holds %s lets the caller in', async (_, ipWhitelist) => {
      expect((await chatWith({ ipWhitelist })).status).toBe(200);
    });

    test.each([
      ['another address', ['203.0.113.7']],
      ['another block', ['10.0.0.0/8', '192.0.2.0/24']],
      ['IPv6 addresses only', ['2001:db8::/32', '::1']],
    ])('that holds %s keeps the caller out', async (_, ipWhitelist) => {
      expectError(await chatWith({ ipWhitelist }), 'insufficient_permissions');
    });

    test('cannot be bypassed by headers', async () => {
      const key = await contract.newKey({ ipWhitelist: ['203.0.113.7'] });
      for (const name of [
        'x-forwarded-for',
        'x-real-ip',
        'x-client-ip',
        'cf-connecting-ip',
        'true-client-ip',
        'forwarded',
        'cloudfront-viewer-address',
        'x-svc-viewer-address',
      ]) {
        const value = { forwarded: 'for=203.0.113.7', 'cloudfront-viewer-address': '203.0.113.7:443' }[name];
        // Nor by a secret as a distribution would show it: here none has one.
        for (const secret of [{}, { 'x-svc-origin-secret': 'a'.repeat(64) }]) {
          const headers = { [name]: value ?? '203.0.113.7', ...secret };
          expectError(await contract.chat(HELLO, { key, headers }), 'insufficient_permissions');
        }
      }
    });
  });
}
