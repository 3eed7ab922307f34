import * as z from 'zod';
import { defineOperations } from '../../contract/index.ts';
import { mcpErrors } from '../../translation/index.ts';
import { handleMcp, MCP_PATH } from '../mcp-route.ts';
import { type GatewayOperations, INSPECTION_ERRORS } from './gateway-operation.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** MCP servers behind the gateway. */
export const mcpOperations = defineOperations({
  callMcpServer: {
    method: 'POST',
    path: MCP_PATH,
    tag: 'MCP',
    summary: 'Use the tools of an MCP server',
    description:
      'Streamable HTTP of the Model Context Protocol, of the revisions 2026-07-28 and 2025-11-25. The body is one message of JSON-RPC. `tools/list` returns the approved tools that the key may use; the arguments and the result of `tools/call` are inspected. Both count as a request of the key. What the policy blocks is an error in the result of the tool. A stream is sent if the server sends one.',
    access: 'mcp',
    handlers: [{ handler: handleMcp, errorShape: mcpErrors() }],
    async schemas() {
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
        params: z.object({ server: z.string().meta({ description: 'Name of the server.' }) }),
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
        errors: [...INSPECTION_ERRORS, 'not_found', 'provider_error', 'provider_timeout'],
      };
    },
  },
} satisfies GatewayOperations);
