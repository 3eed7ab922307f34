import type { BodyOf, ProviderView, ResponseOf } from '../../../functions/contract/index.ts';
import { type Command, type CommandInput, type Context, UsageError } from '../command.ts';
import { bodyFrom, optionsOf, queryFrom } from '../fields.ts';
import { keyNames } from '../key-names.ts';
import type { Output } from '../output.ts';
import { IF_VERSION, ifVersion, versionArgument } from './versions.ts';

const APPLIED = 'Every process applies it within 10 s.';

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
        STATE: ({ state }) => state,
        SOURCE: ({ source, isOverridden }) => (isOverridden ? `${source} (overrides the settings)` : source),
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
    name: 'providers show',
    args: ['NAME'],
    summary: 'Shows a provider; never a credential.',
    options: {},
    examples: ['providers show openai', 'providers show my-llm --json'],
    async run(input, { api, out }) {
      out.thing(await api().call('getProvider', { params: { name: input.arg(0) } }));
      return 0;
    },
  },
  {
    name: 'providers add',
    args: ['NAME'],
    argHelp: { NAME: { help: 'Lower-case letters, digits and -; of a known provider, or a new one.' } },
    summary: 'Adds a provider while the gateway runs.',
    options: { ...optionsOf('createProvider', 'name'), ...IF_VERSION },
    examples: [
      'providers add cerebras --credential cred_...',
      "providers add my-llm --protocol openai --base-url https://llm.example.com/v1 --models 'llama-*'",
    ],
    async run(input, context) {
      const { api, out } = context;
      const body = { ...(await bodyFrom('createProvider', input, context)), name: input.arg(0) };
      showSaved(await api().call('createProvider', { body, headers: ifVersion(input) }), out);
      return 0;
    },
  },
  {
    name: 'providers set',
    args: ['NAME'],
    summary: 'Changes the named fields of a provider, also of one of the settings.',
    options: { ...optionsOf('updateProvider'), ...IF_VERSION },
    examples: [
      'providers set my-llm --base-url https://other.example.com/v1',
      'providers set openai --base-url none --credential cred_...',
    ],
    async run(input, context) {
      const body = await bodyFrom('updateProvider', input, context);
      if (Object.keys(body).length === 0) throw new UsageError('Name at least one field to change.');
      return change(body, input, context);
    },
  },
  {
    name: 'providers disable',
    args: ['NAME'],
    summary: 'Stops requests to a provider, within 10 s; fallbacks serve.',
    options: IF_VERSION,
    examples: ['providers disable openai'],
    run: (input, context) => change({ state: 'disabled' }, input, context),
  },
  {
    name: 'providers enable',
    args: ['NAME'],
    summary: 'Allows requests to a provider again.',
    options: IF_VERSION,
    examples: ['providers enable openai'],
    run: (input, context) => change({ state: 'active' }, input, context),
  },
  {
    name: 'providers remove',
    args: ['NAME'],
    summary: 'Removes a provider that was added, or a change of one of the settings.',
    options: IF_VERSION,
    examples: ['providers remove my-llm', 'providers remove my-llm --yes'],
    async run(input, { api, out, confirm }) {
      const params = { name: input.arg(0) };
      await confirm(`Remove the provider ${params.name}?`);
      const removed = await api().call('deleteProvider', { params, headers: ifVersion(input) });
      if (out.json) out.thing(removed);
      out.say(`Removed ${params.name}. ${APPLIED}`);
      return 0;
    },
  },
  {
    name: 'providers rollback',
    args: ['VERSION'],
    argHelp: { VERSION: { help: 'The version to restore, from providers versions; 0: only those of the settings.' } },
    summary: 'Restores an older version of the stored providers, as a new version.',
    options: IF_VERSION,
    examples: ['providers rollback 3', 'providers rollback 3 --if-version 4'],
    async run(input, { api, out }) {
      const body = { version: versionArgument(input) };
      const saved = await api().call('rollbackProviders', { body, headers: ifVersion(input) });
      if (out.json) out.thing(saved);
      out.say(`The providers are now version ${saved.version}. ${APPLIED}`);
      return 0;
    },
  },
  {
    name: 'providers versions',
    args: [],
    summary: 'Lists versions of the stored providers, newest first.',
    options: optionsOf('listProvidersVersions'),
    examples: ['providers versions'],
    async run(input, context) {
      const { api, out } = context;
      const client = api();
      const query = { limit: 20, ...(await queryFrom('listProvidersVersions', input, context)) };
      const list = await client.all('listProvidersVersions', { query });
      const authors = list.map(({ createdBy }) => createdBy);
      const names = out.json ? undefined : await keyNames(client, authors);
      out.list(list, {
        VERSION: ({ version }) => version,
        CREATED: ({ createdAt }) => createdAt,
        BY: ({ createdBy }) => createdBy,
        NAME: ({ createdBy }) => names?.get(createdBy ?? ''),
        PROVIDERS: ({ providers }) => providers.map(({ name }) => name).join(', '),
      });
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

async function change(body: BodyOf<'updateProvider'>, input: CommandInput, { api, out }: Context): Promise<number> {
  const params = { name: input.arg(0) };
  showSaved(await api().call('updateProvider', { params, body, headers: ifVersion(input) }), out);
  return 0;
}

function showSaved(saved: ResponseOf<'updateProvider'>, out: Output): void {
  if (out.json) out.thing(saved);
  out.say(`${saved.name} is ${saved.state}. ${APPLIED}`);
}

/** The models whose circuit is not closed: `gpt-6-sol open, gpt-6-luna half_open`. */
function describeCircuits(circuits: NonNullable<ProviderView['circuit']>): string {
  const disturbed = circuits.filter(({ state }) => state !== 'closed');
  return disturbed.length === 0 ? 'closed' : disturbed.map(({ model, state }) => `${model} ${state}`).join(', ');
}
