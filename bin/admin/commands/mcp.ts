import type { BodyOf, ResponseOf, RowOf } from '../../../functions/contract/index.ts';
import { type Command, type CommandInput, type Context, Refused, UsageError } from '../command.ts';
import { bodyFrom, optionsOf } from '../fields.ts';
import type { Output } from '../output.ts';
import { MCP_CALL_COMMAND } from './mcp-call.ts';
import { IF_VERSION, ifVersion, versionCommands } from './versions.ts';

const COMMANDS = versionCommands<ResponseOf<'rollbackMcpServers'>>({
  name: 'mcp',
  title: 'the MCP servers',
  first: 'none',
  rollback: 'rollbackMcpServers',
  versions: 'listMcpServersVersions',
  version: 'getMcpServersVersion',
  columns: { SERVERS: ({ servers }) => servers.map(({ name }) => name).join(', ') },
});
const APPLIED = 'Every process applies it within 10 s.';
const NAME = { NAME: { help: 'The name of the server.' } };
const TOOL = { ...NAME, TOOL: { help: 'Its name, as mcp tools shows it.' } };
const CREDENTIAL = {
  credential: { value: 'ID', help: 'The stored credential that it is called with, or none.' },
  'client-id': {
    value: 'TEXT',
    help: 'Gets access tokens as this OAuth client, with --credential as its secret.',
  },
  'token-url': { value: 'URL', help: 'With --client-id: the token endpoint. Default: by the metadata of the server.' },
  scope: { value: 'TEXT', help: 'With --client-id: the scope of access tokens.' },
};

/** MCP servers, and the approval of their tools. */
export const MCP_COMMANDS: readonly Command[] = [
  {
    name: 'mcp list',
    args: [],
    summary: 'Lists the MCP servers; never a credential.',
    options: {},
    examples: ['mcp list', 'mcp list --json'],
    async run(_, { api, out }) {
      const { data } = await api().call('listMcpServers', {});
      out.list(data, {
        NAME: ({ name }) => name,
        URL: ({ url }) => url,
        STATE: ({ state }) => state,
        TRUST: ({ trust }) => trust,
        'ON CHANGE': ({ onChange }) => onChange,
        APPROVED: ({ approvedTools }) => approvedTools,
      });
      return 0;
    },
  },
  {
    name: 'mcp add',
    args: ['NAME'],
    argHelp: { NAME: { help: 'Lower-case letters, digits and -.' } },
    summary: 'Adds an MCP server. Its tools are served once they are approved.',
    options: { ...optionsOf('createMcpServer', 'name', 'auth', 'state'), ...CREDENTIAL, ...IF_VERSION },
    examples: ['mcp add crm --server-url https://crm.example.com/mcp --credential cred_...'],
    async run(input, context) {
      const given = { ...(await bodyFrom('createMcpServer', input, context)), ...authOf(input), name: input.arg(0) };
      // The API names what is missing.
      const body = given as BodyOf<'createMcpServer'>;
      const { api, out } = context;
      showSaved(await api().call('createMcpServer', { body, headers: ifVersion(input) }), out);
      return 0;
    },
  },
  {
    name: 'mcp set',
    args: ['NAME'],
    argHelp: NAME,
    summary: 'Changes the named fields of an MCP server.',
    options: { ...optionsOf('updateMcpServer', 'auth', 'state'), ...CREDENTIAL, ...IF_VERSION },
    examples: ['mcp set crm --on-change flag', 'mcp set crm --credential none'],
    async run(input, context) {
      const body = { ...(await bodyFrom('updateMcpServer', input, context)), ...authOf(input) };
      if (Object.keys(body).length === 0) throw new UsageError('Name at least one field to change.');
      return change(body, input, context);
    },
  },
  {
    name: 'mcp disable',
    args: ['NAME'],
    argHelp: NAME,
    summary: 'Stops requests to an MCP server, within 10 s.',
    options: IF_VERSION,
    examples: ['mcp disable crm'],
    run: (input, context) => change({ state: 'disabled' }, input, context),
  },
  {
    name: 'mcp enable',
    args: ['NAME'],
    argHelp: NAME,
    summary: 'Allows requests to an MCP server again.',
    options: IF_VERSION,
    examples: ['mcp enable crm'],
    run: (input, context) => change({ state: 'active' }, input, context),
  },
  {
    name: 'mcp remove',
    args: ['NAME'],
    argHelp: NAME,
    summary: 'Removes an MCP server with its approvals.',
    options: IF_VERSION,
    examples: ['mcp remove crm'],
    async run(input, { api, out, confirm }) {
      const params = { name: input.arg(0) };
      await confirm(`Remove the MCP server ${params.name}?`);
      const removed = await api().call('deleteMcpServer', { params, headers: ifVersion(input) });
      if (out.json) out.thing(removed);
      out.say(`Removed ${params.name}. ${APPLIED}`);
      return 0;
    },
  },
  {
    name: 'mcp tools',
    args: ['NAME'],
    argHelp: NAME,
    summary: 'Asks an MCP server for its tools, and shows which are approved and what the rules find in them.',
    options: {},
    examples: ['mcp tools crm', 'mcp tools crm --json'],
    async run(input, { api, out }) {
      const { data, unavailable } = await api().call('listMcpTools', { params: { name: input.arg(0) } });
      for (const { kind, message } of unavailable) out.say(`No ${kind}s: ${message}`);
      out.list(data, {
        TOOL: ({ tool }) => tool,
        STATE: ({ state }) => state,
        SERVED: ({ isServed }) => isServed,
        CHANGED: ({ fields }) => fields.join(', '),
        FINDINGS: ({ findings }) => findings.map(({ rule }) => rule).join(', '),
        DIGEST: ({ digest }) => digest,
      });
      return 0;
    },
  },
  {
    name: 'mcp approve',
    args: ['NAME', 'TOOL'],
    argHelp: TOOL,
    summary: 'Shows the definition of a tool, and approves it after confirmation.',
    options: optionsOf('approveMcpTool'),
    examples: ['mcp approve crm search', 'mcp approve crm search --digest 8f43... --yes'],
    async run(input, context) {
      const { api, out, confirm } = context;
      const params = { name: input.arg(0), tool: input.arg(1) };
      const given = await bodyFrom('approveMcpTool', input, context);
      const { data } = await api().call('listMcpTools', { params });
      const tool = data.find((one) => one.tool === params.tool);
      if (tool?.digest == null) throw new Refused('The server lists no tool of this name.');
      const digest = given.digest ?? tool.digest;
      if (!out.json) showTool(tool, out);
      await confirm(`Approve this definition of ${params.name}/${params.tool}?`);
      const approved = await api().call('approveMcpTool', { params, body: { digest } });
      if (out.json) out.thing(approved);
      out.say(`Approved ${params.name}/${params.tool}. ${APPLIED}`);
      return 0;
    },
  },
  {
    name: 'mcp withdraw',
    args: ['NAME', 'TOOL'],
    argHelp: TOOL,
    summary: 'Withdraws the approval of a tool.',
    options: {},
    examples: ['mcp withdraw crm search'],
    async run(input, { api, out, confirm }) {
      const params = { name: input.arg(0), tool: input.arg(1) };
      await confirm(`Withdraw the approval of ${params.name}/${params.tool}?`);
      const withdrawn = await api().call('withdrawMcpTool', { params });
      if (out.json) out.thing(withdrawn);
      out.say(`Withdrew ${params.name}/${params.tool}. ${APPLIED}`);
      return 0;
    },
  },
  MCP_CALL_COMMAND,
  COMMANDS.rollback,
  COMMANDS.versions,
];

function authOf(input: CommandInput): Pick<BodyOf<'updateMcpServer'>, 'auth'> {
  const [credentialId, clientId] = [input.text('credential'), input.text('client-id')];
  const [tokenUrl, scope] = [input.text('token-url'), input.text('scope')];
  const isClient = clientId !== undefined;
  if (isClient && (credentialId === undefined || credentialId === 'none'))
    throw new UsageError('--client-id needs --credential, its secret.');
  if (!isClient && (tokenUrl ?? scope) !== undefined) throw new UsageError('--token-url and --scope need --client-id.');
  if (credentialId === undefined) return {};
  if (credentialId === 'none') return { auth: { type: 'none' } };
  if (!isClient) return { auth: { type: 'credential', credentialId } };
  const given = { ...(tokenUrl !== undefined && { tokenUrl }), ...(scope !== undefined && { scope }) };
  return { auth: { type: 'clientCredentials', credentialId, clientId, ...given } };
}

async function change(body: BodyOf<'updateMcpServer'>, input: CommandInput, { api, out }: Context): Promise<number> {
  const params = { name: input.arg(0) };
  showSaved(await api().call('updateMcpServer', { params, body, headers: ifVersion(input) }), out);
  return 0;
}

function showSaved(saved: ResponseOf<'updateMcpServer'>, out: Output): void {
  if (out.json) out.thing(saved);
  out.say(`${saved.name} is ${saved.state}. ${APPLIED}`);
}

/** The definition unchanged, in JSON: text of a third party. */
function showTool({ definition, findings, fields, ...tool }: RowOf<'listMcpTools'>, out: Output): void {
  out.thing({ ...tool, changed: fields.join(', '), definition: JSON.stringify(definition) });
  out.list(findings, {
    RULE: ({ rule }) => rule,
    SEVERITY: ({ severity }) => severity,
    FIELD: ({ field }) => field,
    MESSAGE: ({ message }) => message,
  });
}
