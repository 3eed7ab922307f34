import type { ProviderView } from '../../../functions/contract/index.ts';
import type { Command } from '../command.ts';
import { bodyFrom, optionsOf } from '../fields.ts';

export const PROVIDER_COMMANDS: readonly Command[] = [
  {
    name: 'providers',
    args: [],
    summary: 'Lists configured providers with their health; never a credential.',
    options: { all: { help: 'Also providers that are not configured.' } },
    examples: ['providers', 'providers --all --json'],
    async run(input, { api, out }) {
      const { data, health } = await api().call('listProviders', {});
      const isShown = (one: ProviderView) =>
        input.flag('all') || one.isConfigured || one.routes.length > 0 || one.health.requests > 0;
      out.list(data.filter(isShown), {
        NAME: ({ name }) => name,
        CREDENTIALS: ({ credentials }) => credentials,
        HOST: ({ host }) => host,
        HEALTH: ({ health: { state } }) => state,
        REQUESTS: ({ health: { requests } }) => requests,
        ERRORS: ({ health: { errors } }) => errors,
        'LAST ERROR': ({ health: { lastError } }) =>
          lastError && `${lastError.code ?? lastError.status} ${lastError.time}`,
        CIRCUIT: ({ circuit }) => circuit && describeCircuits(circuit),
        MODELS: ({ models }) => models.count,
      });
      out.say(
        `Health is of the requests since ${health.from}${health.isCut ? ', the newest that are read' : ''}. Failures before a fallback are not counted.`,
      );
      return 0;
    },
  },
  {
    name: 'test-provider',
    args: ['NAME'],
    summary: 'Sends one short request to a provider, which bills it. Exits with 1 if it fails.',
    options: optionsOf('testProvider'),
    examples: ['test-provider openai', 'test-provider openai --model gpt-6-luna'],
    async run(input, context) {
      const { api, out } = context;
      const body = await bodyFrom('testProvider', input, context);
      const test = await api().call('testProvider', { params: { name: input.arg(0) }, body });
      out.thing(test);
      return test.result === 'ok' ? 0 : 1;
    },
  },
];

/** The models whose circuit is not closed: `gpt-6-sol open, gpt-6-luna half_open`. */
function describeCircuits(circuits: NonNullable<ProviderView['circuit']>): string {
  const disturbed = circuits.filter(({ state }) => state !== 'closed');
  return disturbed.length === 0 ? 'closed' : disturbed.map(({ model, state }) => `${model} ${state}`).join(', ');
}
