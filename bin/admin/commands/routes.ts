import type { BodyOf, ModelRoute, ModelRouteList, ResponseOf } from '../../../functions/contract/index.ts';
import type { AdminClient } from '../admin-client.ts';
import type { Command, CommandInput } from '../command.ts';
import { optionsOf, queryFrom } from '../fields.ts';
import { keyNames } from '../key-names.ts';
import type { Output } from '../output.ts';
import { IF_VERSION, ifVersion, versionArgument } from './versions.ts';

type RoutesVersion = ResponseOf<'putRoutes'>;
type Target = ModelRoute['fallbacks'][number];

const SWITCH = {
  args: ['MODELS'],
  argHelp: { MODELS: { help: "The route's `models`: an alias or a glob." } },
  options: {
    target: { value: 'PROVIDER[/MODEL]', help: 'Only this target or fallback of the route.' },
    ...IF_VERSION,
  },
};

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
  {
    name: 'routes show',
    args: [],
    summary: "Shows the deployment's routes, without the standard ones.",
    options: { version: { value: 'N', help: 'This version instead of the current one.' } },
    examples: ['routes show', 'routes show --json > routes.json', 'routes show --version 3'],
    async run(input, { api, out }) {
      const number = input.number('version');
      const { version, createdAt, routes } =
        number === undefined
          ? ((await api().call('getRoutes', {})) as RoutesVersion)
          : await api().call('getRoutesVersion', { params: { version: String(number) } });
      out.say(`Version ${version}${createdAt === null ? '' : ` of ${createdAt}`}.`);
      // The format of routes set.
      out.objects([{ routes }]);
      return 0;
    },
  },
  {
    name: 'routes set',
    args: ['FILE'],
    summary: "Replaces the deployment's routes by a JSON file; - reads standard input.",
    options: IF_VERSION,
    examples: ['routes set routes.json', 'routes set routes.json --if-version 3'],
    async run(input, { api, out, readJson }) {
      const body = (await readJson(input.arg(0))) as BodyOf<'putRoutes'>;
      showSaved(await api().call('putRoutes', { body, headers: { 'if-match': '*', ...ifVersion(input) } }), out);
      return 0;
    },
  },
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
  {
    name: 'routes rollback',
    args: ['VERSION'],
    argHelp: { VERSION: { help: 'The version to restore, from routes versions; 0: the routes of the settings.' } },
    summary: "Restores an older version of the deployment's routes, as a new version.",
    options: IF_VERSION,
    examples: ['routes rollback 3', 'routes rollback 3 --if-version 4'],
    async run(input, { api, out }) {
      const body = { version: versionArgument(input) };
      showSaved(await api().call('rollbackRoutes', { body, headers: ifVersion(input) }), out);
      return 0;
    },
  },
  {
    name: 'routes versions',
    args: [],
    summary: "Lists versions of the deployment's routes, newest first.",
    options: optionsOf('listRoutesVersions'),
    examples: ['routes versions'],
    async run(input, context) {
      const { api, out } = context;
      const client = api();
      const query = { limit: 20, ...(await queryFrom('listRoutesVersions', input, context)) };
      const list = await client.all('listRoutesVersions', { query });
      const authors = list.map(({ createdBy }) => createdBy);
      const names = out.json ? undefined : await keyNames(client, authors);
      out.list(list, {
        VERSION: ({ version }) => version,
        CREATED: ({ createdAt }) => createdAt,
        BY: ({ createdBy }) => createdBy,
        NAME: ({ createdBy }) => names?.get(createdBy ?? ''),
        ROUTES: ({ routes }) => routes.length,
      });
      return 0;
    },
  },
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
  showSaved(await client.call(operation, { body, headers: ifVersion(input) }), out);
  return 0;
}

function showSaved(saved: RoutesVersion, out: Output): void {
  if (out.json) out.thing(saved);
  out.say(`The routes are now version ${saved.version}. Every process applies them within 10 s.`);
}

function nameOf({ provider, model, isCallable, state }: Target): string {
  const name = model === null ? provider : `${provider}/${model}`;
  if (state === 'disabled') return `${name} (disabled)`;
  return isCallable ? name : `${name} (not configured)`;
}
