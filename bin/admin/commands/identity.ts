import type { ResponseOf } from '../../../functions/contract/index.ts';
import type { Command } from '../command.ts';
import { optionsOf, queryFrom } from '../fields.ts';
import { documentCommands } from './versions.ts';

const COMMANDS = documentCommands<ResponseOf<'putIdentity'>>({
  name: 'identity',
  title: 'the issuers of tokens',
  first: 'the issuers of the settings',
  read: 'getIdentity',
  put: 'putIdentity',
  rollback: 'rollbackIdentity',
  versions: 'listIdentityVersions',
  version: 'getIdentityVersion',
  columns: { ISSUERS: ({ issuers }) => issuers.length },
});

/** Issuers whose tokens are accepted in place of keys, and the callers that they name. */
export const IDENTITY_COMMANDS: readonly Command[] = [
  COMMANDS.show,
  COMMANDS.set,
  COMMANDS.rollback,
  COMMANDS.versions,
  {
    name: 'identities list',
    args: [],
    summary: 'Lists the callers that sent a token, newest first.',
    options: optionsOf('listIdentities'),
    examples: ['identities list', 'identities list --limit 200 --json'],
    async run(input, context) {
      const query = { limit: 50, ...(await queryFrom('listIdentities', input, context)) };
      context.out.list(await context.api().all('listIdentities', { query }), {
        ID: ({ id }) => id,
        ISSUER: ({ issuer }) => issuer,
        SUBJECT: ({ subject }) => subject,
        RULE: ({ rule }) => rule,
        STATE: ({ state }) => state,
        'FIRST SEEN': ({ firstSeenAt }) => firstSeenAt,
        'LAST SEEN': ({ lastSeenAt }) => lastSeenAt,
      });
      return 0;
    },
  },
  switching('disable', 'disabled', 'Refuses the tokens of an identity, and ends its running requests, within 30 s.'),
  switching('enable', 'active', 'Accepts the tokens of an identity again.'),
  {
    name: 'identities usage',
    args: ['ID'],
    summary: 'Shows what the limits of an identity would admit now.',
    options: {},
    examples: ['identities usage idn_...'],
    async run(input, { api, out }) {
      out.thing(await api().call('getIdentityUsage', { params: { id: input.arg(0) } }));
      return 0;
    },
  },
];

function switching(verb: string, state: 'active' | 'disabled', summary: string): Command {
  return {
    name: `identities ${verb}`,
    args: ['ID'],
    summary,
    options: {},
    examples: [`identities ${verb} idn_...`],
    async run(input, { api, out }) {
      const changed = await api().call('updateIdentity', { params: { id: input.arg(0) }, body: { state } });
      if (out.json) out.thing(changed);
      out.say(`${changed.id} is ${changed.state}.`);
      return 0;
    },
  };
}
