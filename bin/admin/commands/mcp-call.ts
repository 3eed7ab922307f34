import { setTimeout as pause } from 'node:timers/promises';
import type { BodyOf, ResponseOf } from '../../../functions/contract/index.ts';
import { isObject } from '../../../functions/kernel/json/index.ts';
import { ruleName } from '../../rule-name.ts';
import { AdminApiError, type AdminClient } from '../admin-client.ts';
import { type Command, type CommandInput, UsageError } from '../command.ts';
import { bodyFrom, optionsOf } from '../fields.ts';
import type { Output } from '../output.ts';

/** A record is written after its response. */
const RECORD_TRIES = 10;
const RECORD_PAUSE_MS = 1_000;

/** Tests a tool of an MCP server. */
export const MCP_CALL_COMMAND: Command = {
  name: 'mcp call',
  args: ['NAME', 'TOOL'],
  argHelp: { NAME: { help: 'The name of the server.' }, TOOL: { help: 'Its name, as mcp tools shows it.' } },
  summary: 'Calls a tool as a key would, and shows the result, the decision and the findings.',
  options: {
    ...optionsOf('testMcpTool'),
    arguments: { value: 'JSON', help: 'The arguments of the tool, a JSON object. Default: {}.' },
  },
  examples: [`mcp call crm search --key-id key_... --arguments '{"text": "Ada"}'`],
  async run(input, context) {
    const { api, out } = context;
    const [name, tool] = [input.arg(0), input.arg(1)];
    const args = argumentsOf(input);
    const body = (await bodyFrom('testMcpTool', input, context)) as BodyOf<'testMcpTool'>;
    const client = api();
    const { token } = await client.call('testMcpTool', { params: { name, tool }, body });
    const { result, requestId } = await client.callTool(name, { name: tool, arguments: args }, token);
    const request = requestId === null ? undefined : await recordOf(requestId, client);
    if (out.json) out.objects([{ result, request: request ?? null }]);
    else show(result, request, out);
    return 0;
  },
};

/** @throws UsageError */
function argumentsOf(input: CommandInput): object {
  const value: unknown = parsed(input.text('arguments') ?? '{}');
  if (isObject(value)) return value;
  throw new UsageError('--arguments must be a JSON object.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Request = ResponseOf<'getRequest'>;

/** The record of the call; undefined if it is not there in time. */
async function recordOf(id: string, client: AdminClient): Promise<Request | undefined> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await client.call('getRequest', { params: { id } });
    } catch (error) {
      if (!(error instanceof AdminApiError) || error.status !== 404) throw error;
      if (tries === RECORD_TRIES) return undefined;
      await pause(RECORD_PAUSE_MS);
    }
  }
}

function show(result: object, request: Request | undefined, out: Output): void {
  const { content, structuredContent } = result as { readonly content?: unknown; readonly structuredContent?: unknown };
  const blocks: unknown[] = Array.isArray(content) ? content : [result];
  for (const block of blocks) {
    const isText = isObject(block) && typeof block.text === 'string';
    for (const line of isText ? (block.text as string).split('\n') : [JSON.stringify(block)]) out.line(line);
  }
  if (structuredContent !== undefined) out.line(JSON.stringify(structuredContent));
  if (request === undefined) {
    out.say('The record of the call is not written yet.');
    return;
  }
  const { id, action, latencyMs, processingMs, findings } = request;
  out.thing({ request: id, decision: action, latencyMs, gatewayMs: processingMs });
  out.list(findings, {
    RULE: ruleName,
    TYPE: ({ type }) => type,
    ACTION: (finding) => finding.action,
    SCORE: ({ score }) => score,
    FIELD: ({ location }) => location.field,
  });
}
