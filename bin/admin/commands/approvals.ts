import type { Command, CommandInput, Context } from '../command.ts';
import { optionsOf, queryFrom } from '../fields.ts';

const ID = ['ID'];

export const APPROVAL_COMMANDS: readonly Command[] = [
  {
    name: 'approvals list',
    args: [],
    summary: 'Lists tool calls that wait for approval, newest first.',
    options: optionsOf('listApprovals'),
    examples: ['approvals list --state pending'],
    async run(input, context) {
      const { api, out } = context;
      const query = { limit: 50, ...(await queryFrom('listApprovals', input, context)) };
      out.list(await api().all('listApprovals', { query }), {
        ID: ({ id }) => id,
        CREATED: ({ createdAt }) => createdAt,
        STATE: ({ state }) => state,
        TOOL: ({ tool }) => tool,
        ARGUMENT: ({ argument }) => argument,
        SOURCE: ({ sources: [source] }) => source && (source.tool ?? 'document'),
        RULE: ({ policyRule }) => policyRule ?? null,
        ORDERED: ({ ordered }) => ordered ?? null,
        KEY: ({ keyId }) => keyId,
        SESSION: ({ sessionId }) => sessionId,
        'DECIDED BY': ({ decidedBy }) => decidedBy,
      });
      return 0;
    },
  },
  {
    name: 'approvals show',
    args: ID,
    summary: 'Shows a tool call with its arguments, until it expires; writes an audit record.',
    options: {},
    examples: ['approvals show appr_...'],
    async run(input, { api, out }) {
      out.thing(await api().call('getApproval', { params: { id: input.arg(0) } }));
      return 0;
    },
  },
  {
    name: 'approvals approve',
    args: ID,
    summary: 'Approves a tool call: it is released once, when the model makes it again.',
    options: {},
    examples: ['approvals approve appr_...'],
    run: (input, context) => decide('approve', input, context),
  },
  {
    name: 'approvals deny',
    args: ID,
    summary: 'Denies a tool call.',
    options: {},
    examples: ['approvals deny appr_...'],
    run: (input, context) => decide('deny', input, context),
  },
];

async function decide(decision: 'approve' | 'deny', input: CommandInput, { api, out }: Context): Promise<number> {
  const approval = await api().call('decideApproval', { params: { id: input.arg(0) }, body: { decision } });
  if (out.json) out.thing(approval);
  out.say(`${approval.id} is ${approval.state}.`);
  return 0;
}
