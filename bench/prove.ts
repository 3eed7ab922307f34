/**
 * Proves a stage in your AWS account: deploys each home, tests it and the documented incidents, loads it, reads the bill's
 * dimensions, removes what it made and writes a report. A run that stopped goes on where it was.
 *
 * npm run prove -- --stage NAME [--dry-run] [--homes function-url,fargate,web-function] [--rate 10] [--seconds 600] [--existing] [--keep]
 *     [--folder DIR]
 */
import '../scripts/check-node.mjs';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { App } from 'aws-cdk-lib';
import { readSettings } from '../lib/settings/settings.ts';
import { stageNameOf } from '../lib/settings/stack-names.ts';
import { HOMES, type Home, type Plan } from './prove/plan.ts';
import { printSteps, runSteps } from './prove/run.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

async function prove(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      stage: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      homes: { type: 'string', default: HOMES.join() },
      rate: { type: 'string', default: '10' },
      seconds: { type: 'string', default: '600' },
      existing: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      folder: { type: 'string' },
    },
  });
  if (values.stage === undefined) throw new Error('--stage: name a stage: Staging, Development');
  if (values.stage.split('/').at(-1) === 'Production')
    throw new Error('--stage: not Production: the proof refuses requests, stops containers and removes stacks');
  const { context } = JSON.parse(readFileSync(path.join(ROOT, 'cdk.json'), 'utf8'));
  const homes = values.homes.split(',').map((name) => {
    const home = HOMES.find((one) => one === name);
    if (home === undefined) throw new Error(`--homes: ${name} is none of ${HOMES.join(', ')}`);
    return home;
  });
  const plans = homes.map((compute) => readPlan({ ...context, stage: values.stage, compute }, homes, values));
  const [plan] = plans;
  if (plan === undefined) throw new Error('--homes: name one at least');
  const folder = path.resolve(values.folder ?? path.join(ROOT, 'proof', values.stage.toLowerCase()));
  if (values['dry-run']) {
    printSteps(plan, console.log);
    console.log(`\nNothing was called. The state and the report are written to ${folder}.`);
    return 0;
  }
  const fault = await runSteps(plan, { folder, adminKey: process.env.SVC_ADMIN_KEY, print: console.log });
  if (fault === undefined) return 0;
  console.error(`Stopped. ${fault}\nRun the same command again to go on from this step.`);
  return 1;
}

/** Reads the settings of the stage with a home, so that a combination that this home refuses is reported before anything is deployed. */
function readPlan(
  context: Record<string, unknown>,
  homes: readonly Home[],
  values: { readonly rate: string; readonly seconds: string; readonly existing: boolean; readonly keep: boolean },
): Plan {
  const settings = readSettings(new App({ context }).node);
  const { account, region } = settings;
  if (account === undefined || region === undefined)
    throw new Error(
      `cdk.json, context.stages.${stageNameOf(settings)}: set "account" and "region", so that no other account is changed`,
    );
  const load = { rate: positive('--rate', values.rate), seconds: positive('--seconds', values.seconds) };
  const metricsLateSeconds = 300;
  return { settings, region, homes, load, metricsLateSeconds, isExisting: values.existing, keeps: values.keep };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 100_000)) throw new Error(`${name}: must be a number above 0`);
  return value;
}

try {
  process.exitCode = await prove(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
