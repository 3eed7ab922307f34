import { Duration, type Stack } from 'aws-cdk-lib';
import type { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { ADMIN_SETTINGS, type AdminEnv } from '../../functions/admin-api/env.ts';
import { GATEWAY_SETTINGS, type GatewayEnv } from '../../functions/gateway/env.ts';
import { FargateGateway } from '../constructs/fargate-gateway.ts';
import {
  grantGuardrailChecks,
  grantIdentityTokens,
  grantModels,
  grantTables,
  grantValueOf,
} from '../constructs/grants.ts';
import { StreamingFunction } from '../constructs/streaming-function.ts';
import { WebFunction } from '../constructs/web-function.ts';
import { stageVariables } from '../settings/function-settings.ts';
import { shareConcurrency } from '../settings/operations-concurrency.ts';
import {
  distributionOf,
  GATEWAY_MEMORY_MB,
  hasFunctionUrls,
  isPrivate,
  readTimeoutOf,
  type Settings,
} from '../settings/settings.ts';
import { type FunctionContext, frontDoor, tableNames } from './function-context.ts';

/** The gateway, by the setting `compute`. */
export type Gateway = StreamingFunction<GatewayEnv> | WebFunction<GatewayEnv> | FargateGateway<GatewayEnv>;

export interface GatewayContext extends FunctionContext {
  /** The folder of the Web Function's bundle. */
  readonly webFolder: string;
  /** The image of the containers. */
  readonly image: ContainerImage;
}

/** Adds the gateway with its environment and permissions. */
export function addGateway(stack: Stack, context: GatewayContext): Gateway {
  const gateway = gatewayIn(stack, context);
  const { settings, data } = context;
  const models = settings.bedrock?.models ?? ['*'];
  grantTables('gateway', data.tables, gateway);
  // Only for the readiness check: events are relayed from the tables.
  data.eventsQueue.grant(gateway, 'sqs:GetQueueAttributes');
  grantValueOf(data.pepper, gateway);
  if (distributionOf(settings) !== undefined) grantValueOf(data.originSecret, gateway);
  grantValueOf(data.providers, gateway);
  grantCredentials(context, gateway);
  const headersSecret = settings.otlp?.headersSecretArn;
  if (headersSecret !== undefined) grantHeaders(headersSecret, gateway);
  if (models.length > 0) grantModels(models, gateway);
  const guardrail = settings.outsideDetectors?.bedrockGuardrail;
  if (guardrail !== undefined) grantApplying(stack, guardrail.id, gateway);
  if (settings.outsideDetectors?.bedrockGuardrailChecks !== undefined) grantGuardrailChecks(gateway);
  return gateway;
}

/** The gateway in its home, which decides nothing about what it may do. */
function gatewayIn(stack: Stack, { settings, data, code, webFolder, image }: GatewayContext): Gateway {
  const { compute = 'function-url', logRetentionDays, tracing } = settings;
  const common = {
    description: 'The OpenAI-compatible gateway: authenticates, admits, inspects and streams.',
    environment: {
      ...tableNames('gateway', data),
      SVC_EVENTS_QUEUE_URL: data.eventsQueue.queueUrl,
      SVC_PEPPER_SECRET_ARN: data.pepper.secretArn,
      SVC_PROVIDERS_SECRET_ARN: data.providers.secretArn,
      SVC_CREDENTIALS_SECRET_ARN: data.credentialsKey.secretArn,
      SVC_STAGE: settings.stage,
      ...frontDoor(settings, data),
      ...firstByte(settings),
      ...stageVariables(GATEWAY_SETTINGS, settings),
    },
    // Lambda's maximum: a model may stream for minutes.
    timeout: Duration.minutes(15),
    logRetentionDays,
  };
  switch (compute) {
    case 'fargate':
      return new FargateGateway<GatewayEnv>(stack, 'FargateGateway', {
        ...common,
        image,
        settings,
        clients: distributionOf(settings) !== undefined ? 'distribution' : isPrivate(settings) ? 'private' : 'internet',
      });
    case 'web-function':
      return new WebFunction<GatewayEnv>(stack, 'WebGateway', { ...common, folder: webFolder, settings });
    case 'function-url':
      return new StreamingFunction<GatewayEnv>(stack, 'Gateway', {
        ...common,
        code,
        memoryMb: settings.memoryMb ?? GATEWAY_MEMORY_MB,
        reservedConcurrency: settings.reservedConcurrency,
        provisionedConcurrency: settings.provisionedConcurrency,
        tracing,
        hasUrl: hasFunctionUrls(settings),
        settings,
      });
  }
}

/** How long the distribution waits, so that the gateway explains a response that takes longer. */
function firstByte(settings: Settings): Pick<GatewayEnv, 'SVC_DISTRIBUTION_TIMEOUT_MS'> {
  const seconds = readTimeoutOf(settings);
  return seconds === undefined ? {} : { SVC_DISTRIBUTION_TIMEOUT_MS: String(seconds * 1000) };
}

/** Allows opening stored credentials, reading the secrets that they may name, and getting identity tokens for their providers. */
function grantCredentials({ data, settings }: FunctionContext, grantee: Construct & iam.IGrantable): void {
  grantValueOf(data.credentialsKey, grantee);
  if (settings.federationAudiences !== undefined) grantIdentityTokens(settings.federationAudiences, grantee);
  const resourceArns = settings.credentialSecretArns ?? [];
  if (resourceArns.length === 0) return;
  iam.Grant.addToPrincipal({ grantee, actions: ['secretsmanager:GetSecretValue'], resourceArns: [...resourceArns] });
}

/** Allows reading the headers for the receiver of spans. */
function grantHeaders(secretArn: string, grantee: iam.IGrantable): void {
  iam.Grant.addToPrincipal({ grantee, actions: ['secretsmanager:GetSecretValue'], resourceArns: [secretArn] });
}

/** Allows one guardrail; an id names one of this account and region. */
function grantApplying(stack: Stack, guardrail: string, grantee: iam.IGrantable): void {
  const ofThisAccount = { service: 'bedrock', resource: 'guardrail', resourceName: guardrail };
  const resourceArns = [guardrail.startsWith('arn:') ? guardrail : stack.formatArn(ofThisAccount)];
  iam.Grant.addToPrincipal({ grantee, actions: ['bedrock:ApplyGuardrail'], resourceArns });
}

/** Adds the admin API's function with its environment and permissions. */
export function addAdminApi(stack: Stack, context: FunctionContext): StreamingFunction<AdminEnv> {
  const { settings, data, code } = context;
  const { logRetentionDays, tracing } = settings;
  const adminApi = new StreamingFunction<AdminEnv>(stack, 'AdminApi', {
    description: 'The admin API: manages keys, webhooks and policies, and returns usage and threats.',
    code,
    environment: {
      ...tableNames('admin-api', data),
      SVC_DELIVERIES_QUEUE_URL: data.deliveriesQueue.queueUrl,
      SVC_PEPPER_SECRET_ARN: data.pepper.secretArn,
      ...frontDoor(settings, data),
      SVC_SEALING_SECRET_ARN: data.sealingKey.secretArn,
      SVC_PROVIDERS_SECRET_ARN: data.providers.secretArn,
      SVC_CREDENTIALS_SECRET_ARN: data.credentialsKey.secretArn,
      SVC_STAGE: settings.stage,
      ...stageVariables(ADMIN_SETTINGS, settings),
    },
    memoryMb: 512,
    timeout: Duration.seconds(30),
    reservedConcurrency: shareConcurrency(settings.operationsConcurrency).adminApi,
    logRetentionDays,
    tracing,
    hasUrl: hasFunctionUrls(settings),
    settings,
  });
  grantTables('admin-api', data.tables, adminApi);
  data.deliveriesQueue.grant(adminApi, 'sqs:SendMessage');
  grantValueOf(data.pepper, adminApi);
  if (distributionOf(settings) !== undefined) grantValueOf(data.originSecret, adminApi);
  grantValueOf(data.sealingKey, adminApi);
  grantCredentials(context, adminApi);
  // To show which providers have credentials, and for test requests.
  grantValueOf(data.providers, adminApi);
  const clientSecret = settings.oidc?.clientSecretArn;
  if (clientSecret !== undefined) {
    const actions = ['secretsmanager:GetSecretValue'];
    iam.Grant.addToPrincipal({ grantee: adminApi, actions, resourceArns: [clientSecret] });
  }
  return adminApi;
}
