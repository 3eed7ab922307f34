/**
 * npm run deploy -- [--stage NAME] [flags of `cdk deploy`]: builds and deploys all stacks of a stage (default Development). Checks
 * settings, credentials and bootstrapping first.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { App } from 'aws-cdk-lib';
import { readSettings } from '../lib/settings/settings.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

async function deploy(args: readonly string[]): Promise<number> {
  const { stage, profile, passedOn } = readDeployArguments(args);
  const { context } = JSON.parse(readFileSync(path.join(ROOT, 'cdk.json'), 'utf8'));
  const settings = readSettings(new App({ context: { ...context, ...(stage !== undefined && { stage }) } }).node);

  // Like the CLI: the profile's credentials, and its region if the stage names none.
  if (profile !== undefined) process.env.AWS_PROFILE = profile;
  const who = await readyToDeploy(settings.region);
  console.log(`${settings.stage} to account ${who.account}, ${who.region}, as ${who.arn}`);

  // The app in cdk.json builds all bundles before the stacks.
  const cdk = spawnSync('cdk', ['deploy', '--all', '--context', `stage=${settings.stage}`, ...passedOn], {
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
  /** A profile of the AWS configuration; also in `passedOn`. */
  readonly profile: string | undefined;
  /** Arguments for `cdk deploy`, in order, without the stage. */
  readonly passedOn: readonly string[];
}

const STAGE_CONTEXT = /^stage=(.*)$/s;

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
  const taken = new Set<number>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, value, index, inlineValue } = token;
    const stage =
      name === 'stage' ? (value ?? '') : name === 'context' ? STAGE_CONTEXT.exec(value ?? '')?.[1] : undefined;
    if (name === 'profile') profile = value;
    if (stage === undefined) continue;
    if (stage === '' || stage.startsWith('-'))
      throw new Error('--stage: name a stage: Production, Staging, Development');
    stages.add(stage);
    taken.add(index);
    if (inlineValue === false) taken.add(index + 1);
  }
  if (stages.size > 1) throw new Error(`--stage: one at a time, not ${[...stages].join(' and ')}`);
  return { stage: [...stages][0], profile, passedOn: args.filter((_, index) => !taken.has(index)) };
}

interface Deployer {
  readonly account: string;
  readonly arn: string;
  readonly region: string;
}

/** One attempt each: the operator sees the error and can retry. */
const DEADLINE_MS = 10_000;
/** Written by `cdk bootstrap`: https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html */
const BOOTSTRAP_VERSION = '/cdk-bootstrap/hnb659fds/version';

/** The used fields of an SDK error. */
interface SdkError {
  readonly name: string;
  readonly message: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/**
 * The confirmed identity, account and region, once the region is bootstrapped. Throws an error with what is missing and the command
 * that corrects it, without credentials. If the caller may not check bootstrapping, the CDK does.
 * @param stageRegion default: the region of the environment or the profile
 */
async function readyToDeploy(stageRegion: string | undefined): Promise<Deployer> {
  const settings = { maxAttempts: 1, ...(stageRegion !== undefined && { region: stageRegion }) };
  const sts = new STSClient(settings);
  await sts.config.credentials().catch(() => {
    throw new Error('No AWS credentials were found: sign in with "aws sso login", or set AWS_PROFILE, then retry.');
  });
  const region = await sts.config.region().catch(() => {
    throw new Error('No region is set: set "region" of the stage in cdk.json, or AWS_REGION.');
  });
  const identity = await sts.send(new GetCallerIdentityCommand(), deadline()).catch((error: SdkError) => {
    if (!isResponse(error)) throw unreachable('STS', region, error);
    throw new Error(`AWS refuses the credentials (${error.name}): sign in again, then retry.`);
  });
  const { Account: account = '', Arn: arn = '' } = identity;
  const ssm = new SSMClient(settings);
  await ssm.send(new GetParameterCommand({ Name: BOOTSTRAP_VERSION }), deadline()).catch((error: SdkError) => {
    if (!isResponse(error)) throw unreachable('SSM', region, error);
    if (error instanceof ParameterNotFound)
      throw new Error(
        `Account ${account} is not bootstrapped in ${region}. Run once: npx cdk bootstrap aws://${account}/${region}`,
      );
  });
  return { account, arn, region };
}

function deadline(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(DEADLINE_MS) };
}

/** Whether AWS returned the error; otherwise it is a network error. */
function isResponse({ $metadata }: SdkError): boolean {
  return $metadata?.httpStatusCode !== undefined;
}

function unreachable(service: string, region: string, { message, name }: SdkError): Error {
  const reason = message || name;
  return new Error(`${service} is unavailable in ${region} (${reason}): check the region and your proxy.`);
}

if (process.argv[1] === import.meta.filename) {
  try {
    process.exitCode = await deploy(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
