import { expect, it } from '@jest/globals';
import { issuersSchema } from './issuers.ts';
import { mcpMetadata, mcpMetadataUrl, mcpServersOf } from './mcp-resource.ts';

const ALL = 'https://svc.example.com/v1/mcp';
const CRM = `${ALL}/crm`;
const issuersWith = (...audiences: string[][]) =>
  issuersSchema.parse(
    audiences.map((audience, at) => ({
      issuer: `https://login${at}.example.com`,
      audience,
      rules: [{ id: `all${at}`, match: { sub: ['*'] } }],
    })),
  );

it.each<[string, readonly unknown[], string[] | undefined]>([
  ['one server', [CRM], ['crm']],
  ['one server, and an audience that the gateway does not know', [CRM, 'https://evil.example/v1/mcp'], ['crm']],
  ['all servers', [ALL], ['*']],
  ['the gateway', ['svc'], undefined],
  ['the gateway and a server', [CRM, 'svc'], undefined],
])('a token for %s', (_, audiences, expected) => {
  const audience = [CRM, ALL, 'svc', 'https://svc.example.com/v1/mcp/crm/x'];
  expect(mcpServersOf(audiences, { audience })).toEqual(expected);
});

it('the metadata has the issuers of the closest address, and no other', () => {
  const issuers = issuersWith([ALL], [CRM, 'internal'], ['svc']);
  expect(mcpMetadata('crm', issuers)).toEqual({
    resource: CRM,
    authorization_servers: ['https://login1.example.com'],
    bearer_methods_supported: ['header'],
  });
  expect(mcpMetadata('mail', issuers)).toMatchObject({
    resource: ALL,
    authorization_servers: ['https://login0.example.com'],
  });
  expect(mcpMetadata('crm', issuersWith(['svc'], ['https://svc.example.com']))).toBeUndefined();
  expect(mcpMetadataUrl('crm', issuers)).toBe(
    'https://svc.example.com/.well-known/oauth-protected-resource/v1/mcp/crm',
  );
});

it('the metadata of the address of all servers is that of issuers with this address', () => {
  expect(mcpMetadata(undefined, issuersWith([CRM], [ALL]))).toMatchObject({
    resource: ALL,
    authorization_servers: ['https://login1.example.com'],
  });
  expect(mcpMetadata(undefined, issuersWith([CRM]))).toBeUndefined();
  expect(mcpMetadataUrl(undefined, issuersWith([ALL]))).toBe(
    'https://svc.example.com/.well-known/oauth-protected-resource/v1/mcp',
  );
});

it('an audience that only looks like the address of MCP servers is refused, since its tokens would be valid everywhere', () => {
  for (const path of ['/v1/mcp/', '/v1/mcp/crm/', '/v1/mcp/CRM', '/v1/MCP', '/v1/mcp/crm/x']) {
    expect(() => issuersWith([`https://svc.example.com${path}`])).toThrow('must be the address');
  }
  expect(issuersWith([ALL], [CRM], ['https://svc.example.com/v1/mcp-lab', 'svc'])).toHaveLength(3);
});

it('there is no metadata under a name that no server has', () => {
  for (const name of ['a\nb', 'a",x="', 'A', '']) expect(mcpMetadataUrl(name, issuersWith([ALL]))).toBeUndefined();
});
