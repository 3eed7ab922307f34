import type { Node } from 'constructs';
import * as z from 'zod';
import type { StageSetting } from '../../functions/adapters/env.ts';
import { hasPrice } from '../../functions/gateway/env.ts';
import { deepestIssue } from '../../functions/kernel/errors/index.ts';
import { FUNCTION_SETTINGS } from './function-settings.ts';
import { type Domain, type Rollout, STAGE_SETTINGS } from './stage-settings.ts';

/** CloudFront's maximum without a raised quota: https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_CustomOriginConfig.html */
export const READ_TIMEOUT_SECONDS = 120;
/** The default of `memoryMb`. */
export const GATEWAY_MEMORY_MB = 1_024;
const STAGES = ['Production', 'Staging', 'Development'] as const;

/** The type of a stage for a setting with this path. */
type FieldAt<Path extends string, Value, IsRequired> = Path extends `${infer Head}.${infer Rest}`
  ? { readonly [Name in Head]?: FieldAt<Rest, Value, IsRequired> | undefined }
  : IsRequired extends true
    ? { readonly [Name in Path]: Value }
    : { readonly [Name in Path]?: Value | undefined };
type PathOf<Entry, Name> = Entry extends { path: infer Path extends string } ? Path : Name & string;
type FieldOf<Entry, Name> = Entry extends { inStage: () => infer Schema extends z.ZodType }
  ? FieldAt<PathOf<Entry, Name>, z.output<Schema>, Entry extends { isRequired: true } ? true : false>
  : never;
type FieldsOf<Table> = { readonly [Name in keyof Table]: FieldOf<Table[Name], Name> }[keyof Table];
type Intersection<Union> = (Union extends unknown ? (field: Union) => void : never) extends (field: infer All) => void
  ? All
  : never;
type FunctionTables = (typeof FUNCTION_SETTINGS)[keyof typeof FUNCTION_SETTINGS];
type FieldsOfEach<Table> = Table extends unknown ? FieldsOf<Table> : never;
type StageFields = Intersection<FieldsOfEach<typeof STAGE_SETTINGS | FunctionTables>>;

/** The settings of a stage. */
export type Settings = StageFields & {
  readonly stage: (typeof STAGES)[number];
  /** Of a gateway that is not the account's only one: `payments` in the stage `payments/Production`. */
  readonly prefix?: string | undefined;
};

/** Begins the names of stacks, and so of most resources: a table's may have 255 characters, an SNS topic's 256, a web ACL's 128. */
const STAGE_NAME = new RegExp(`^(?:(?<prefix>[a-z][a-z0-9-]{0,19})/)?(?<stage>${STAGES.join('|')})$`);

/** All settings of cdk.json by path, including those that functions read. */
export const SETTINGS_BY_PATH: ReadonlyMap<string, StageSetting> = new Map(
  [STAGE_SETTINGS, ...Object.values(FUNCTION_SETTINGS)].flatMap((table) =>
    Object.entries<StageSetting>(table)
      .filter(([, { inStage }]) => inStage !== undefined)
      .map(([name, setting]) => [setting.path ?? name, setting] as const),
  ),
);

/** The schema of an object in cdk.json: settings by their paths in it. */
function schemaOf(settings: ReadonlyMap<string, StageSetting>): z.ZodType {
  const shape: Record<string, z.ZodType> = {};
  for (const [path, { inStage, isRequired }] of settings) {
    const [name = ''] = path.split('.');
    if (name !== path) shape[name] ??= schemaOf(settingsIn(name, settings)).optional();
    else if (inStage !== undefined) shape[name] = isRequired ? inStage() : inStage().optional();
  }
  return z.strictObject(shape);
}

/** The settings of an object in cdk.json by their paths in it. */
function settingsIn(name: string, settings: ReadonlyMap<string, StageSetting>): ReadonlyMap<string, StageSetting> {
  const inside = [...settings].filter(([path]) => path.startsWith(`${name}.`));
  return new Map(inside.map(([path, setting]) => [path.slice(name.length + 1), setting]));
}

const checkedSchema = (schemaOf(SETTINGS_BY_PATH) as z.ZodType<StageFields>).superRefine((settings, context) => {
  const needs = (path: keyof typeof settings, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { encryptionKeyArn, region } = settings;
  if (encryptionKeyArn !== undefined && (region === undefined || !encryptionKeyArn.includes(`:${region}:`))) {
    needs('encryptionKeyArn', 'needs `region`, which must be the key’s');
  }
  if (settings.oidc !== undefined && settings.dashboardUrl === undefined) {
    needs('oidc', 'needs `dashboardUrl`, to which the identity provider redirects');
  }
  const detectorModel = settings.outsideDetectors?.judge?.model;
  if (detectorModel !== undefined && !hasPrice(detectorModel, settings.modelPrices)) {
    const message = `model '${detectorModel}' has no price, so no budget can hold: correct its name, or add it to \`modelPrices\``;
    context.addIssue({ code: 'custom', path: ['outsideDetectors', 'judge'], message });
  }
  if (region === undefined && needsEdgeStack(settings)) {
    needs('region', 'needed with the distribution and `waf` or `domain`: it is in the name of a stack in us-east-1');
  }
  if (distributionOf(settings) !== undefined && settings.publicFunctionUrls !== undefined) {
    needs('publicFunctionUrls', 'only without the distribution; with it, see onlyThroughDistribution');
  }
  if (distributionOf(settings) === undefined) {
    if (!hasFunctionUrls(settings) && restApiOf(settings) === undefined) {
      needs('publicFunctionUrls', '`false` would leave no front door: it needs the REST API');
    }
    if (settings.domain !== undefined) needs('domain', 'needs the distribution');
    if (settings.onlyThroughDistribution === true) needs('onlyThroughDistribution', 'needs the distribution');
    if (wafOf(settings) !== undefined && restApiOf(settings) === undefined) {
      needs('waf', 'needs the distribution or the REST API: function URLs do not support it');
    }
  }
});

/** The rollout of this stage, with the default applied. */
export function rolloutOf({ stage, rollout }: Pick<Settings, 'stage' | 'rollout'>): Rollout {
  return rollout ?? (stage === 'Production' ? 'canary-10-5m' : 'none');
}

/**
 * The settings of the stage in `-c stage=NAME` (default Development), from `stages` in cdk.json. A name may have a prefix, which distinguishes
 * gateways of an account: `payments/Production`.
 * Throws an error that names all wrong settings.
 */
export function readSettings(node: Node): Settings {
  const asked: unknown = node.tryGetContext('stage') ?? 'Development';
  const place = `cdk.json, context.stages.${asked}`;
  const stages = z.record(z.string(), z.unknown()).catch({}).parse(node.tryGetContext('stages'));
  const given = stages[String(asked)];
  if (given === undefined && STAGE_NAME.test(String(asked))) throw new Error(`${place}: missing`);
  // For one deployment with another home: `-c compute=fargate`.
  const compute: unknown = node.tryGetContext('compute');
  const concurrency = computedConcurrency(node);
  const settings = { ...(given as object), ...(compute !== undefined && { compute }) };
  return checkSettings(String(asked), settings, place, concurrency);
}

/**
 * The settings of a stage of this name. @param place in errors @param computed `operationsConcurrency`, where the settings have none
 * @throws Error that names all wrong settings
 */
export function checkSettings(name: string, given: object, place: string, computed?: number): Settings {
  const named = STAGE_NAME.exec(name)?.groups;
  if (named === undefined)
    throw new Error(
      `-c stage=${name}: choose from ${STAGES.join(', ')}, with a prefix of another gateway if you like: payments/Production`,
    );
  const { prefix } = named;
  const result = checkedSchema.safeParse(given);
  if (!result.success) {
    const faults = result.error.issues.map((issue) => {
      const { path, message } = deepestIssue(issue);
      return [path.join('.'), message].filter(Boolean).join(': ');
    });
    throw new Error(`${place}: ${faults.join('; ')}`);
  }
  const { operationsConcurrency = computed } = result.data;
  const settings = {
    ...result.data,
    stage: named.stage as Settings['stage'],
    ...(prefix !== undefined && { prefix }),
    ...(operationsConcurrency !== undefined && { operationsConcurrency }),
  };
  const fault = contradictionIn(settings);
  if (fault !== undefined) throw new Error(`${place}: ${fault}`);
  return settings;
}

/** What `npm run deploy` found room for; a plain `cdk deploy` does not know the account's quota. */
function computedConcurrency(node: Node): number | undefined {
  const given: unknown = node.tryGetContext('operationsConcurrency');
  if (given === undefined) return undefined;
  const total = z.coerce.number().int().min(0).max(1_000).safeParse(given);
  if (!total.success) throw new Error(`-c operationsConcurrency=${given}: must be a whole number up to 1,000`);
  return total.data;
}

/** Settings that a home of the gateway does not use, by their paths. */
const UNUSED_BY: Readonly<Record<NonNullable<Settings['compute']>, readonly string[]>> = {
  'function-url': ['fargate', 'webFunction'],
  'web-function': ['memoryMb', 'reservedConcurrency', 'provisionedConcurrency', 'tracing', 'rollout', 'fargate'],
  fargate: [
    'memoryMb',
    'reservedConcurrency',
    'provisionedConcurrency',
    'tracing',
    'rollout',
    'publicFunctionUrls',
    'webFunction',
  ],
};
/** Used by the admin API and the other functions, whatever the home. */
const USED_BY_FUNCTIONS = new Set(['tracing', 'rollout', 'publicFunctionUrls']);

/** A note about the stage's settings that its gateway does not use, so that `compute` can be changed alone; undefined if it uses all. */
export function unusedNote(settings: Settings): string | undefined {
  const { compute = 'function-url' } = settings;
  const set = UNUSED_BY[compute].filter((name) => {
    const value = settings[name as keyof Settings];
    return value !== undefined && value !== false && value !== 'none';
  });
  if (set.length === 0) return undefined;
  const named = set.map((name) => (USED_BY_FUNCTIONS.has(name) ? `${name} (used by the other functions)` : name));
  return `The gateway with compute ${compute} does not use ${named.join(', ')}.`;
}

/** Combinations that AWS refuses; undefined if there is none. */
function contradictionIn(settings: Settings): string | undefined {
  const { compute = 'function-url' } = settings;
  if (compute === 'web-function' && isPrivate(settings))
    return 'restApi.vpcEndpointIds: not with compute web-function, whose endpoint is on the public internet (docs/reference/homes.md#private-containers)';
  if (compute !== 'function-url' && restApiOf(settings) !== undefined && !isPrivate(settings))
    return `restApi: not with compute ${compute}: API Gateway streams from functions only`;
  const fault = isPrivate(settings) ? faultOfPrivateApi(settings) : undefined;
  if (fault !== undefined) return fault;
  if (compute === 'fargate') return faultOfFargate(settings);
  return compute === 'web-function' ? undefined : faultOfConcurrency(settings);
}

/** A private API is the only front door, since another one would be public. */
function faultOfPrivateApi(settings: Settings): string | undefined {
  const { domain, allowedAddresses } = restApiOf(settings) ?? {};
  if (hasFunctionUrls(settings))
    return 'restApi.vpcEndpointIds: needs "distribution": false and no publicFunctionUrls, which are public';
  if (domain !== undefined) return 'restApi.domain: not with vpcEndpointIds: the endpoint gives the API its name';
  if (allowedAddresses !== undefined)
    return 'restApi.allowedAddresses: not with vpcEndpointIds: limit clients by the security group of the endpoint';
  if (settings.syntheticCheck !== false && settings.vpc === undefined)
    return 'restApi.vpcEndpointIds: the synthetic check reaches a private API only with `vpc`; else set syntheticCheck to false';
  return undefined;
}

/** The size of the containers, with the defaults. */
export function fargateSize({ fargate = {} }: Pick<Settings, 'fargate'>) {
  const { cpu = 1_024, memoryMb = 2_048 } = fargate;
  const { maxTasks = 10, minTasks = Math.min(2, maxTasks) } = fargate;
  return { cpuUnits: cpu, cpus: cpu / 1_024, memoryMb, minTasks, maxTasks };
}

function faultOfFargate(settings: Settings): string | undefined {
  const { fargate = {}, vpc, region } = settings;
  const { cpuUnits: cpu, memoryMb, minTasks, maxTasks } = fargateSize(settings);
  const { certificateArn, domainName } = fargate;
  if (minTasks > maxTasks) return `fargate.minTasks: ${minTasks} is more than maxTasks, ${maxTasks}`;
  if (memoryMb < 2 * cpu || memoryMb > 8 * cpu)
    return `fargate.memoryMb: ${memoryMb} does not go with ${cpu} CPU units, which take ${2 * cpu} to ${8 * cpu}`;
  if (vpc !== undefined && vpc.subnetIds.length < 2)
    return 'vpc.subnetIds: compute fargate needs subnets of two zones, for the load balancer';
  if (certificateArn !== undefined && region !== undefined && !certificateArn.includes(`:${region}:`))
    return `fargate.certificateArn: must be of ${region}`;
  if (distributionOf(settings) !== undefined) return undefined;
  if (certificateArn === undefined || domainName === undefined)
    return 'compute: fargate without the distribution needs fargate.certificateArn and fargate.domainName, as clients would send their keys without TLS';
  if (restApiOf(settings) === undefined) return undefined;
  if (vpc === undefined)
    return 'restApi.vpcEndpointIds: with compute fargate needs `vpc`, whose subnets the load balancer is in';
  return wafOf(settings) === undefined ? undefined : 'waf: not with a private load balancer';
}

function faultOfConcurrency(settings: Settings): string | undefined {
  const { provisionedConcurrency: provisioned, reservedConcurrency: reserved } = settings;
  if (provisioned === undefined) return undefined;
  const rollout = rolloutOf(settings);
  if (rollout !== 'none' && rollout !== 'all-at-once')
    return `provisionedConcurrency: not with the rollout ${rollout}, which splits the alias; set rollout to "all-at-once"`;
  if (reserved !== undefined && provisioned > reserved)
    return `provisionedConcurrency: ${provisioned} is more than reservedConcurrency, ${reserved}`;
  return undefined;
}

/** The distribution's settings; undefined without one. */
export function distributionOf({ distribution = true }: Pick<Settings, 'distribution'>) {
  return whereOn(distribution);
}

/** The REST API's settings; undefined without one. */
export function restApiOf({ restApi = false }: Pick<Settings, 'restApi'>) {
  return whereOn(restApi);
}

/** The web ACLs' settings; undefined without WAF. */
export function wafOf({ waf = false }: Pick<Settings, 'waf'>) {
  return whereOn(waf);
}

/** Whether CloudFront needs resources in us-east-1: a web ACL or a certificate. */
export function needsEdgeStack(settings: Pick<Settings, 'distribution' | 'domain' | 'waf'>): boolean {
  const { domain } = settings;
  const needsCertificate = domain !== undefined && domain.certificateArn === undefined;
  return distributionOf(settings) !== undefined && (wafOf(settings) !== undefined || needsCertificate);
}

/** Whether only private addresses reach the gateway and the admin API. */
export function isPrivate(settings: Pick<Settings, 'restApi'>): boolean {
  return restApiOf(settings)?.vpcEndpointIds !== undefined;
}

/** Whether the gateway and the admin API have function URLs: as the distribution's origins, or as public addresses. */
export function hasFunctionUrls(settings: Pick<Settings, 'distribution' | 'restApi' | 'publicFunctionUrls'>): boolean {
  const { publicFunctionUrls = restApiOf(settings) === undefined } = settings;
  return distributionOf(settings) !== undefined || publicFunctionUrls;
}

/** Whether the function URLs refuse requests that bypass the distribution. A web ACL would be of no use otherwise. */
export function isOnlyThroughDistribution(
  settings: Pick<Settings, 'distribution' | 'waf' | 'onlyThroughDistribution' | 'compute'>,
): boolean {
  // The load balancer of containers has no other client.
  const { onlyThroughDistribution = wafOf(settings) !== undefined || settings.compute === 'fargate' } = settings;
  return distributionOf(settings) !== undefined && onlyThroughDistribution;
}

/** How many seconds the distribution waits for a response; undefined without one. */
export function readTimeoutOf(settings: Pick<Settings, 'distribution'>): number | undefined {
  const options = distributionOf(settings);
  return options && (options.readTimeoutSeconds ?? READ_TIMEOUT_SECONDS);
}

/** Options of a setting that may also be `true`; undefined if it is off. */
function whereOn<Details extends object>(setting: boolean | Details): Partial<Details> | undefined {
  if (setting === false) return undefined;
  return setting === true ? {} : setting;
}

/** The hosted zone of a domain for CDK; undefined if its records are created elsewhere. */
export function zoneOf({ hostedZoneId, zoneName }: Pick<Domain, 'hostedZoneId' | 'zoneName'>) {
  return hostedZoneId === undefined || zoneName === undefined ? undefined : { hostedZoneId, zoneName };
}
