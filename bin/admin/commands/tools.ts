import type { QueryOf, ResponseOf, RowOf } from '../../../functions/contract/index.ts';
import type { AdminClient } from '../admin-client.ts';
import { type Command, Refused } from '../command.ts';
import { optionsOf, queryFrom } from '../fields.ts';
import { keyNames } from '../key-names.ts';
import type { Output } from '../output.ts';

type Tool = RowOf<'listTools'>;

const MAX_PAGE = 100;

/** The tools that agents call. */
export const TOOL_COMMANDS: readonly Command[] = [
  {
    name: 'tools list',
    args: [],
    summary: 'Lists the tools that agents called, those with the most calls first.',
    options: optionsOf('listTools'),
    examples: ['tools list --last 7d', 'tools list --last 7d --effect send --key key_...'],
    async run(input, context) {
      const { api, out } = context;
      const { limit = 50, ...query } = await queryFrom('listTools', input, context);
      out.list(await readTools(api(), query, Number(limit), out), {
        TOOL: ({ tool }) => tool,
        EFFECT: ({ effect }) => effect,
        CALLS: ({ calls }) => calls,
        'FROM PROSE': ({ calls, fromProse }) => shareOf(fromProse, calls),
        FLAGGED: ({ flagged }) => flagged,
        ASKED: ({ asked }) => asked,
        BLOCKED: ({ blocked }) => blocked,
        WAITING: ({ waiting }) => waiting,
        KEYS: ({ keys }) => keys,
        PINNED: ({ pins }) => pins.length,
        CHANGED: ({ pins }) => pins.filter(({ isChanged }) => isChanged).length,
        'LAST CALL': ({ lastAt }) => lastAt,
        'FIRST CALL': ({ firstAt }) => firstAt,
      });
      return 0;
    },
  },
  {
    name: 'tools show',
    args: ['TOOL'],
    argHelp: { TOOL: { help: 'Its name, as the list shows it.' } },
    summary: 'Shows where the values of the arguments of a tool came from, and who uses it.',
    options: optionsOf('listTools', 'tool', 'effect', 'limit'),
    examples: ['tools show send_email --last 7d'],
    async run(input, context) {
      const { api, out } = context;
      const client = api();
      const query = { ...(await queryFrom('listTools', input, context)), tool: input.arg(0) };
      const [tool] = await readTools(client, query, 1, out);
      if (tool === undefined) throw new Refused('No agent called this tool in this time.');
      if (out.json) out.thing(tool);
      else await showTool(tool, client, out);
      return 0;
    },
  },
];

async function showTool({ arguments: args, ...tool }: Tool, client: AdminClient, out: Output): Promise<void> {
  const names = await keyNames(client, tool.keyIds);
  out.thing({
    ...tool,
    from: Object.entries(tool.from)
      .map(([author, values]) => `${author} ${values}`)
      .join(', '),
    keyIds: tool.keyIds.map((id) => `${id} ${names?.get(id) ?? ''}`.trim()).join(', '),
    pins: tool.pins.map(({ keyId, isChanged }) => `${keyId}${isChanged ? ' (changed)' : ''}`).join(', '),
  });
  out.list(args, {
    ARGUMENT: ({ argument }) => argument,
    CALLS: ({ calls }) => calls,
    USER: ({ from }) => from.user,
    FIELD: ({ from }) => from.field,
    PROSE: ({ from }) => from.prose,
    NOWHERE: ({ from }) => from.none,
    SOURCES: ({ sources }) =>
      sources.map((one) => `${one.as} ${one.tool ?? 'document'} ${one.field} (${one.calls})`).join(', '),
  });
}

/** The first tools. Says so if not all requests of the range were read. */
async function readTools(
  client: AdminClient,
  query: QueryOf<'listTools'>,
  limit: number,
  out: Output,
): Promise<readonly Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  let page: ResponseOf<'listTools'>;
  do {
    const size = Math.min(MAX_PAGE, limit - tools.length);
    page = await client.call('listTools', { query: { ...query, limit: size, cursor } });
    tools.push(...page.data);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && tools.length < limit);
  if (page.isCut) {
    out.say(
      `The range has more requests than are read at once: figures are of ${page.requests}, spread over the range.`,
    );
  }
  return tools;
}

function shareOf(part: number, whole: number): string {
  return `${Math.round((1000 * part) / whole) / 10} %`;
}
