import { access, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ConfigError } from './admin/config-file.ts';
import { isYaml, loadYaml } from './admin/config-text.ts';
import type { Io } from './admin/run-admin.ts';
import { callOf } from './entry.ts';
import { reasonOf } from './file-errors.ts';
import type { Imported } from './import/report.ts';

const USAGE = `Usage: ${callOf('import')} SOURCE FILE [--export FILE]... [--out FILE] [--json]

Reads the configuration of another gateway, and prints what svc makes of it and what it cannot. Nothing is sent anywhere, and no key is read:
of LiteLLM's keys the file has the hashes, so that clients can go on with them.

  litellm FILE   LiteLLM's config.yaml.
  portkey FILE   A config of Portkey as JSON, or several by name.
  --export FILE  Keys and teams as JSON, as the other gateway's API returned them. May be repeated.
                 LiteLLM: GET /key/list?return_full_object=true, GET /team/list. Portkey: GET /api-keys.
  --out FILE     Write the configuration for ${callOf('admin')} plan and apply, as YAML (.yaml) or JSON; it must not exist.
  --json         Print the report as JSON.`;
const OPTIONS = {
  export: { type: 'string', multiple: true },
  out: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;
const SHOWN_PLACES = 4;

type Convert = (config: unknown, exports: readonly unknown[], env: Io['env']) => Imported;
const SOURCES = new Map<string, () => Promise<Convert>>([
  ['litellm', async () => (await import('./import/litellm.ts')).importLitellm],
  ['portkey', async () => (await import('./import/portkey.ts')).importPortkey],
]);

/** A file cannot be used; the message says which and why. */
class ImportError extends Error {}

/** svc import: turns the configuration of another gateway into a file for `plan` and `apply`. @returns 0 done, 1 failed, 2 wrong usage */
export async function importCommand(args: readonly string[], io: Io = process): Promise<number> {
  const options = readOptions(args);
  if (options?.values.help) {
    io.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const [source, config, ...more] = options?.positionals ?? [];
  const load = SOURCES.get(source ?? '');
  if (options === undefined || load === undefined || config === undefined || more.length > 0) {
    const fault = options === undefined ? 'unknown argument' : 'litellm or portkey must follow, with one file';
    io.stderr.write(`error: ${fault}.\n\n${USAGE}\n`);
    return 2;
  }
  const { out, json = false, export: exports = [] } = options.values;
  try {
    if (out !== undefined && (await exists(out))) throw new ImportError(`${out}: exists. Name another file.`);
    const [convert, content, ...contents] = await Promise.all([load(), ...[config, ...exports].map(readContent)]);
    const imported = convert(content, contents, io.env);
    const text = toText(imported.file, out ?? 'svc.yaml', await loadYaml());
    if (out !== undefined) await writeFile(out, text, { flag: 'wx', mode: 0o600 });
    const { file, ...report } = imported;
    io.stdout.write(json ? `${JSON.stringify({ ...counts(file), ...report })}\n` : `${show(imported, out)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof ImportError || error instanceof ConfigError || isFileError(error))) throw error;
    io.stderr.write(`${isFileError(error) ? `${error.path ?? out}: ${reasonOf(error)}` : (error as Error).message}\n`);
    return 1;
  }
}

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch {
    return undefined;
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** @throws ImportError if the file is neither YAML nor JSON; the parser's message would quote it */
async function readContent(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8');
  try {
    return isYaml(file) ? (await loadYaml()).parse(text) : JSON.parse(text);
  } catch {
    throw new ImportError(`${file}: is no ${isYaml(file) ? 'YAML' : 'JSON'}.`);
  }
}

function toText(file: object, name: string, yaml: Awaited<ReturnType<typeof loadYaml>>): string {
  return isYaml(name) ? yaml.stringify(file, { aliasDuplicateObjects: false }) : `${JSON.stringify(file, null, 2)}\n`;
}

function counts(file: Imported['file']) {
  return Object.fromEntries(
    Object.entries(file).map(([part, entries]) => [part, Object.keys(entries as object).length]),
  );
}

function show({ file, notes, steps }: Imported, out: string | undefined): string {
  const parts = Object.entries(counts(file)).map(([part, count]) => `${count} ${part}`);
  const of = (outcome: string) =>
    notes
      .filter((note) => note.outcome === outcome)
      .map(({ places, reason }) => {
        const shown = places.slice(0, SHOWN_PLACES).join(', ');
        const more = places.length > SHOWN_PLACES ? ` and ${places.length - SHOWN_PLACES} more` : '';
        return `  ${shown}${more}: ${reason}`;
      });
  const next =
    out === undefined
      ? 'Nothing was written: --out svc.yaml writes the configuration.'
      : `Written to ${out}. Next: ${callOf('admin')} plan ${out}`;
  const sections = [
    ['Adjusted:', of('adjusted')],
    ['Not imported:', of('not imported')],
    ['Before you apply it:', steps.map((step) => `  ${step}`)],
  ] as const;
  return [
    parts.length === 0 ? 'There is nothing to import.' : `To import: ${parts.join(', ')}.`,
    ...sections.flatMap(([title, lines]) => (lines.length === 0 ? [] : ['', title, ...lines])),
    '',
    next,
  ].join('\n');
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
