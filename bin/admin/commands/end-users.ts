import type { EndUserDeletion } from '../../../functions/admin-api/contract.ts';
import type { Command } from '../command.ts';

export const END_USER_COMMANDS: readonly Command[] = [
  {
    name: 'end-users delete',
    args: ['ID'],
    summary: 'Deletes all that is kept of an end user.',
    options: {},
    examples: ['end-users delete ann', 'end-users delete ann --yes --json'],
    async run(input, { api, out, confirm }) {
      await confirm(`Delete all data of the end user '${input.arg(0)}'? It cannot be taken back.`);
      const answer = await api().call<EndUserDeletion>('DELETE', `/admin/end-users/${input.part(0)}`);
      if (out.json) out.thing(answer);
      else out.thing(answer.deleted);
      return 0;
    },
  },
];
