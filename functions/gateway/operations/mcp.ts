import * as z from 'zod';
import { defineOperations } from '../../contract/index.ts';
import { mcpErrors } from '../../translation/index.ts';
import { handleMcp, MCP_ALL_PATH, MCP_PATH } from '../mcp-route.ts';
import { type GatewayOperations, INSPECTION_ERRORS } from './gateway-operation.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** What both addresses share. */
const OPERATION = {
  method: 'POST',
  tag: 'MCP',
  access: 'mcp',
  handlers: [{ handler: handleMcp, errorShape: mcpErrors() }],
} as const;
const PROTOCOL =
  'Streamable HTTP of the Model Context Protocol, of the revisions 2026-07-28 and 2025-11-25. The body is one message of JSON-RPC.';
const INSPECTED =
  'Arguments and results are inspected. Each list and each call counts as a request of the key. What the policy blocks is an error in the result of a tool, and an error of JSON-RPC for all else. A stream is sent if the server sends one.';

/** The schemas of both addresses: a message, and the response to it. Made once, since a schema of the document has one declaration. */
let known: ReturnType<typeof createSchemas> | undefined;
function mcpSchemas() {
  known ??= createSchemas();
  return known;
}

function createSchemas() {
  const id = z.union([z.string(), z.int()]);
  const message = z
    .object({
      jsonrpc: z.literal('2.0'),
      id: id.optional().meta({ description: 'Absent in a notification.' }),
      method: z.string(),
      params: z.record(z.string(), z.unknown()).optional(),
    })
    .meta({ id: 'McpMessage', description: 'A message of an MCP client.' });
  const response = z
    .object({
      jsonrpc: z.literal('2.0'),
      id: id.optional(),
      result: z.record(z.string(), z.unknown()).optional(),
      error: z
        .object({ code: z.int(), message: z.string(), data: z.record(z.string(), z.unknown()).optional() })
        .optional(),
    })
    .meta({ id: 'McpResponse', description: 'A response of JSON-RPC.' });
  return {
    body: {
      schema: message,
      isDocument: true as const,
      examples: {
        list: { value: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } } },
        call: {
          value: {
            jsonrpc: '2.0',
            id: 2,
            method: 'tools/call',
            params: { name: 'get_weather', arguments: { city: 'Bern' }, _meta: META },
          },
        },
      },
    },
    response: {
      description: 'The response.',
      body: response,
      example: { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: '12 degrees' }] } },
    },
    otherResponses: { 202: { description: 'The notification was accepted.' } },
    errors: [...INSPECTION_ERRORS, 'not_found', 'provider_error', 'provider_timeout'] as const,
  };
}

/** MCP servers behind the gateway. */
export const mcpOperations = defineOperations({
  callMcpServer: {
    ...OPERATION,
    path: MCP_PATH,
    summary: 'Use an MCP server',
    description: `${PROTOCOL} Lists have the approved tools and prompts, and the resources, that the key may use. ${INSPECTED}`,
    async schemas() {
      const params = z.object({ server: z.string().meta({ description: 'Name of the server.' }) });
      return { params, ...mcpSchemas() };
    },
  },
  callMcpServers: {
    ...OPERATION,
    path: MCP_ALL_PATH,
    summary: 'Use the tools of all MCP servers',
    description: `${PROTOCOL} \`tools/list\` returns the approved tools of all servers that the key may use, as \`server__tool\`; a name of more than 64 characters is shortened and ends with a digest. Servers that do not respond are named in \`_meta\` under \`svc/unavailable\`. ${INSPECTED}`,
    schemas: async () => mcpSchemas(),
  },
} satisfies GatewayOperations);
