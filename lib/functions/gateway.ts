import { Duration, type Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { GatewayEnv } from '../../functions/gateway/env.ts';
import { grantModels } from '../constructs/grant-models.ts';
import { grantTables, grantValueOf } from '../constructs/grants.ts';
import { StreamingFunction } from '../constructs/streaming-function.ts';
import type { Settings } from '../settings.ts';
import { corsOrigins, type FunctionContext, frontDoor, logLevel, recordDays, tableNames } from './function-context.ts';

/** The gateway function, what it is told and what its role may do. */
export function addGateway(stack: Stack, context: FunctionContext): StreamingFunction<GatewayEnv> {
  const { settings, data, code } = context;
  const { logRetentionDays, tracing } = settings;
  const models = settings.bedrock?.models ?? ['*'];
  const gateway = new StreamingFunction<GatewayEnv>(stack, 'Gateway', {
    description: 'The OpenAI-compatible gateway: authenticates, admits, inspects and streams.',
    code,
    environment: {
      ...tableNames('gateway', data),
      SVC_EVENTS_QUEUE_URL: data.eventsQueue.queueUrl,
      SVC_PEPPER_SECRET_ARN: data.pepper.secretArn,
      SVC_PROVIDERS_SECRET_ARN: data.providers.secretArn,
      SVC_STAGE: settings.stage,
      ...(settings.echo !== undefined && { SVC_ECHO: settings.echo ? 'true' : 'false' }),
      ...(settings.bedrock !== undefined && { SVC_BEDROCK: models.length > 0 ? 'true' : 'false' }),
      ...(settings.providerTimeoutSeconds !== undefined && {
        SVC_PROVIDER_TIMEOUT_MS: String(settings.providerTimeoutSeconds * 1000),
      }),
      ...(settings.maxRequestSeconds !== undefined && {
        SVC_MAX_REQUEST_MS: String(settings.maxRequestSeconds * 1000),
      }),
      ...(settings.modelPrices !== undefined && { SVC_MODEL_PRICES: JSON.stringify(settings.modelPrices) }),
      ...(settings.routes !== undefined && { SVC_ROUTES: JSON.stringify(settings.routes) }),
      ...(settings.foreignIds !== undefined && { SVC_FOREIGN_IDS: settings.foreignIds.join(',') }),
      ...corsOrigins(settings),
      ...frontDoor(context),
      ...(settings.inspectionCpuMs !== undefined && { SVC_INSPECTION_CPU_MS: String(settings.inspectionCpuMs) }),
      ...(settings.sessionIdleMinutes !== undefined && {
        SVC_SESSION_IDLE_MINUTES: String(settings.sessionIdleMinutes),
      }),
      ...recordDays(settings),
      ...(settings.retentionDays?.captures !== undefined && {
        SVC_CAPTURE_DAYS: String(settings.retentionDays.captures),
      }),
      ...outsideEnvironment(settings.outsideDetectors),
      ...telemetryEnvironment(settings),
    },
    memoryMb: settings.memoryMb,
    // As long as Lambda allows: a model may stream for minutes.
    timeout: Duration.minutes(15),
    reservedConcurrency: settings.reservedConcurrency,
    provisionedConcurrency: settings.provisionedConcurrency,
    logRetentionDays,
    tracing,
    settings,
  });
  grantTables('gateway', data.tables, gateway);
  // For readiness: what it has to tell stands in its tables, and is relayed.
  data.eventsQueue.grant(gateway, 'sqs:GetQueueAttributes');
  grantValueOf(data.pepper, gateway);
  if (data.originSecret !== undefined) grantValueOf(data.originSecret, gateway);
  grantValueOf(data.providers, gateway);
  const headersSecret = settings.otlp?.headersSecretArn;
  if (headersSecret !== undefined) grantHeaders(headersSecret, gateway);
  if (models.length > 0) grantModels(models, gateway);
  const guardrail = settings.outsideDetectors?.bedrockGuardrail;
  if (guardrail !== undefined) grantApplying(stack, guardrail.id, gateway);
  return gateway;
}

function outsideEnvironment(outside: Settings['outsideDetectors']): Partial<GatewayEnv> {
  const { bedrockGuardrail, moderation, deadlineMs, when } = outside ?? {};
  return {
    ...(bedrockGuardrail !== undefined && { SVC_BEDROCK_GUARDRAIL_ID: bedrockGuardrail.id }),
    ...(bedrockGuardrail?.version !== undefined && { SVC_BEDROCK_GUARDRAIL_VERSION: bedrockGuardrail.version }),
    ...(moderation !== undefined && { SVC_OUTSIDE_MODERATION: moderation }),
    ...(deadlineMs !== undefined && { SVC_OUTSIDE_DEADLINE_MS: String(deadlineMs) }),
    ...(when !== undefined && { SVC_OUTSIDE_WHEN: when }),
  };
}

function telemetryEnvironment({ otlp, tracePropagation, ...settings }: Settings): Partial<GatewayEnv> {
  return {
    ...logLevel(settings),
    ...(otlp !== undefined && { SVC_OTLP_ENDPOINT: otlp.endpoint }),
    ...(otlp?.headersSecretArn !== undefined && { SVC_OTLP_HEADERS_SECRET_ARN: otlp.headersSecretArn }),
    ...(otlp?.sampleRatio !== undefined && { SVC_OTLP_SAMPLE_RATIO: String(otlp.sampleRatio) }),
    ...(tracePropagation !== undefined && { SVC_TRACE_PROPAGATION: tracePropagation }),
  };
}

/** The one secret by which the receiver of spans knows us. */
function grantHeaders(secretArn: string, grantee: iam.IGrantable): void {
  iam.Grant.addToPrincipal({ grantee, actions: ['secretsmanager:GetSecretValue'], resourceArns: [secretArn] });
}

/** One guardrail and no other; an id names one of this account and region. */
function grantApplying(stack: Stack, guardrail: string, grantee: iam.IGrantable): void {
  const ofThisAccount = { service: 'bedrock', resource: 'guardrail', resourceName: guardrail };
  const resourceArns = [guardrail.startsWith('arn:') ? guardrail : stack.formatArn(ofThisAccount)];
  iam.Grant.addToPrincipal({ grantee, actions: ['bedrock:ApplyGuardrail'], resourceArns });
}
