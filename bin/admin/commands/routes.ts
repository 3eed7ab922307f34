import type { ModelRoute } from '../../../functions/contract/index.ts';
import type { Command } from '../command.ts';

type Target = ModelRoute['fallbacks'][number];

export const ROUTE_COMMANDS: readonly Command[] = [
  {
    name: 'routes',
    args: [],
    summary:
      "Lists the routes of models in the order in which they are tried: the deployment's, then the standard ones.",
    options: {},
    examples: ['routes', 'routes --json'],
    async run(_, { api, out }) {
      const { data } = await api().call('listRoutes', {});
      out.list(data, {
        MODELS: ({ models }) => models,
        SOURCE: ({ source }) => source,
        TARGETS: ({ targets }) =>
          targets.map((target) => `${nameOf(target)} ${Math.round(target.share * 100)} %`).join(', '),
        FALLBACKS: ({ fallbacks }) => fallbacks.map(nameOf).join(', '),
      });
      return 0;
    },
  },
];

function nameOf({ provider, model, isCallable }: Target): string {
  const name = model === null ? provider : `${provider}/${model}`;
  return isCallable ? name : `${name} (not configured)`;
}
