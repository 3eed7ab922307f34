import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Settings } from '../../lib/settings.ts';
import type { Bundles } from '../../lib/stacks/gateway-stack.ts';
import { addServiceStacks } from '../../lib/stacks/service-stacks.ts';
import type { Template } from './lint-templates.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Settings with as little switched on as possible. */
export const PLAIN: Settings = {
  stage: 'Development',
  logRetentionDays: 7,
  memoryMb: 1024,
  tracing: false,
  distribution: false,
};
export const FULL_MODELS = ['amazon.nova-pro-v1:0', 'eu.anthropic.*'];
/** Settings with everything switched on, but for the front doors of test/infra/front-doors.cases.ts besides the distribution. */
export const FULL: Settings = {
  stage: 'Production',
  region: 'eu-central-1',
  logRetentionDays: 400,
  memoryMb: 1769,
  providerTimeoutSeconds: 300,
  maxRequestSeconds: 600,
  encryptionKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab',
  reservedConcurrency: 100,
  vpc: { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d', 'subnet-4e5f6a7b'], securityGroupIds: ['sg-0a1b2c3d'] },
  tracing: true,
  echo: true,
  routes: [
    { models: 'fast', targets: [{ provider: 'openai', model: 'gpt-4o-mini' }], fallbacks: [{ provider: 'anthropic' }] },
  ],
  bedrock: { models: FULL_MODELS },
  foreignIds: ['file-', 'cachedContents/'],
  modelPrices: { 'openai/llama-at-home': { input: 0, output: 0 } },
  corsOrigins: ['https://app.example.com', 'http://localhost:5173'],
  findings: { firehose: { streamArn: 'arn:aws:firehose:eu-central-1:123456789012:deliverystream/to-siem' } },
  sessionIdleMinutes: 15,
  inspectionCpuMs: 1_500,
  recordExport: { every: 'day', keptDays: 90 },
  alarmTopicArn: 'arn:aws:sns:eu-central-1:123456789012:on-call',
  alarmEmails: ['on-call@example.com'],
  alarmLimits: { ownLatencyMs: 250, dailyCostUsd: 100 },
  watchedProviders: ['openai', 'bedrock'],
  logLevel: 'warn',
  otlp: {
    endpoint: 'https://collector.example.com:4318',
    protocol: 'http/json',
    headersSecretArn: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:otlp-a1b2c3',
    sampleRatio: 0.1,
  },
  tracePropagation: 'providers',
  distribution: true,
  onlyThroughDistribution: true,
  retentionDays: { audit: 3_653, records: 14, aggregates: 90, captures: 2 },
  dashboardUrl: 'https://svc.example.com',
  oidc: {
    issuer: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_example',
    clientId: 'a1b2c3',
    clientSecretArn: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:oidc-AbCdEf',
    label: 'Example Inc.',
    adminGroups: ['platform', 'security'],
    analyticsGroups: ['everybody'],
    groupsClaim: 'groups',
  },
  outsideDetectors: {
    bedrockGuardrail: { id: 'gr1example2id', version: '3' },
    moderation: 'openai',
    deadlineMs: 900,
    when: 'uncertain:0.2-0.85',
  },
};

export interface Synthesized {
  readonly data: Template;
  readonly gateway: Template;
  readonly operations: Template;
  /** Where the settings need anything in us-east-1. */
  readonly edge?: Template;
  readonly termination: { readonly data: boolean; readonly gateway: boolean };
  /** Findings that have no reason, warnings included, as `RULE: construct`. */
  readonly findings: readonly string[];
  /** What synthesis threw, where it failed. */
  readonly error?: unknown;
}

type Change = (stacks: ReturnType<typeof addServiceStacks>) => void;

const known = new Map<string, Synthesized>();

/**
 * The stacks as `cdk synth` makes them, with cdk.json's flags, in this process and around an empty bundle instead of
 * dist. `change` is called before synthesis. The same settings alone are synthesized once.
 */
export function synthesize(settings: Settings, change?: Change, bundles?: Partial<Bundles>): Synthesized {
  if (change !== undefined || bundles !== undefined) return synthesizeAnew(settings, change, bundles);
  const key = JSON.stringify(settings);
  const stacks = known.get(key) ?? synthesizeAnew(settings);
  known.set(key, stacks);
  return structuredClone(stacks);
}

function synthesizeAnew(settings: Settings, change?: Change, bundles: Partial<Bundles> = {}): Synthesized {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-synth-'));
  try {
    const bundle = path.join(dir, 'index.mjs');
    writeFileSync(bundle, 'export const handler = 1;');
    const outdir = path.join(dir, 'cdk.out');
    const { context } = JSON.parse(readFileSync(path.join(ROOT, 'cdk.json'), 'utf8'));
    const app = new App({ context, outdir });
    const code = () => Code.fromAsset(dir, { exclude: ['cdk.out'] });
    const stacks = addServiceStacks(app, settings, {
      gateway: code(),
      adminApi: code(),
      usageCounter: code(),
      findingsExport: code(),
      firstAdminKey: code(),
      keyWatch: code(),
      eventRelay: code(),
      webhookDelivery: code(),
      originSecret: code(),
      dashboard: { code: code(), version: '1' },
      ...bundles,
    });
    change?.(stacks);

    let error: unknown;
    try {
      app.synth();
    } catch (thrown) {
      error = thrown;
    }
    const read = (file: string) => JSON.parse(readFileSync(path.join(outdir, file), 'utf8'));
    return {
      data: read(stacks.data.templateFile),
      gateway: read(stacks.gateway.templateFile),
      operations: read(stacks.operations.templateFile),
      ...(stacks.edge !== undefined && { edge: read(stacks.edge.templateFile) }),
      termination: {
        data: stacks.data.terminationProtection,
        gateway: stacks.gateway.terminationProtection,
      },
      findings: findingsIn(read('validation-report.json')),
      ...(error !== undefined && { error }),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

interface ValidationReport {
  readonly pluginReports: readonly {
    readonly violations: readonly {
      readonly ruleName: string;
      readonly violatingConstructs: readonly { readonly constructPath?: string }[];
    }[];
  }[];
}

function findingsIn(report: ValidationReport): string[] {
  return report.pluginReports
    .flatMap((plugin) => plugin.violations)
    .flatMap(({ ruleName, violatingConstructs }) =>
      violatingConstructs.map(({ constructPath }) => `${ruleName}: ${constructPath}`),
    );
}
