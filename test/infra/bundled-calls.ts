import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

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

/** Builds the bundles of functions unless they are up to date. */
export function buildFunctions(names: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs', ...names], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the bundles were not built:\n${stderr}`);
}

/**
 * The rights that a function's built bundle can need: commands of the SDK's clients that esbuild left in it and that a file of ours in
 * it makes (clients bring a few along for themselves). Whether they are ever called is for the recorded calls to say.
 */
export function bundledCalls(functionName: string): string[] {
  const contents = readFileSync(path.join(ROOT, 'dist/maps', functionName, 'contents.json'), 'utf8');
  const files: string[] = JSON.parse(contents);
  const sources = files
    .filter((file) => file.startsWith('functions/') && file.endsWith('.ts'))
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
