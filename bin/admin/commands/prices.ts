import { readFile } from 'node:fs/promises';
import type { BodyOf, ResponseOf } from '../../../functions/contract/index.ts';
import type { AdminClient } from '../admin-client.ts';
import { type Command, type CommandInput, type Context, Refused } from '../command.ts';
import { bodyFrom, optionsOf } from '../fields.ts';
import { comparePrices, type PriceChange, PriceListError, readPriceList } from '../price-list.ts';
import { documentCommands, IF_VERSION, ifVersion, showSaved } from './versions.ts';

/** The published list of github.com/pydantic/genai-prices. */
const LIST_URL = 'https://raw.githubusercontent.com/pydantic/genai-prices/main/prices/data_slim.json';
const LIST_DEADLINE_MS = 30_000;
const MAX_LIST_BYTES = 32 * 1024 * 1024;

type ModelPriceList = Extract<ResponseOf<'getPrices'>, { readonly object: 'list' }>;

const COMMANDS = documentCommands<ResponseOf<'putPrices'>>({
  name: 'prices',
  title: "the deployment's prices",
  first: 'the prices of the settings',
  read: 'getPrices',
  put: 'putPrices',
  rollback: 'rollbackPrices',
  versions: 'listPricesVersions',
  version: 'getPricesVersion',
  columns: { PRICES: ({ prices }) => Object.keys(prices).length },
});
const MODEL = {
  args: ['MODEL'],
  argHelp: { MODEL: { help: 'provider/model.' } },
};

export const PRICE_COMMANDS: readonly Command[] = [
  {
    name: 'prices',
    args: [],
    summary: 'Lists the prices in force, in US dollars per million tokens, each with its source.',
    options: { search: { value: 'TEXT', help: 'Only models whose name contains this.' } },
    examples: ['prices', 'prices --search gpt-6-luna --json'],
    async run(input, { api, out }) {
      const { data, tableDate, isOverridden } = await pricesInForce(api());
      const text = input.text('search')?.toLowerCase() ?? '';
      out.list(
        data.filter(({ model }) => model.toLowerCase().includes(text)),
        {
          MODEL: ({ model }) => model,
          INPUT: (one) => one.input,
          OUTPUT: (one) => one.output,
          CACHED: (one) => one.cachedInput,
          SOURCE: ({ source }) => (source === 'table' ? `table of ${tableDate}` : source),
          NEXT: ({ later }) => later[0]?.validFrom,
        },
      );
      if (isOverridden) out.say('The settings of the deployment have other prices, which do not count any more.');
      return 0;
    },
  },
  COMMANDS.show,
  COMMANDS.set,
  {
    name: 'prices set-model',
    ...MODEL,
    summary:
      'Sets the price of one model. Without other options than --input and --output, the rest follows from them.',
    options: { ...optionsOf('setPrice'), ...IF_VERSION },
    examples: [
      'prices set-model lab/llama --input 0.15 --output 0.6',
      'prices set-model openai/gpt-6-luna --input 2 --output 10 --valid-from 2027-01-01',
    ],
    async run(input, context) {
      const fields = (await bodyFrom('setPrice', input, context)) as BodyOf<'setPrice'>;
      const call = { body: { ...fields, model: input.arg(0) }, headers: ifVersion(input) };
      showSaved('prices', await context.api().call('setPrice', call), context.out);
      return 0;
    },
  },
  {
    name: 'prices remove',
    ...MODEL,
    summary: "Removes the deployment's price of a model: the built-in table's counts again.",
    options: IF_VERSION,
    examples: ['prices remove lab/llama'],
    async run(input, { api, out }) {
      const call = { body: { model: input.arg(0) }, headers: ifVersion(input) };
      showSaved('prices', await api().call('removePrice', call), out);
      return 0;
    },
  },
  COMMANDS.rollback,
  COMMANDS.versions,
  {
    name: 'prices refresh',
    args: [],
    summary: 'Compares the prices in force with a published list. Writes only with --apply.',
    options: {
      from: { value: 'FILE|URL', help: `The list. Default: ${LIST_URL}.` },
      provider: { value: 'NAME', multiple: true, help: 'Only this provider. Default: all with credentials.' },
      apply: { help: 'Write the changes, after confirmation.' },
      'large-changes': { help: 'Also write prices that look wrong: ten times higher or lower, or free.' },
    },
    examples: ['prices refresh', 'prices refresh --provider openai --apply', 'prices refresh --from data_slim.json'],
    run: refresh,
  },
];

async function pricesInForce(client: AdminClient): Promise<ModelPriceList> {
  return (await client.call('getPrices', { query: { effective: true } })) as ModelPriceList;
}

async function refresh(input: CommandInput, context: Context): Promise<number> {
  const { api, out, confirm, nowMs } = context;
  const client = api();
  const document = (await client.call('getPrices', {})) as ResponseOf<'putPrices'>;
  const { data } = await pricesInForce(client);
  const providers = new Set(input.all('provider').length > 0 ? input.all('provider') : await configured(client));
  const list = await loadList(input.text('from') ?? LIST_URL, (value) => readPriceList(value, providers, nowMs));
  const changes = comparePrices(list, data);
  out.list(changes, {
    MODEL: ({ model }) => model,
    CHANGE: ({ kind, isSuspect }) => (isSuspect ? `${kind}, looks wrong` : kind),
    PRICES: ({ differences }) => differences.join('; '),
  });
  if (list.skipped.length > 0) {
    out.say(`Not compared, since their prices depend on the length or the time of day: ${list.skipped.join(', ')}.`);
  }
  const written = changes.filter(({ isSuspect }) => !isSuspect || input.flag('large-changes'));
  const left = changes.length - written.length;
  if (left > 0) out.say(`${left} look wrong: check them, and add --large-changes to write them too.`);
  if (!input.flag('apply') || written.length === 0) return 0;
  await confirm(`Write ${written.length} prices?`);
  const prices = {
    ...document.prices,
    ...Object.fromEntries(written.map(({ model, price }: PriceChange) => [model, price])),
  };
  // Another version since the comparison is a 412.
  const headers = { 'if-match': `"${document.version}"` };
  showSaved('prices', await client.call('putPrices', { body: { prices }, headers }), out);
  return 0;
}

async function configured(client: AdminClient): Promise<string[]> {
  const { data } = await client.call('listProviders', {});
  return data.filter(({ isCallable }) => isCallable).map(({ name }) => name);
}

/** The list of a file or an address. @throws Refused if it cannot be read, in time, within its bound, or as a list */
async function loadList<T>(from: string, read: (value: unknown) => T): Promise<T> {
  try {
    return read(JSON.parse(/^https?:/.test(from) ? await download(from) : await readFile(from, 'utf8')));
  } catch (error) {
    if (error instanceof PriceListError) throw new Refused(`${from}: ${error.message}`);
    if (error instanceof SyntaxError) throw new Refused(`${from} is not JSON.`);
    const { message, cause, name } = error as Error & { cause?: Error };
    const reason =
      name === 'TimeoutError' ? `no response within ${LIST_DEADLINE_MS / 1_000} s` : (cause?.message ?? message);
    throw new Refused(`${from} cannot be read: ${reason}.`);
  }
}

async function download(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(LIST_DEADLINE_MS) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > MAX_LIST_BYTES) throw new Error(`it has more than ${MAX_LIST_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
