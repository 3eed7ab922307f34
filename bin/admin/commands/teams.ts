import type { BodyOf } from '../../../functions/contract/index.ts';
import { type Command, UsageError } from '../command.ts';
import { bodyFrom, optionsOf } from '../fields.ts';

const ID = ['ID'];

export const TEAM_COMMANDS: readonly Command[] = [
  {
    name: 'teams list',
    args: [],
    summary: 'Lists the teams.',
    options: {},
    examples: ['teams list'],
    async run(_, { api, out }) {
      const { data } = await api().call('listTeams', {});
      out.list(data, {
        ID: ({ id }) => id,
        NAME: ({ name }) => name,
        STATE: ({ state }) => state,
        REQUESTS: ({ rateLimit }) => rateLimit && `${rateLimit.requests}/${rateLimit.period}`,
        BUDGET: ({ budget }) => budget && `${budget.usd}/${budget.period}`,
        MEMBERS: ({ members }) => String(members.length),
        CREATED: ({ createdAt }) => createdAt,
      });
      return 0;
    },
  },
  {
    name: 'teams show',
    args: ID,
    summary: 'Shows a team with its members, limits and policy.',
    options: {},
    examples: ['teams show team_...'],
    async run(input, { api, out }) {
      out.thing(await api().call('getTeam', { params: { id: input.arg(0) } }));
      return 0;
    },
  },
  {
    name: 'teams usage',
    args: ID,
    summary: 'Shows what the limits of a team would admit now.',
    options: {},
    examples: ['teams usage team_...'],
    async run(input, { api, out }) {
      out.thing(await api().call('getTeamUsage', { params: { id: input.arg(0) } }));
      return 0;
    },
  },
  {
    name: 'teams create',
    args: ['NAME'],
    summary: 'Creates a team. Its limits, models and policy bound all of its keys together.',
    options: optionsOf('createTeam', 'name'),
    examples: ['teams create Shop --rate 6000/minute --budget 500/month --models "gpt-*"'],
    async run(input, context) {
      const { api, out } = context;
      const body = { ...(await bodyFrom('createTeam', input, context)), name: input.arg(0) } as BodyOf<'createTeam'>;
      const team = await api().call('createTeam', { body });
      if (out.json) out.thing(team);
      out.say(`Created ${team.id}.`);
      return 0;
    },
  },
  {
    name: 'teams set',
    args: ID,
    summary: 'Changes the named fields of a team.',
    options: optionsOf('updateTeam'),
    examples: ['teams set team_... --state disabled', 'teams set team_... --members members.json'],
    async run(input, context) {
      const { api, out } = context;
      const body = await bodyFrom('updateTeam', input, context);
      if (Object.keys(body).length === 0) throw new UsageError('Name at least one field to change.');
      const team = await api().call('updateTeam', { params: { id: input.arg(0) }, body });
      if (out.json) out.thing(team);
      out.say(`${team.id} is ${team.state}.`);
      return 0;
    },
  },
  {
    name: 'teams delete',
    args: ID,
    summary: 'Deletes a team without keys.',
    options: {},
    examples: ['teams delete team_...', 'teams delete team_... --yes'],
    async run(input, { api, out, confirm }) {
      const client = api();
      const call = { params: { id: input.arg(0) } };
      const { name } = await client.call('getTeam', call);
      await confirm(`Delete ${input.arg(0)}, ${name}?`);
      const answer = await client.call('deleteTeam', call);
      if (out.json) out.thing(answer);
      out.say(`Deleted ${input.arg(0)}.`);
      return 0;
    },
  },
];
