import type { ModelRoute, ModelRouteList, ResponseOf } from '../../../functions/contract/index.ts';
import type { AdminClient } from '../admin-client.ts';
import type { Command, CommandInput } from '../command.ts';
import type { Output } from '../output.ts';
import { documentCommands, IF_VERSION, ifVersion, showSaved } from './versions.ts';

type Target = ModelRoute['fallbacks'][number];

const SWITCH = {
  args: ['MODELS'],
  argHelp: { MODELS: { help: "The route's `models`: an alias or a glob." } },
  options: {
    target: { value: 'PROVIDER[/MODEL]', help: 'Only this target or fallback of the route.' },
    ...IF_VERSION,
  },
};

const COMMANDS = documentCommands<ResponseOf<'putRoutes'>>({
  name: 'routes',
  title: "the deployment's routes",
  first: 'the routes of the settings',
  read: 'getRoutes',
  put: 'putRoutes',
  rollback: 'rollbackRoutes',
  versions: 'listRoutesVersions',
  version: 'getRoutesVersion',
  columns: { ROUTES: ({ routes }) => routes.length },
});

export const ROUTE_COMMANDS: readonly Command[] = [
  {
    name: 'routes',
    args: [],
    summary:
      "Lists the routes of models in the order in which they are tried: the deployment's, then the standard ones.",
    options: {},
    examples: ['routes', 'routes --json'],
    async run(_, { api, out }) {
      const { data, isOverridden } = (await api().call('getRoutes', { query: { effective: true } })) as ModelRouteList;
      out.list(data, {
        MODELS: ({ models }) => models,
        SOURCE: ({ source }) => source,
        STATE: ({ state }) => state,
        TARGETS: ({ targets }) =>
          targets.map((target) => `${nameOf(target)} ${Math.round(target.share * 100)} %`).join(', '),
        CHOICE: ({ choose = 'weight', sticky }) => (sticky === undefined ? choose : `${choose}, by ${sticky}`),
        FALLBACKS: ({ fallbacks }) => fallbacks.map(nameOf).join(', '),
      });
      if (isOverridden) out.say('The settings of the deployment have other routes, which do not count any more.');
      return 0;
    },
  },
  COMMANDS.show,
  COMMANDS.set,
  {
    name: 'routes disable',
    ...SWITCH,
    summary: 'Stops requests to a route, or to one of its targets, within 10 s.',
    examples: ['routes disable fast --target openai/gpt-6-luna', "routes disable 'claude-*'"],
    run: (input, { api, out }) => switchRoute('disableRoute', input, api(), out),
  },
  {
    name: 'routes enable',
    ...SWITCH,
    summary: 'Allows requests to a route, or to one of its targets, again.',
    examples: ['routes enable fast --target openai/gpt-6-luna', "routes enable 'claude-*'"],
    run: (input, { api, out }) => switchRoute('enableRoute', input, api(), out),
  },
  COMMANDS.rollback,
  COMMANDS.versions,
];

async function switchRoute(
  operation: 'disableRoute' | 'enableRoute',
  input: CommandInput,
  client: AdminClient,
  out: Output,
): Promise<number> {
  const written = input.text('target');
  const [, provider = '', model] = /^([^/]*)(?:\/(.*))?$/s.exec(written ?? '') ?? [];
  const target = written === undefined ? {} : { target: { provider, ...(model !== undefined && { model }) } };
  const body = { models: input.arg(0), ...target };
  showSaved('routes', await client.call(operation, { body, headers: ifVersion(input) }), out);
  return 0;
}

function nameOf({ provider, model, isCallable, state }: Target): string {
  const name = model === null ? provider : `${provider}/${model}`;
  if (state === 'disabled') return `${name} (disabled)`;
  return isCallable ? name : `${name} (not configured)`;
}
