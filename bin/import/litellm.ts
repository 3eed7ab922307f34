import { type ConfigFile, readConfigFile } from '../admin/config-file.ts';
import { importKeys } from './litellm-keys.ts';
import { importModels } from './litellm-models.ts';
import { isMembers, listOf, type Members, membersOf, textOf } from './members.ts';
import { type Imported, Report } from './report.ts';

const OTHER = 'has no counterpart, or needs none.';
/** What serves instead of a setting. Sections and settings: https://docs.litellm.ai/docs/proxy/config_settings */
const INSTEAD = new Map(
  Object.entries({
    'general_settings.master_key': 'the first admin key is made at the deployment or the first start.',
    'general_settings.database_url': 'keys, limits and records are in tables of DynamoDB, or in the data folder.',
    'general_settings.pass_through_endpoints': 'paths of other APIs are not passed through.',
    'litellm_settings.callbacks': 'see webhooks, the metrics and traces of OpenTelemetry, and analytics.',
    'litellm_settings.success_callback': 'see webhooks, the metrics and traces of OpenTelemetry, and analytics.',
    'litellm_settings.failure_callback': 'see webhooks, the metrics and traces of OpenTelemetry, and analytics.',
    'litellm_settings.cache': 'set `cache` in the policy; clients ask for it with X-Svc-Cache.',
    'litellm_settings.max_budget': 'set a budget for each team or key.',
    'litellm_settings.context_window_fallbacks':
      'fallbacks serve failures of the target, not requests that it refuses.',
    'litellm_settings.content_policy_fallbacks':
      'fallbacks serve failures of the target, not requests that it refuses.',
    'router_settings.context_window_fallbacks': 'fallbacks serve failures of the target, not requests that it refuses.',
    'router_settings.content_policy_fallbacks': 'fallbacks serve failures of the target, not requests that it refuses.',
  }),
);
const GUARDRAIL =
  'every request is inspected for attacks, secrets and personal data by the policy; Bedrock Guardrails are an outside detector.';
const READ = new Set(
  [
    'router_settings.routing_strategy router_settings.num_retries router_settings.timeout router_settings.stream_timeout',
    'router_settings.fallbacks router_settings.default_fallbacks router_settings.model_group_alias litellm_settings.num_retries',
    'litellm_settings.request_timeout litellm_settings.fallbacks litellm_settings.default_fallbacks litellm_settings.drop_params',
  ]
    .join(' ')
    .split(' '),
);
const SECTIONS = ['router_settings', 'litellm_settings', 'general_settings'];

/**
 * Turns LiteLLM's configuration into a file of ours. Values of keys are never read into it.
 * @param config the parsed `config.yaml` @param exports responses of `/key/list?return_full_object=true` and `/team/list`
 * @throws ConfigError if the result is no valid file, with the places
 */
export function importLitellm(
  config: unknown,
  exports: readonly unknown[] = [],
  env: Readonly<Record<string, string | undefined>> = {},
): Imported {
  const report = new Report();
  const all = membersOf(config);
  const { accessGroups, routes, prices, providers, credentials } = importModels(all, report, env);
  const { teams, keys } = importKeys(exports, accessGroups, report);
  reportRest(all, report);
  const parts = { routes, prices, teams, credentials, providers, keys };
  const file = Object.fromEntries(
    Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0),
  ) as Partial<ConfigFile>;
  readConfigFile(file);
  return { file, notes: report.notes, steps: report.steps };
}

function reportRest(config: Members, report: Report): void {
  for (const section of SECTIONS)
    for (const [name, value] of Object.entries(membersOf(config[section]))) {
      const place = `${section}.${name}`;
      if (READ.has(place) || value === null || value === false) continue;
      report.skipped(place, INSTEAD.get(place) ?? OTHER);
    }
  for (const [at, guardrail] of listOf(config.guardrails).entries()) {
    const name = isMembers(guardrail) ? textOf(guardrail.guardrail_name) : undefined;
    report.skipped(`guardrails[${at}]${name === undefined ? '' : ` (${name})`}`, GUARDRAIL);
  }
  if (listOf(config.include).length > 0) report.skipped('include', 'merge the files first.');
  const known = ['model_list', 'guardrails', 'include', 'environment_variables', ...SECTIONS];
  for (const name of Object.keys(config).filter((one) => !known.includes(one))) report.skipped(name, OTHER);
}
