import type { AdminClient } from '../admin-client.ts';
import { type Command, type CommandInput, type Context, type Option, Refused } from '../command.ts';
import { applyPlan } from '../config-apply.ts';
import { readDeployed } from '../config-deployed.ts';
import type { ConfigFile, Plan } from '../config-file.ts';
import { printPlan } from '../config-plan-text.ts';
import { setVersions, writeConfig } from '../config-text.ts';

const PRUNE: Option = {
  help: 'Also revoke keys and delete webhooks, and credentials without a stored value, that are not in the file, except admin keys.',
};

const OVERWRITE: Option = {
  help: "Write the file's value where the file and another administrator have changed the same.",
};

const ENDS = ['revoke key', 'delete webhook', 'delete credential'] as const;

/** The deployment's policy, routes, prices, issuers, teams, stored providers and credentials, MCP servers, keys and webhooks as one file. */
export const CONFIG_COMMANDS: readonly Command[] = [
  {
    name: 'export',
    args: ['FILE'],
    argHelp: {
      FILE: { help: 'The file to write: YAML if it ends in .yaml or .yml, else JSON. An existing one is replaced.' },
    },
    summary:
      'Writes policy, routes, prices, issuers of tokens, teams, stored providers and credentials, MCP servers, keys and webhooks to a file, without secrets.',
    options: {},
    examples: ['export svc.json', 'export svc.yaml'],
    async run(input, { api, out }) {
      const deployed = await readDeployed(api(), {}, out);
      const { refusing, toConfigFile } = await asCode();
      const file = refusing(() => toConfigFile(deployed));
      await writeConfig(input.arg(0), file);
      const { documents, keys, webhooks } = deployed;
      const written = { keys: keys.length, webhooks: webhooks.length };
      if (out.json) out.objects([{ file: input.arg(0), ...written }]);
      const prices = Object.keys(documents.prices.parts).length;
      out.say(
        `Wrote the policy, the routes, ${prices} prices, ${written.keys} keys and ${written.webhooks} webhooks to ${input.arg(0)}.`,
      );
      return 0;
    },
  },
  {
    name: 'plan',
    args: ['FILE'],
    argHelp: { FILE: { help: 'A file as export writes it.' } },
    summary: 'Shows what apply would change, and what others have changed since the versions that the file names.',
    options: { prune: PRUNE },
    examples: ['plan svc.json', 'plan svc.yaml --prune --json'],
    async run(input, context) {
      printPlan((await planOf(input, context, context.api())).plan, context.out);
      return 0;
    },
  },
  {
    name: 'apply',
    args: ['FILE'],
    argHelp: { FILE: { help: 'A file as export writes it.' } },
    summary: 'Applies the file to the deployment; prints secrets of new keys and webhooks once.',
    options: {
      prune: PRUNE,
      overwrite: OVERWRITE,
      secrets: {
        value: 'FILE',
        help: 'A new file for the secrets, one JSON object a line, readable only to you. Default: standard output.',
      },
    },
    examples: ['apply svc.json --secrets new-keys.jsonl', 'apply svc.json --prune --yes'],
    async run(input, context) {
      const { api, out, confirm } = context;
      const client = api();
      const { plan, file } = await planOf(input, context, client);
      printPlan(plan, out);
      const conflicts = plan.since.filter(({ isKept }) => !isKept);
      if (conflicts.length > 0 && !input.flag('overwrite')) {
        throw new Refused(
          'Nothing was applied: the file and the deployment have changed the same. Take the deployed values into the file, or pass --overwrite.',
        );
      }
      const lacking = plan.missing.filter(({ usedBy }) => usedBy.length > 0);
      if (lacking.length > 0) {
        throw new Refused(
          'Nothing was applied: providers or keys of the file name credentials that are to be added first.',
        );
      }
      const ended = plan.steps.filter(({ do: does }) => ENDS.some((one) => one === does));
      if (ended.length > 0) await confirm(`Revoke keys, delete webhooks or credentials, ${ended.length} in all?`);
      const versions = await applyPlan(plan, client, input.text('secrets'), out);
      if (file.versions !== undefined) await setVersions(input.arg(0), { ...file.versions, ...versions });
      return 0;
    },
  },
];

async function planOf(
  input: CommandInput,
  { readJson, out }: Context,
  client: AdminClient,
): Promise<{ readonly plan: Plan; readonly file: ConfigFile }> {
  const { planConfig, readConfigFile, refusing } = await asCode();
  const content = await readJson(input.arg(0));
  const file = refusing(() => readConfigFile(content));
  const deployed = await readDeployed(client, file.versions ?? {}, out);
  return { plan: refusing(() => planConfig(file, deployed, input.flag('prune'))), file };
}

/** Loaded only if needed: the schemas of keys and policies are large. */
async function asCode() {
  const { ConfigError, planConfig, readConfigFile, toConfigFile } = await import('../config-file.ts');
  /** Reports an invalid file to the operator. */
  const refusing = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw error instanceof ConfigError ? new Refused(error.message) : error;
    }
  };
  return { planConfig, readConfigFile, refusing, toConfigFile };
}
