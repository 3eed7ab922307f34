import { RootConstruct } from 'constructs';
import { readSettings, type Settings } from '../../lib/settings/settings.ts';
import { type Axes, pairwise, type Row } from './pairwise.ts';
import { FULL, PLAIN } from './synthesize.ts';

const certificateIn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/1234abcd-12ab`;
const ZONE = { hostedZoneId: 'Z0123456789EXAMPLE', zoneName: 'example.com' };

/** Each setting off and on, and what else it may be; undefined is absent. */
export const AXES: Axes = {
  distribution: [undefined, false, { readTimeoutSeconds: 120, logBucket: 'our-logs' }],
  domain: [
    undefined,
    { name: 'ai.example.com', certificateArn: certificateIn('us-east-1') },
    { name: 'ai.example.com', ...ZONE },
  ],
  onlyThroughDistribution: [undefined, true, false],
  restApi: [
    undefined,
    true,
    {
      domain: { name: 'api.example.com', certificateArn: certificateIn('eu-central-1'), ...ZONE },
      throttle: { requestsPerSecond: 50, burst: 100 },
      allowedAddresses: ['192.0.2.0/24', '2001:db8::/32'],
      accessLogs: true,
    },
    { vpcEndpointIds: ['vpce-0a1b2c3d'] },
  ],
  publicFunctionUrls: [undefined, true, false],
  waf: [undefined, true, { rateLimit: 500, logs: true }],
  findings: [undefined, { eventBridge: {} }, FULL.findings],
  dashboardUrl: [undefined, FULL.dashboardUrl],
  oidc: [undefined, FULL.oidc],
  compute: [undefined, 'web-function', 'fargate'],
  fargate: [undefined, FULL.fargate],
  webFunction: [undefined, FULL.webFunction],
  rollout: [undefined, 'none', 'all-at-once', 'canary-10-5m', 'linear-10-1m'],
  stage: ['Development', 'Staging', 'Production'],
  region: [undefined, 'eu-central-1', 'us-east-1'],
  tags: [undefined, FULL.tags],
  bootstrapQualifier: [undefined, FULL.bootstrapQualifier],
  permissionsBoundary: [undefined, FULL.permissionsBoundary],
  recordExport: [undefined, { every: 'hour' }, FULL.recordExport],
  bedrock: [undefined, { models: [] }, FULL.bedrock],
  vpc: [undefined, FULL.vpc],
  encryptionKeyArn: [undefined, FULL.encryptionKeyArn],
  credentialSecretArns: [undefined, FULL.credentialSecretArns],
  federationAudiences: [undefined, FULL.federationAudiences],
  alarmTopicArn: [undefined, FULL.alarmTopicArn],
  alarmTicketTopicArn: [undefined, FULL.alarmTicketTopicArn],
  tracing: [false, true],
  provisionedConcurrency: [undefined, 2],
  reservedConcurrency: [undefined, 100],
  operationsConcurrency: [undefined, 0, 90],
  outsideDetectors: [undefined, FULL.outsideDetectors],
  syntheticCheck: [undefined, false],
  retentionDays: [undefined, FULL.retentionDays],
  corsOrigins: [undefined, FULL.corsOrigins],
  otlp: [undefined, FULL.otlp],
  alarmEmails: [undefined, FULL.alarmEmails],
  alarmTicketEmails: [undefined, FULL.alarmTicketEmails],
  alarmLimits: [undefined, FULL.alarmLimits],
  monthlyBudgetUsd: [undefined, FULL.monthlyBudgetUsd],
  watchedProviders: [undefined, FULL.watchedProviders],
  logLevel: [undefined, FULL.logLevel],
  tracePropagation: [undefined, FULL.tracePropagation],
};

/** A row as cdk.json would have it; undefined where readSettings refuses it: some settings need another, or do not go with it. */
function settingsOf({ stage, ...row }: Row): Settings | undefined {
  const { stage: _, ...base } = PLAIN;
  const { node } = new RootConstruct();
  node.setContext('stage', stage);
  node.setContext('stages', { [String(stage)]: JSON.parse(JSON.stringify({ ...base, ...row })) });
  try {
    return readSettings(node);
  } catch {
    return undefined;
  }
}

/** The choices of a row, shortened. */
export function nameOf(settings: Settings): string {
  const choices = Object.entries(settings).filter(([name]) => name in AXES);
  return choices.map(([name, value]) => (typeof value === 'object' ? name : `${name}=${value}`)).join(' ');
}

/** Settings in which any two choices meet. */
export function combinations(): Settings[] {
  return pairwise(AXES, (row) => settingsOf(row) !== undefined).map((row) => settingsOf(row) as Settings);
}

/** Stages in which each choice of each setting occurs, and any two of them together: what tools that take seconds for a template read. */
export function coveringStages(): Settings[] {
  const stages = [PLAIN, FULL, ...combinations()];
  if (stages.length > MOST_STAGES) throw new Error(`${stages.length} stages: such a run would take too long`);
  return stages;
}

const MOST_STAGES = 60;

export interface SettingChange {
  readonly name: string;
  readonly with: Settings;
  readonly without: Settings;
}

/** Each choice added to the usual ones, with what it needs, and each setting removed from a deployment with everything switched on. */
export function settingChanges(): SettingChange[] {
  const usual = Object.fromEntries(Object.entries(AXES).map(([axis, [first]]) => [axis, first]));
  const added = Object.entries(AXES).flatMap(([axis, [first, ...others]]) =>
    others.flatMap((choice, at) => {
      const pair = (needed: Row) =>
        [
          { ...needed, [axis]: choice },
          { ...needed, [axis]: first },
        ].map(settingsOf);
      const needs = Object.entries(AXES).flatMap(([other, choices]) =>
        choices.map((one) => ({ ...usual, [other]: one })),
      );
      const found = [usual, ...needs].map(pair).find((settings) => settings.every((one) => one !== undefined));
      if (found === undefined) return [];
      return [{ name: `${axis} ${at + 1}`, with: found[0] as Settings, without: found[1] as Settings }];
    }),
  );
  const removed = Object.keys(FULL).flatMap((name) => {
    const without = settingsOf({ ...FULL, [name]: undefined } as unknown as Row);
    return without === undefined || FULL[name as keyof Settings] === undefined
      ? []
      : [{ name: `full without ${name}`, with: FULL, without }];
  });
  return [...added, ...removed];
}
