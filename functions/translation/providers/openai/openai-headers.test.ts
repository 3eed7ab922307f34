import { describe, expect, it } from '@jest/globals';
import type { GatewayError } from '../../../kernel/errors/index.ts';
import type { ChatCall } from '../../routing/index.ts';
import { BODY, callOf, provider } from './openai-provider.fixture.ts';
import { type OpenAiProviderOptions, readAccounts } from './openai-provider.ts';

describe("the caller's headers of OpenAI's API", () => {
  const HEADERS = { 'openai-beta': 'a=v1', 'openai-organization': 'org-1', 'openai-project': 'proj_1' };
  const send = async (more: Partial<OpenAiProviderOptions>, call: Partial<ChatCall> = {}, status = 200) => {
    const body = [status === 200 ? '{"choices":[]}' : '{"error":{"message":"the key is no member of org-1"}}'];
    const { subject, requests } = provider(async () => ({ status, body }), 'the key', more);
    const run = subject.complete({ ...callOf(BODY, 'gpt-4o'), headers: HEADERS, ...call });
    const error = await run.then(
      () => undefined,
      (thrown: GatewayError) => thrown,
    );
    return { error, sent: requests[0]?.headers };
  };
  const allowsAccount = () => true;

  it('reach OpenAI, and cannot replace those of the gateway', async () => {
    const forged = { ...HEADERS, authorization: 'Bearer forged', accept: 'x' };
    const { sent } = await send({ allowsAccount }, { headers: forged });
    expect(sent).toMatchObject({ ...HEADERS, authorization: 'Bearer the key', accept: 'application/json' });
  });

  it('name no organization and project at other servers', async () => {
    const { sent } = await send({});
    expect(sent).toMatchObject({ 'openai-beta': 'a=v1' });
    expect(Object.keys(sent ?? {})).not.toEqual(expect.arrayContaining(['openai-organization']));
    expect(sent).not.toHaveProperty('openai-project');
  });

  it('stay here if the request is translated', async () => {
    const { sent } = await send({ allowsAccount }, { operation: 'anthropic-messages' });
    expect(Object.keys(sent ?? {}).filter((name) => name.startsWith('openai-'))).toEqual([]);
  });

  it('name only organizations and projects that the operator lists', async () => {
    const listed = await send({ allowsAccount: readAccounts('org-1, proj_1', 'X') });
    expect([listed.error, listed.sent?.['openai-project']]).toEqual([undefined, 'proj_1']);
    for (const accounts of ['org-1', 'proj_1', 'none', 'ORG-1,proj_1']) {
      const { error, sent } = await send({ allowsAccount: readAccounts(accounts, 'X') });
      expect([error?.code, error?.status, sent]).toEqual(['insufficient_permissions', 403, undefined]);
    }
    expect((await send({ allowsAccount: readAccounts(undefined, 'X') })).error).toBeUndefined();
    expect(() => readAccounts('org-1;proj_1', 'OPENAI_ACCOUNTS')).toThrow(/^OPENAI_ACCOUNTS: /);
  });

  it.each([401, 403])('are at fault if OpenAI then refuses the call with %i', async (status) => {
    const { error } = await send({ allowsAccount }, {}, status);
    expect(error).toMatchObject({ status: 403, param: 'openai-organization', fallback: 'after_new_credentials' });
    expect(JSON.stringify([error?.message, error?.internal])).not.toMatch(/the key|org-1/);
    const without = await send({ allowsAccount }, { headers: { 'openai-beta': 'a' } }, status);
    expect(without.error).toMatchObject({ status: 502 });
  });
});
