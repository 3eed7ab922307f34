import type { Settings } from './settings.ts';

/** What names a stage's stacks begin with, without a prefix in its name. */
const PREFIX = 'svc';

type Named = Pick<Settings, 'stage' | 'prefix'>;

/** The value of the tag `service`, and the beginning of all names: which of the account's gateways it is. */
export function prefixOf({ prefix = PREFIX }: Pick<Settings, 'prefix'>): string {
  return prefix;
}

/** The stage as `--stage` and `cdk.json` name it: `Production`, or `payments/Production`. */
export function stageNameOf({ stage, prefix }: Named): string {
  return prefix === undefined ? stage : `${prefix}/${stage}`;
}

/** The names of a stage's stacks. Those of the resources begin with them. */
export function stackNamesOf(settings: Named, region: string | undefined) {
  const name = `${prefixOf(settings)}-${settings.stage.toLowerCase()}`;
  return {
    data: `${name}-data`,
    // One stack in us-east-1 for each region of the stage.
    edge: `${name}-${region}-edge`,
    gateway: `${name}-gateway`,
    operations: `${name}-operations`,
  };
}
