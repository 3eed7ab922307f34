import * as z from 'zod';

/** Names that are not free: parts of paths of the admin API, and what every object of JavaScript has. */
const RESERVED: readonly string[] = ['versions', 'rollback', 'constructor'];
/** All servers are one item of DynamoDB, and in the memory of each process. */
const MAX_SERVERS = 64;
const MAX_TOOLS = 512;
const MAX_TOOL_NAME_CHARS = 128;
/** Each is a write per call that it is for. */
const MAX_TOOL_LIMITS = 8;

const name = z
  .string()
  .regex(/^[a-z0-9-]{1,32}$/, 'must have 1 to 32 lower-case letters, digits and -')
  .refine((name) => !RESERVED.includes(name), 'is reserved')
  .meta({ description: 'The last part of its path, `/v1/mcp/{name}`.', label: 'Name', hint: 'my-tools' });

const credentialId = z.string().regex(/^cred_[0-9a-f]{32}$/, 'must be the id of a credential');
const clientCredentials = z.strictObject({
  type: z.literal('clientCredentials'),
  credentialId: credentialId.meta({
    description:
      'The client secret. It is sent to the token endpoint, whose host must be among those of the credential.',
  }),
  clientId: z.string().min(1).max(256).meta({ description: 'The client at the authorization server.' }),
  tokenUrl: z.string().min(1).max(2_048).optional().meta({
    description:
      "The token endpoint, with https. Default: that of the authorization server which the server's metadata names (RFC 9728, RFC 8414).",
  }),
  scope: z.string().min(1).max(1_024).optional(),
});

const toolLimit = z.strictObject({
  tools: z.string().min(1).max(MAX_TOOL_NAME_CHARS).meta({
    description: 'Glob over the names of tools, without that of the server.',
    label: 'Tools',
    hint: 'send_*',
  }),
  requests: z.int().min(1).max(100_000).meta({ description: 'Calls of all of them together.', label: 'Calls' }),
  period: z.enum(['second', 'minute', 'hour', 'day', 'month']).default('day').meta({ label: 'Period' }),
});

/** What an administrator sets of an MCP server. */
const fields = {
  url: z
    .string()
    .min(1)
    .max(2_048)
    .meta({
      description: 'Its endpoint for Streamable HTTP, with https. It must have a public address.',
      label: 'URL',
      hint: 'https://tools.example.com/mcp',
      option: { name: 'server-url', format: 'text', value: 'URL', help: 'Its endpoint for Streamable HTTP.' },
    }),
  auth: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('none') }),
      z.strictObject({ type: z.literal('credential'), credentialId }),
      clientCredentials,
    ])
    .meta({
      description:
        'How it is called. `credential`: with a stored credential as `Authorization: Bearer`. `clientCredentials`: with an access token for this server alone, which the gateway gets with a client secret (OAuth client credentials, RFC 8707 `resource`). The token of the caller is never sent.',
    }),
  trust: z.enum(['trusted', 'public', 'private']).meta({
    description:
      '`trusted`: secrets and personal data in arguments are not looked for. `public`, `private`: the policy decides on them, as on those of a response. The results of all are inspected as third-party text.',
    label: 'Trust',
    option: { name: 'trust', format: 'text', value: 'WORD', help: 'trusted, public or private.' },
  }),
  onChange: z.enum(['block', 'flag', 'off']).meta({
    description:
      'What happens to a tool whose definition has changed since it was approved. `block`: it is withheld until it is approved again. `flag`: it is served with a finding. `off`: definitions need no approval; those that the policy blocks are withheld.',
    label: 'When a definition changes',
    option: { name: 'on-change', format: 'text', value: 'WORD', help: 'block, flag or off.' },
  }),
  toolLimits: z
    .array(toolLimit)
    .max(MAX_TOOL_LIMITS)
    .meta({
      description:
        'How often each key may call its tools, beside the limits of the key. A call takes from every limit whose glob matches the tool.',
      label: 'Call limits',
      hint: 'Of each key, beside its own limits.',
      option: {
        name: 'tool-limits',
        format: 'JSON file',
        value: 'FILE',
        help: 'How often each key may call which tools: [{"tools": "send_*", "requests": 20, "period": "day"}].',
      },
    }),
  resources: z
    .enum(['off', 'on'])
    .optional()
    .meta({
      description:
        '`on`: clients may read its resources, as far as `allowedTools` of their keys allow it. Absent: `off`.',
      label: 'Resources',
      option: {
        name: 'resources',
        format: 'text',
        value: 'WORD',
        help: 'off or on: whether clients read its resources.',
      },
    }),
  state: z.enum(['active', 'disabled']).meta({ description: '`disabled`: calls of it are a 404.' }),
};

/** Body of `POST /admin/mcp-servers`. */
export const createMcpServerSchema = z
  .strictObject({
    name,
    url: fields.url,
    auth: fields.auth.default({ type: 'none' }),
    trust: fields.trust.default('public'),
    onChange: fields.onChange.default('block'),
    toolLimits: fields.toolLimits.optional(),
    resources: fields.resources,
    state: fields.state.default('active'),
  })
  .meta({ id: 'CreateMcpServer', description: 'A new MCP server. Its tools are served once they are approved.' });

/** Body of `PATCH /admin/mcp-servers/{name}`. */
export const updateMcpServerSchema = z
  .strictObject(fields)
  .partial()
  .meta({ id: 'UpdateMcpServer', description: 'Changes to an MCP server; absent fields keep their values.' });

const digest = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 digest');
const approvedSchema = z
  .record(
    z.string().min(1).max(MAX_TOOL_NAME_CHARS),
    z.strictObject({
      digest: digest.meta({ description: 'SHA-256 of the definition as canonical JSON.' }),
      fields: z
        .record(z.string().max(256), z.string().regex(/^[0-9a-f]{12}$/, 'must be a short digest'))
        .meta({ description: 'A short digest of each of its fields, by which a change is shown.' }),
    }),
  )
  .refine((all) => Object.keys(all).length <= MAX_TOOLS, { error: `must have at most ${MAX_TOOLS} tools` })
  .meta({ description: 'The approved definition of each tool, by its name.' });

const storedSchema = z.strictObject({
  name,
  ...fields,
  toolLimits: fields.toolLimits.optional(),
  approved: approvedSchema.default({}),
});
/** The content of the document `mcp-servers`. */
export const mcpServersSchema = z.object({
  servers: z
    .array(storedSchema)
    .max(MAX_SERVERS)
    .superRefine((servers, context) => {
      for (const [at, { name }] of servers.entries()) {
        if (servers.findIndex((one) => one.name === name) === at) continue;
        context.addIssue({ code: 'custom', message: 'is not unique', path: [at, 'name'] });
      }
    }),
});

/** An MCP server that the admin API stores, with the definitions that an administrator has approved. */
export type StoredMcpServer = Readonly<z.infer<typeof storedSchema>>;

/** Before the name of a server where names of providers may be, which have no colon: in circuits. */
export const MCP_TARGET = 'mcp:';

/** How the gateway gets access tokens for a server. */
export type McpClientCredentials = Readonly<z.infer<typeof clientCredentials>>;

/** How often each key may call some tools of a server. */
export type McpToolLimit = Readonly<z.infer<typeof toolLimit>>;

/** The content of the document `mcp-servers`. */
export interface McpServersDocument {
  readonly servers: readonly StoredMcpServer[];
}

/** The approved definition of a tool, which a changed one is compared with. */
export interface ApprovedDefinition {
  readonly version: number;
  /** Null before the first approval. */
  readonly digest: string | null;
  /** As JSON. */
  readonly definition: string;
}

/** The definitions of a server's tools that a list has shown last. */
export interface ShownTools {
  readonly version: number;
  /** By the tool's name. */
  readonly digests: Readonly<Record<string, string>>;
}
