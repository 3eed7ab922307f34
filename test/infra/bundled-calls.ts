import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Metafile } from 'esbuild';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SDK_COMMAND = /@aws-sdk\/client-([\w-]+)\/.*\/commands\/(\w+)Command\.js$/;
const MADE = /\bnew (\w+)Command\(/g;

/** Prefixes of rights that differ from the client's name. */
const SERVICES: Readonly<Record<string, string>> = {
  'bedrock-runtime': 'bedrock',
  eventbridge: 'events',
  'secrets-manager': 'secretsmanager',
};
/** Commands whose right has another name. */
const RIGHTS: Readonly<Record<string, string>> = {
  'sqs:SendMessageBatch': 'sqs:SendMessage',
  's3:ListObjectsV2': 's3:ListBucket',
  'bedrock:Converse': 'bedrock:InvokeModel',
  'bedrock:ConverseStream': 'bedrock:InvokeModelWithResponseStream',
};

/**
 * The rights that a function's bundle can need: commands of the SDK's clients that esbuild left in it and that a file of ours in it
 * makes (clients bring a few along for themselves). Whether they are ever called is for the recorded calls to say.
 */
export async function bundledCalls(functionName: string): Promise<string[]> {
  const files = Object.values((await bundleOf(functionName)).outputs).flatMap(filesIn);
  const sources = files
    .filter((file) => file.startsWith('functions/'))
    .map((file) => readFileSync(path.join(ROOT, file), 'utf8'));
  const made = new Set(sources.flatMap((source) => [...source.matchAll(MADE)].map(([, command]) => command)));
  const calls = files.flatMap((file) => {
    const [, client = '', command = ''] = SDK_COMMAND.exec(file) ?? [];
    // The document client's UpdateCommand is UpdateItem.
    const isMade = made.has(command) || made.has(command.replace(/Item$/, ''));
    return isMade ? [`${SERVICES[client] ?? client}:${command}`] : [];
  });
  return [...new Set(calls.map((call) => RIGHTS[call] ?? call))].sort();
}

async function bundleOf(functionName: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [`functions/${functionName}/handler.ts`],
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

/** The files that an output has something of. */
function filesIn({ inputs }: Metafile['outputs'][string]): string[] {
  return Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : []));
}
