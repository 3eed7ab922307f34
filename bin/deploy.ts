/**
 * npm run deploy -- [--stage NAME] [flags of `cdk deploy`]: builds and deploys all stacks of a stage, Development where none is
 * named. What would stop it halfway is asked first: a wrong setting, who you are, whether the region is bootstrapped.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { readSettings } from '../lib/settings/settings.ts';
import { readDeployArguments } from './deploy-arguments.ts';
import { readyToDeploy } from './ready-to-deploy.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

async function deploy(args: readonly string[]): Promise<number> {
  const { stage, profile, passedOn } = readDeployArguments(args);
  const { context } = JSON.parse(readFileSync(path.join(ROOT, 'cdk.json'), 'utf8'));
  const settings = readSettings(new App({ context: { ...context, ...(stage !== undefined && { stage }) } }).node);

  // As the CLI reads it: the profile's credentials, and its region where the stage names none.
  if (profile !== undefined) process.env.AWS_PROFILE = profile;
  const who = await readyToDeploy(settings.region);
  console.log(`${settings.stage} to account ${who.account}, ${who.region}, as ${who.arn}`);

  // The app in cdk.json builds all bundles before it makes the stacks.
  const cdk = spawnSync('cdk', ['deploy', '--all', '--context', `stage=${settings.stage}`, ...passedOn], {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (cdk.error !== undefined) throw new Error(`cdk could not be started (${cdk.error.message}): npm ci`);
  return cdk.status ?? 1;
}

try {
  process.exitCode = await deploy(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
