import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Metafile } from 'esbuild';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SDK_COMMAND = /@aws-sdk\/client-([\w-]+)\/.*\/commands\/(\w+)Command\.js$/;
const PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const MADE = /\bnew (\w+)Command\(/g;
/** Calls of functions/adapters/aws-json-client.ts, which name their operation. */
const BY_JSON = /\bcall\(\s*'(\w+:\w+)'/g;
/** Calls of functions/adapters/aws-rest-call.ts, which name their operation. */
const BY_REST = /\boperation: '(\w+:\w+)'/g;

const SERVICES: Readonly<Record<string, string>> = {
  'bedrock-runtime': 'bedrock',
};
/** Commands whose right has another name. */
const RIGHTS: Readonly<Record<string, string>> = {
  'sqs:SendMessageBatch': 'sqs:SendMessage',
  's3:ListObjectsV2': 's3:ListBucket',
  'bedrock:Converse': 'bedrock:InvokeModel',
  'bedrock:ConverseStream': 'bedrock:InvokeModelWithResponseStream',
};

/** The packages of which a function's bundle reads code when it starts. */
export async function packagesAtStart(functionName: string): Promise<ReadonlySet<string>> {
  const { outputs } = await bundleOf(functionName);
  const read = new Set(Object.keys(outputs).filter((file) => outputs[file]?.entryPoint === entryOf(functionName)));
  for (const file of read) {
    for (const { kind, path: imported } of outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && imported in outputs) read.add(imported);
    }
  }
  const packages = [...read].flatMap((file) =>
    filesIn(outputs[file]).flatMap((input) => PACKAGE.exec(input)?.[1] ?? []),
  );
  return new Set(packages);
}

/**
 * The rights that a function's bundle can need, by what is in it: commands of the SDK's clients that esbuild left in it and that
 * a file of ours in it makes, and calls that our own clients make. Whether they are ever made is for the recorded calls to say.
 */
export async function bundledCalls(functionName: string): Promise<string[]> {
  const present = Object.values((await bundleOf(functionName)).outputs).flatMap(filesIn);
  const ours = present.filter((file) => file.startsWith('functions/'));
  const sources = ours.map((file) => readFileSync(path.join(ROOT, file), 'utf8'));
  const made = new Set(sources.flatMap((source) => [...source.matchAll(MADE)].map(([, command]) => command)));
  const commands = present.flatMap((file) => {
    const [, client = '', command = ''] = SDK_COMMAND.exec(file) ?? [];
    return made.has(command) ? [`${SERVICES[client] ?? client}:${command}`] : [];
  });
  const named = sources.flatMap((source) =>
    [BY_JSON, BY_REST].flatMap((pattern) => [...source.matchAll(pattern)].map(([, operation = '']) => operation)),
  );
  return [...new Set([...commands, ...named].map((call) => RIGHTS[call] ?? call))].sort();
}

async function bundleOf(functionName: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entryOf(functionName)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    splitting: true,
    outdir: 'never-written',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  return metafile;
}

function entryOf(functionName: string): string {
  return `functions/${functionName}/handler.ts`;
}

/** The files that an output has something of. */
function filesIn(output: Metafile['outputs'][string] | undefined): string[] {
  return Object.entries(output?.inputs ?? {}).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : []));
}
