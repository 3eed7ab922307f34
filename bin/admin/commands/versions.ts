import type { OperationId } from '../../../functions/contract/index.ts';
import { type Command, type CommandInput, type Context, UsageError } from '../command.ts';
import { optionsOf, queryFrom } from '../fields.ts';
import { keyNames } from '../key-names.ts';
import type { Cell, Output } from '../output.ts';

/** Of commands that replace a document. */
export const IF_VERSION: Command['options'] = { 'if-version': { value: 'N', help: 'Replace only this version.' } };

/** The header of `--if-version`; empty without it. */
export function ifVersion(input: CommandInput): Record<string, string> {
  return input.text('if-version') === undefined ? {} : { 'if-match': `"${input.number('if-version')}"` };
}

/** The number of a version, from the first argument. @throws UsageError */
export function versionArgument(input: CommandInput): number {
  if (!/^\d{1,15}$/.test(input.arg(0))) throw new UsageError('VERSION is a number, such as 3.');
  return Number(input.arg(0));
}

/** Prints what another version changes, with both values. A roll-out that ran then is not restored. */
function sayChanges(before: Version, after: Version, out: Output): void {
  const [was, is] = [contentOf(before), contentOf({ ...after, ...{ rollout: undefined } })];
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const [one, other] = [was, is].map((from) => JSON.stringify(from.get(name)) ?? 'none');
    if (one !== other) out.say(`  ${name}: ${one} -> ${other}`);
  }
}

function contentOf({ object: _, version: __, createdAt: ___, createdBy: ____, ...content }: Version & object) {
  return new Map(Object.entries(content));
}

/** What every version of a document has. */
interface Version {
  readonly object: string;
  readonly version: number;
  readonly createdAt: string | null;
  readonly createdBy: string | null;
}

/** The versions of a document: their operations and words. */
interface VersionWords<Shown extends Version> {
  /** The first word of its commands. */
  readonly name: 'policy' | 'routes' | 'prices' | 'providers' | 'identity' | 'mcp';
  /** In sentences: `the deployment's routes`. */
  readonly title: string;
  /** Version 0: `the routes of the settings`. */
  readonly first: string;
  readonly rollback: OperationId;
  readonly versions:
    | 'listPolicyVersions'
    | 'listRoutesVersions'
    | 'listPricesVersions'
    | 'listProvidersVersions'
    | 'listIdentityVersions'
    | 'listMcpServersVersions';
  readonly version: OperationId;
  /** What the list of versions shows besides number, time and author. */
  readonly columns: Readonly<Record<string, (version: Shown) => Cell>>;
}

/** The same of a document that is read and written as a whole. */
export interface DocumentWords<Shown extends Version> extends VersionWords<Shown> {
  readonly read: OperationId;
  readonly put: OperationId;
}

/** Calls without the types of an operation: all documents have the same. */
interface LooseClient<Shown> {
  call(id: OperationId, call: object): Promise<Shown>;
  all(id: OperationId, call: object): Promise<readonly Shown[]>;
}

function looseClient<Shown>({ api }: Pick<Context, 'api'>): LooseClient<Shown> {
  return api() as unknown as LooseClient<Shown>;
}

/** The commands that every document has, by their last word. */
export function documentCommands<Shown extends Version>(document: DocumentWords<Shown>) {
  const { name, title, put } = document;
  return {
    show: {
      name: `${name} show`,
      args: [],
      summary: `Shows ${title}, as set.`,
      options: { version: { value: 'N', help: 'This version instead of the current one.' } },
      examples: [`${name} show`, `${name} show --json > ${name}.json`, `${name} show --version 3`],
      run: (input, context) => showVersion(document, input, context),
    },
    set: {
      name: `${name} set`,
      args: ['FILE'],
      summary: `Replaces ${title} by a JSON file; - reads standard input.`,
      options: IF_VERSION,
      examples: [`${name} set ${name}.json`, `${name} set ${name}.json --if-version 3`],
      async run(input, context) {
        const body = await context.readJson(input.arg(0));
        const headers = { 'if-match': '*', ...ifVersion(input) };
        showSaved(name, await looseClient<Shown>(context).call(put, { body, headers }), context.out);
        return 0;
      },
    },
    ...versionCommands(document),
  } satisfies Readonly<Record<string, Command>>;
}

/** The commands of a document's versions, by their last word. */
export function versionCommands<Shown extends Version>(document: VersionWords<Shown>) {
  const { name, title, first, rollback, versions, version: ofVersion, columns } = document;
  return {
    rollback: {
      name: `${name} rollback`,
      args: ['VERSION'],
      argHelp: { VERSION: { help: `The version to restore, from ${name} versions; 0: ${first}.` } },
      summary: `Restores an older version of ${title}, as a new version.`,
      options: IF_VERSION,
      examples: [`${name} rollback 3`, `${name} rollback 3 --if-version 4`],
      async run(input, context) {
        const version = versionArgument(input);
        const client = looseClient<Shown>(context);
        const read = (number: number) => client.call(ofVersion, { params: { version: String(number) } });
        const { data } = (await client.call(versions, { query: { limit: 1 } })) as unknown as { data: Shown[] };
        sayChanges(data[0] ?? (await read(0)), await read(version), context.out);
        const saved = await client.call(rollback, { body: { version }, headers: ifVersion(input) });
        showSaved(name, saved, context.out);
        return 0;
      },
    },
    versions: {
      name: `${name} versions`,
      args: [],
      summary: `Lists versions of ${title}, newest first.`,
      options: optionsOf(versions),
      examples: [`${name} versions`],
      async run(input, context) {
        const { api, out } = context;
        const query = { limit: 20, ...(await queryFrom(versions, input, context)) };
        const list = await looseClient<Shown>(context).all(versions, { query });
        const authors = list.map(({ createdBy }) => createdBy);
        const names = out.json ? undefined : await keyNames(api(), authors);
        out.list(list, {
          VERSION: ({ version }) => version,
          CREATED: ({ createdAt }) => createdAt,
          BY: ({ createdBy }) => createdBy,
          NAME: ({ createdBy }) => names?.get(createdBy ?? ''),
          ...columns,
        });
        return 0;
      },
    },
  } satisfies Readonly<Record<string, Command>>;
}

/** Shows the document as its `set` takes it. */
export async function showVersion<Shown extends Version>(
  { read, version: readVersion }: DocumentWords<Shown>,
  input: CommandInput,
  context: Context,
): Promise<number> {
  const number = input.number('version');
  const client = looseClient<Shown>(context);
  const shown =
    number === undefined
      ? await client.call(read, {})
      : await client.call(readVersion, { params: { version: String(number) } });
  const { object: _, version, createdAt, createdBy, ...content } = shown;
  const name = (await keyNames(context.api(), [createdBy])).get(createdBy ?? '');
  const by = `${createdBy ?? 'an operator'}${name === undefined ? '' : `, '${name}'`}`;
  context.out.say(`Version ${version}${createdAt === null ? '' : ` of ${createdAt} by ${by}`}.`);
  context.out.objects([content]);
  return 0;
}

/** Reports the new version of a document. */
export function showSaved(name: string, saved: Pick<Version, 'version'>, out: Output): void {
  if (out.json) out.thing(saved);
  const verb = name.endsWith('s') ? 'are' : 'is';
  out.say(`The ${name} ${verb} now version ${saved.version}. Every process applies it within 10 s.`);
}
