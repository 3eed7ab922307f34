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

/** What every version of a document has. */
interface Version {
  readonly object: string;
  readonly version: number;
  readonly createdAt: string | null;
  readonly createdBy: string | null;
}

/** A document with versions: its operations, and its words. */
export interface DocumentWords<Shown extends Version> {
  /** The first word of its commands. */
  readonly name: 'policy' | 'routes' | 'prices';
  /** In sentences: `the deployment's routes`. */
  readonly title: string;
  /** Version 0: `the routes of the settings`. */
  readonly first: string;
  readonly read: OperationId;
  readonly put: OperationId;
  readonly rollback: OperationId;
  readonly versions: 'listPolicyVersions' | 'listRoutesVersions' | 'listPricesVersions';
  readonly version: OperationId;
  /** What the list of versions shows besides number, time and author. */
  readonly columns: Readonly<Record<string, (version: Shown) => Cell>>;
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
  const { name, title, first, put, rollback, versions, columns } = document;
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
    rollback: {
      name: `${name} rollback`,
      args: ['VERSION'],
      argHelp: { VERSION: { help: `The version to restore, from ${name} versions; 0: ${first}.` } },
      summary: `Restores an older version of ${title}, as a new version.`,
      options: IF_VERSION,
      examples: [`${name} rollback 3`, `${name} rollback 3 --if-version 4`],
      async run(input, context) {
        if (!/^\d{1,15}$/.test(input.arg(0))) throw new UsageError('VERSION is a number, such as 3.');
        const call = { body: { version: Number(input.arg(0)) }, headers: ifVersion(input) };
        showSaved(name, await looseClient<Shown>(context).call(rollback, call), context.out);
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
  const verb = name === 'policy' ? 'is' : 'are';
  out.say(`The ${name} ${verb} now version ${saved.version}. Every process applies it within 10 s.`);
}
