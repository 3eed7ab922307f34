import * as z from 'zod';
import { createMcpServerSchema, mcpServersSchema, updateMcpServerSchema } from '../kernel/configuration/index.ts';
import { CIRCUIT_STATES } from '../kernel/model/index.ts';
import { documentOperations, ifMatch, ifMatchRequired, ignoredFields, versionFields } from './documents.ts';
import { listOf } from './fields.ts';
import { defineOperations } from './operation.ts';

const serverSchema = z
  .object({
    object: z.literal('mcp.server'),
    ...createMcpServerSchema.shape,
    approvedTools: z.int().meta({ description: 'Tools with an approved definition.' }),
    circuit: z.enum(CIRCUIT_STATES).optional().meta({
      description:
        'Whether it is called: after five failures in a row it is `open` for 15 s, then `half_open` until a call succeeds.',
    }),
  })
  .meta({ id: 'McpServer', description: 'An MCP server, without its credential.' });

const unavailableSchema = z
  .array(z.object({ kind: z.enum(['tool', 'prompt', 'template']), message: z.string() }))
  .meta({ description: 'The kinds whose list failed, so that `data` has none of them, with the reason.' });

const digest = z.string().meta({ description: 'SHA-256 of the definition as canonical JSON.' });
const toolSchema = z
  .object({
    object: z.literal('mcp.tool'),
    server: z.string(),
    tool: z.string().meta({ description: 'Of a prompt `prompt:NAME`, of a resource template `template:URI`.' }),
    kind: z.enum(['tool', 'prompt', 'template']),
    state: z.enum(['approved', 'changed', 'new', 'removed']).meta({
      description:
        '`new`: never approved. `changed`: it differs from the approved definition. `removed`: approved, and the server no longer lists it.',
    }),
    isServed: z.boolean().meta({ description: 'Whether clients see and call it now, if the policy allows it.' }),
    digest: digest.nullable().meta({ description: 'Of the definition as the server has it now; null if removed.' }),
    approvedDigest: digest.nullable().meta({ description: 'Of the approved definition; null if there is none.' }),
    fields: z.array(z.string()).meta({ description: 'What has changed: `description`, `parameters.properties.to`.' }),
    definition: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'As the server has it now. It is text of a third party.' }),
    approvedDefinition: z
      .record(z.string(), z.unknown())
      .nullable()
      .optional()
      .meta({ description: 'Of a changed tool: its approved definition; null if that is not known.' }),
    findings: z
      .array(
        z.object({
          type: z.string(),
          rule: z.string(),
          severity: z.string(),
          score: z.number(),
          message: z.string(),
          field: z.string(),
          start: z.int(),
          end: z.int(),
        }),
      )
      .meta({ description: 'What the rules find in the definition.' }),
  })
  .meta({
    id: 'McpTool',
    description: 'A tool, prompt or resource template of an MCP server, and whether its definition is approved.',
  });

const versionSchema = z.object({ object: z.literal('mcp_servers'), ...versionFields, ...mcpServersSchema.shape }).meta({
  id: 'McpServersVersion',
  description: 'The MCP servers with their approved tools, in one of their versions.',
});
const putSchema = z.strictObject({ ...mcpServersSchema.shape, ...ignoredFields }).meta({
  id: 'PutMcpServers',
  description: 'All MCP servers with their approved tools, also with the fields of a version that was read.',
});
const approveSchema = z
  .strictObject({
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/, { error: 'must be a digest as the list shows it' })
      .meta({
        description:
          'The definition that was read. If the server has another one by now, nothing is approved. Default: the one that a list showed last.',
        option: { name: 'digest', format: 'text', value: 'DIGEST', help: 'The definition that was read before.' },
      })
      .optional(),
  })
  .meta({ id: 'ApproveMcpTool', description: 'Which definition is approved.' });

const testSchema = z
  .strictObject({
    keyId: z
      .string()
      .min(1)
      .max(128)
      .meta({
        description: 'The key that calls the tool: its policy, `allowedTools` and limits hold.',
        label: 'As key',
        option: { name: 'key-id', format: 'text', value: 'ID', help: 'The key as which the tool is called.' },
      }),
  })
  .meta({ id: 'TestMcpTool', description: 'As which key a tool is called.' });

const DIGEST = '8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4';
const KEY_ID = 'key_1f0e2d3c4b5a69788796a5b4c3d2e1f0';
const created = { name: 'crm', url: 'https://crm.example.com/mcp' };
const server = {
  ...created,
  auth: { type: 'none' as const },
  trust: 'public' as const,
  onChange: 'block' as const,
  state: 'active' as const,
};
const toolLimits = [{ tools: 'send_*', requests: 20, period: 'day' as const }];
const serverExample = {
  object: 'mcp.server' as const,
  ...server,
  toolLimits,
  approvedTools: 1,
  circuit: 'closed' as const,
};
const stored = { ...server, approved: { search: { digest: DIGEST, fields: { description: DIGEST.slice(0, 12) } } } };
const versionExample = {
  object: 'mcp_servers',
  version: 3,
  createdAt: '2026-11-21T09:00:00.000Z',
  createdBy: KEY_ID,
  servers: [stored],
};
const toolExample = {
  object: 'mcp.tool' as const,
  server: 'crm',
  tool: 'search',
  kind: 'tool' as const,
  state: 'changed' as const,
  isServed: false,
  digest: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  approvedDigest: DIGEST,
  fields: ['description'],
  definition: { name: 'search', description: 'Searches customers.', inputSchema: { type: 'object' } },
  approvedDefinition: { name: 'search', description: 'Searches.', inputSchema: { type: 'object' } },
  findings: [],
};

const params = z.object({ name: z.string().meta({ description: 'Name of the server.' }) });
const toolParams = params.extend({
  tool: z.string().meta({ description: 'Name of the tool, or `prompt:NAME`, or `template:URI`.' }),
});
const ALL = { tag: 'Admin', access: 'security', scope: 'deployment' } as const;
const oneServer = {
  description: 'The server.',
  body: serverSchema,
  example: serverExample,
  headers: ['ETag'],
} as const;
const oneTool = { description: 'The tool.', body: toolSchema, example: toolExample } as const;
const shared = documentOperations({
  access: 'security',
  path: '/v1/admin/mcp-servers',
  id: 'McpServers',
  title: 'the MCP servers',
  first: 'none',
  version: versionSchema,
  example: versionExample,
});
const APPLIED = 'Creates a new version of the MCP servers, which every process of the gateway applies within 10 s.';

/** MCP servers, and the approval of their tools. No response has a credential. */
export const mcpServerOperations = defineOperations({
  listMcpServers: {
    ...ALL,
    method: 'GET',
    path: '/v1/admin/mcp-servers',
    summary: 'List MCP servers',
    response: {
      description: 'The servers.',
      body: listOf(serverSchema).meta({ id: 'McpServerList', description: 'The MCP servers.' }),
      example: { object: 'list', data: [serverExample], nextCursor: null },
      headers: ['ETag'],
    },
  },
  createMcpServer: {
    ...ALL,
    method: 'POST',
    path: '/v1/admin/mcp-servers',
    summary: 'Add an MCP server',
    description: `${APPLIED} Its tools are served once they are approved.`,
    headers: ifMatch,
    body: { schema: createMcpServerSchema, examples: { server: { value: created } } },
    response: { ...oneServer, status: 201 },
    errors: ['conflict', 'version_conflict'],
  },
  putMcpServers: {
    ...ALL,
    method: 'PUT',
    path: '/v1/admin/mcp-servers',
    summary: 'Replace the MCP servers',
    description: `${APPLIED} Servers that were read as a version can be written back: \`object\`, \`version\`, \`createdAt\` and \`createdBy\` are ignored.`,
    headers: ifMatchRequired,
    body: { schema: putSchema, examples: { servers: { value: { servers: [stored] } } } },
    response: shared.oneVersion,
    errors: ['conflict', 'version_conflict'],
  },
  rollbackMcpServers: shared.rollback,
  listMcpServersVersions: shared.versions,
  getMcpServersVersion: shared.version,
  getMcpServer: {
    ...ALL,
    method: 'GET',
    path: '/v1/admin/mcp-servers/{name}',
    summary: 'Read an MCP server',
    params,
    response: oneServer,
    errors: ['not_found'],
  },
  updateMcpServer: {
    ...ALL,
    method: 'PATCH',
    path: '/v1/admin/mcp-servers/{name}',
    summary: 'Change an MCP server',
    description: `${APPLIED} Absent fields keep their values. Approvals stay: they are of definitions, not of an address.`,
    params,
    headers: ifMatch,
    body: { schema: updateMcpServerSchema, examples: { disable: { value: { state: 'disabled' } } } },
    response: oneServer,
    errors: ['not_found', 'conflict', 'version_conflict'],
  },
  deleteMcpServer: {
    ...ALL,
    method: 'DELETE',
    path: '/v1/admin/mcp-servers/{name}',
    summary: 'Remove an MCP server',
    description: `${APPLIED} Its approvals are removed too.`,
    params,
    headers: ifMatch,
    response: {
      description: 'The server is removed.',
      body: z
        .object({ object: z.literal('mcp.server.deletion'), name: z.string(), deleted: z.literal(true) })
        .meta({ id: 'McpServerDeletion' }),
      example: { object: 'mcp.server.deletion', name: 'crm', deleted: true },
    },
    errors: ['not_found', 'conflict', 'version_conflict'],
  },
  listMcpTools: {
    ...ALL,
    method: 'GET',
    path: '/v1/admin/mcp-servers/{name}/tools',
    summary: 'List the tools of an MCP server',
    description:
      'Asks the server now for its tools and prompts, and for its resource templates if `resources` is `on`, and inspects their definitions.',
    params,
    response: {
      description: 'The tools, by name.',
      body: listOf(toolSchema)
        .extend({ unavailable: unavailableSchema })
        .meta({ id: 'McpToolList', description: 'The tools of an MCP server.' }),
      example: { object: 'list', data: [toolExample], nextCursor: null, unavailable: [] },
    },
    errors: ['not_found', 'provider_error', 'provider_timeout'],
  },
  approveMcpTool: {
    ...ALL,
    method: 'POST',
    path: '/v1/admin/mcp-servers/{name}/tools/{tool}/approve',
    summary: 'Approve the definition of a tool',
    description: `${APPLIED} The server is asked for the definition again: another one than \`digest\` is a 409.`,
    params: toolParams,
    body: { schema: approveSchema, examples: { approve: { value: { digest: DIGEST } } } },
    response: oneTool,
    errors: ['not_found', 'conflict', 'provider_error', 'provider_timeout'],
  },
  testMcpTool: {
    ...ALL,
    method: 'POST',
    path: '/v1/admin/mcp-servers/{name}/tools/{tool}/test',
    summary: 'Test a tool as a key',
    description:
      'Returns a token that `POST /v1/mcp/{server}` takes in place of a key, for calls of this tool and for a minute. Such a call counts as one of the key, without its secret, and has a record. Its caller may be at any address.',
    params: toolParams,
    body: { schema: testSchema, examples: { test: { value: { keyId: KEY_ID } } } },
    response: {
      description: 'The token of the test.',
      body: z
        .object({
          object: z.literal('mcp.test'),
          server: z.string(),
          tool: z.string(),
          keyId: z.string(),
          token: z.string().meta({ description: 'Send it as `Authorization: Bearer`.' }),
          expiresAt: z.iso.datetime(),
        })
        .meta({ id: 'McpTest', description: 'The token of a test.' }),
      example: {
        object: 'mcp.test',
        server: 'crm',
        tool: 'search',
        keyId: KEY_ID,
        token: 'svc_test_1f0e2d3c.4b5a...',
        expiresAt: '2026-11-21T09:01:00.000Z',
      },
    },
    errors: ['not_found'],
  },
  withdrawMcpTool: {
    ...ALL,
    method: 'DELETE',
    path: '/v1/admin/mcp-servers/{name}/tools/{tool}',
    summary: 'Withdraw the approval of a tool',
    description: APPLIED,
    params: toolParams,
    response: {
      description: 'The approval is withdrawn.',
      body: z
        .object({ object: z.literal('mcp.tool.withdrawal'), tool: z.string(), withdrawn: z.literal(true) })
        .meta({ id: 'McpToolWithdrawal' }),
      example: { object: 'mcp.tool.withdrawal', tool: 'search', withdrawn: true },
    },
    errors: ['not_found', 'conflict'],
  },
});
