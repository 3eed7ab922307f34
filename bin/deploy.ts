/**
 * npm run deploy -- [--stage NAME] [flags of `cdk deploy`]: builds and deploys all stacks of a stage (default Development). Checks
 * settings, credentials and the account first, and reports all faults.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { App } from 'aws-cdk-lib';
import { readSettings } from '../lib/settings/settings.ts';
import { stageNameOf } from '../lib/settings/stack-names.ts';
import { identify, preflight } from './preflight/preflight.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

async function deploy(args: readonly string[]): Promise<number> {
  const { stage, compute, profile, passedOn } = readDeployArguments(args);
  const { context } = JSON.parse(readFileSync(path.join(ROOT, 'cdk.json'), 'utf8'));
  const asked = { ...(stage !== undefined && { stage }), ...(compute !== undefined && { compute }) };
  const settings = readSettings(new App({ context: { ...context, ...asked } }).node);

  // Like the CLI: the profile's credentials, and its region if the stage names none.
  if (profile !== undefined) process.env.AWS_PROFILE = profile;
  const target = await identify(settings);
  const name = stageNameOf(settings);
  console.log(`${name} to account ${target.account}, ${target.region}, as ${target.arn}`);
  if (settings.account === undefined)
    console.log(`To refuse other accounts, set "account": "${target.account}" of ${name} in cdk.json.`);
  const { faults, warnings, context: computed } = await preflight(target);
  for (const warning of warnings) console.error(`Warning: ${warning}`);
  if (faults.length > 0) throw new Error(`Nothing was deployed:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);

  // The app in cdk.json builds all bundles before the stacks.
  const known = Object.entries({ stage: name, ...computed });
  const given = known.flatMap(([name, value]) => ['--context', `${name}=${value}`]);
  const cdk = spawnSync('cdk', ['deploy', '--all', ...given, ...passedOn], {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (cdk.error !== undefined) throw new Error(`cdk could not be started (${cdk.error.message}): run npm ci`);
  return cdk.status ?? 1;
}

interface DeployArguments {
  /** undefined for the default stage. */
  readonly stage: string | undefined;
  /** A home in place of the stage's; also in `passedOn`. */
  readonly compute: string | undefined;
  /** A profile of the AWS configuration; also in `passedOn`. */
  readonly profile: string | undefined;
  /** Arguments for `cdk deploy`, in order, without the stage. */
  readonly passedOn: readonly string[];
}

const STAGE_CONTEXT = /^stage=(.*)$/s;
const COMPUTE_CONTEXT = /^compute=(.*)$/s;

/** Reads `--stage NAME`, `-c stage=NAME` and `--profile NAME` from the arguments; throws for two stages. */
export function readDeployArguments(args: readonly string[]): DeployArguments {
  const options = {
    stage: { type: 'string' },
    context: { type: 'string', short: 'c' },
    profile: { type: 'string' },
  } as const;
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const stages = new Set<string>();
  let profile: string | undefined;
  let compute: string | undefined;
  const taken = new Set<number>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, value, index, inlineValue } = token;
    const stage =
      name === 'stage' ? (value ?? '') : name === 'context' ? STAGE_CONTEXT.exec(value ?? '')?.[1] : undefined;
    if (name === 'profile') profile = value;
    if (name === 'context') compute = COMPUTE_CONTEXT.exec(value ?? '')?.[1] ?? compute;
    if (stage === undefined) continue;
    if (stage === '' || stage.startsWith('-'))
      throw new Error(
        '--stage: name a stage: Production, Staging, Development, or one with a prefix, payments/Production',
      );
    stages.add(stage);
    taken.add(index);
    if (inlineValue === false) taken.add(index + 1);
  }
  if (stages.size > 1) throw new Error(`--stage: one at a time, not ${[...stages].join(' and ')}`);
  return { stage: [...stages][0], compute, profile, passedOn: args.filter((_, index) => !taken.has(index)) };
}

if (process.argv[1] === import.meta.filename) {
  try {
    process.exitCode = await deploy(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
