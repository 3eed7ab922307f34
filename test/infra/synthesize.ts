import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { DISABLE_CREATION_STACK_TRACES } from 'aws-cdk-lib/cx-api';
import { SETTINGS_BY_PATH, type Settings } from '../../lib/settings/settings.ts';
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
/** The examples of docs/reference/settings.md, nested as in cdk.json. */
function exampleSettings(): Settings {
  const stage: Record<string, unknown> = {};
  for (const [path, { example }] of SETTINGS_BY_PATH) {
    const names = path.split('.');
    const last = names.pop() as string;
    let place = stage;
    for (const name of names) place = place[name] = { ...(place[name] as Record<string, unknown>) };
    place[last] = example;
  }
  return { ...stage, stage: 'Production' } as Settings;
}

const { account, domain, restApi, waf, provisionedConcurrency, ...examples } = exampleSettings();
/** Settings with everything switched on, but for the account and the front doors of test/infra/front-door-stacks.ts besides the distribution. */
export const FULL: Settings = { ...examples, rollout: undefined, distribution: true };
export const FULL_MODELS = FULL.bedrock?.models ?? [];

/** What a deletion of the stack leaves. Tables stay even if the creation is rolled back: their protection would make that fail. */
export const STATEFUL = {
  'AWS::DynamoDB::GlobalTable': 'Retain',
  'AWS::SQS::Queue': 'RetainExceptOnCreate',
  'AWS::SecretsManager::Secret': 'RetainExceptOnCreate',
};

export interface Synthesized {
  readonly data: Template;
  readonly gateway: Template;
  readonly operations: Template;
  /** Where the settings need anything in us-east-1. */
  readonly edge?: Template;
  readonly termination: { readonly data: boolean; readonly gateway: boolean };
}

export interface Validated extends Synthesized {
  /** Findings that have no reason, warnings included, as `RULE: construct`. */
  readonly findings: readonly string[];
  /** What synthesis threw, where it failed. */
  readonly error?: unknown;
}

type Change = (stacks: ReturnType<typeof addServiceStacks>) => void;

const synthesized = new Map<string, Synthesized>();
const validated = new Map<string, Validated>();

/**
 * The stacks as `cdk synth` makes them, with cdk.json's flags, in this process and around an empty bundle instead of
 * dist. `change` is called before synthesis; `added` is context besides cdk.json's. The same settings alone are synthesized once.
 * @throws what synthesis throws, and what cdk-nag finds
 */
export function synthesize(settings: Settings, change?: Change, added?: object): Synthesized {
  if (change !== undefined || added !== undefined) return unvalidated(settings, change, added);
  const key = JSON.stringify(settings);
  const stacks = validated.get(key) ?? synthesized.get(key) ?? unvalidated(settings);
  synthesized.set(key, stacks);
  return structuredClone(stacks);
}

function unvalidated(settings: Settings, change?: Change, added?: object): Synthesized {
  const { error, findings: _, ...stacks } = synthesizeAnew(settings, { change, added, validates: false });
  if (error !== undefined) throw error;
  return stacks;
}

/** The same with all findings. CloudFormation's rules take longer than synthesis, so only tests of findings ask for them. */
export function validate(settings: Settings, change?: Change, bundles?: Partial<Bundles>): Validated {
  const anew = () => synthesizeAnew(settings, { change, bundles, validates: true });
  if (change !== undefined || bundles !== undefined) return anew();
  const key = JSON.stringify(settings);
  const stacks = validated.get(key) ?? anew();
  validated.set(key, stacks);
  return structuredClone(stacks);
}

interface Options {
  readonly change?: Change | undefined;
  /** Context besides that of cdk.json. */
  readonly added?: object | undefined;
  readonly bundles?: Partial<Bundles> | undefined;
  /** By CloudFormation's rules, besides cdk-nag's. */
  readonly validates: boolean;
}

function synthesizeAnew(settings: Settings, { change, added, bundles, validates }: Options): Validated {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-synth-'));
  try {
    const bundle = path.join(dir, 'index.mjs');
    writeFileSync(bundle, 'export const handler = 1;');
    // CDK stages this folder itself, so it must be without cdk.out.
    const webGateway = path.join(dir, 'web');
    mkdirSync(webGateway);
    writeFileSync(path.join(webGateway, 'index.mjs'), 'listen();');
    const image = path.join(dir, 'image');
    mkdirSync(image);
    writeFileSync(path.join(image, 'Dockerfile'), 'FROM scratch\n');
    const outdir = path.join(dir, 'cdk.out');
    const { context } = JSON.parse(readFileSync(path.join(ROOT, 'cdk.json'), 'utf8'));
    const app = new App({
      // Nothing reads the places where constructs were made.
      context: { ...context, ...added, [DISABLE_CREATION_STACK_TRACES]: true },
      outdir,
      treeMetadata: false,
      builtinCloudFormationValidation: validates,
    });
    const code = () => Code.fromAsset(dir, { exclude: ['cdk.out'] });
    const stacks = addServiceStacks(app, settings, {
      gateway: code(),
      webGateway,
      image: ContainerImage.fromAsset(image),
      adminApi: code(),
      usageCounter: code(),
      findingsExport: code(),
      firstAdminKey: code(),
      keyWatch: code(),
      syntheticCheck: code(),
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
