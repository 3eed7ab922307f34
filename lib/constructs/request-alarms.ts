import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { DIMENSIONS, METRICS, providerNameOf } from '../../functions/kernel/model/index.ts';
import { type AlarmProps, type AlarmTopics, createAlarm, ownMetric } from './alarm.ts';

/** With fewer requests or calls in five minutes a share is not evaluated. */
const FEW_REQUESTS = 20;
const FEW_CALLS = 10;
/** Fewer in five minutes need no one: connections are lost. */
const FEW_ERRORS = 3;
const FAILED_PERCENT = 5;
/** With fewer tool calls that wait in an hour, one person who is away would be enough for the alarm. */
const FEW_APPROVALS = 5;
const UNDECIDED_PERCENT = 90;
/** A change is in force within 10 s while the table can be read. */
const STALE_SECONDS = 60;
/** Requests fail this soon if access tokens are not renewed. */
const TOKEN_LEFT_SECONDS = 300;
const SHARE_PERIOD = Duration.minutes(15);
const PROVIDER_FAILED_PERCENT = 20;

/** Limits of the alarms on blocked and flagged requests. */
export interface ShareLimits {
  readonly blockedPercent: number;
  readonly flaggedPercent: number;
  /** With fewer requests in a quarter of an hour a share is not evaluated. */
  readonly minRequests: number;
}

export interface RequestAlarmsProps {
  readonly gateway: Pick<lambda.IFunction, 'functionName'>;
  readonly adminApi: lambda.IFunction;
  /** Providers that have an alarm, by the gateway's names. */
  readonly providers: readonly string[];
  /** Alarm limit of the gateway's own latency (p99), milliseconds. */
  readonly ownLatencyMs: number;
  /** US dollars at list prices; undefined for no alarm. */
  readonly dailyCostUsd: number | undefined;
  /** Requests without a valid key in five minutes. */
  readonly unknownKeys: number;
  /** Undefined without the check, whose requests are none of a client. */
  readonly syntheticCheck: Pick<lambda.IFunction, 'functionName'> | undefined;
  readonly shareLimits: ShareLimits;
  /** Whether a receiver of spans is configured. */
  readonly sendsSpans: boolean;
  /** Whether credentials may be access tokens. */
  readonly usesFederation: boolean;
  readonly topics: AlarmTopics;
}

/** Alarms for failed and slow requests, failing providers, unavailable stores, and cost. */
export class RequestAlarms extends Construct {
  /** Alarms of failed requests, and what explains them. */
  readonly symptoms: readonly cloudwatch.IAlarm[];
  readonly causes: readonly cloudwatch.IAlarm[];

  constructor(scope: Construct, id: string, props: RequestAlarmsProps) {
    super(scope, id);
    const { gateway, adminApi, providers, topics } = props;
    this.symptoms = [
      this.watchFailures(props),
      this.watchServerErrors('ServerErrors', gateway, { severity: 'page', topics: undefined }),
    ];
    this.watchServerErrors('AdminServerErrors', adminApi, { severity: 'ticket', topics });
    this.causes = [this.watchStores(props)];
    this.watchRecords(props);
    this.watchUnknownKeys(props);
    this.watchConfiguration(props);
    this.watchLatency(props);
    for (const provider of providers) this.watch(provider, props);
    this.watchShares(props);
    if (props.dailyCostUsd !== undefined) this.watchCost(props.dailyCostUsd, props);
    if (props.sendsSpans) this.watchSpans(props);
    if (props.usesFederation) this.watchTokens(props);
    this.watchIssuers(props);
    this.watchApprovals(props);
  }

  /** What waits is not counted: an approval expires after an hour, so what an hour leaves undecided was refused. */
  private watchApprovals({ gateway, adminApi, topics }: RequestAlarmsProps): void {
    createAlarm(this, 'ApprovalsUndecided', {
      metric: new cloudwatch.MathExpression({
        expression: `IF(asked >= ${FEW_APPROVALS}, 100 * (asked - FILL(byCode, 0) - FILL(byPeople, 0)) / asked, 0)`,
        usingMetrics: {
          asked: ownMetric(gateway, METRICS.approvalsRequested),
          byCode: ownMetric(gateway, METRICS.approvalsDecided),
          byPeople: ownMetric(adminApi, METRICS.approvalsDecided),
        },
        label: '%',
      }),
      threshold: UNDECIDED_PERCENT,
      period: Duration.hours(1),
      periods: 2,
      means: `At least ${UNDECIDED_PERCENT} % of the tool calls that wait for a person were not decided within an hour.`,
      runbook: 'approvals-undecided',
      severity: 'ticket',
      topics,
    });
  }

  private watchFailures({ gateway }: RequestAlarmsProps): cloudwatch.IAlarm {
    return createAlarm(this, 'RequestsFail', {
      metric: share(ownMetric(gateway, METRICS.failures), ownMetric(gateway, METRICS.requests), FEW_REQUESTS),
      threshold: FAILED_PERCENT,
      periods: 2,
      means: `At least ${FAILED_PERCENT} % of the requests failed with 5xx or in their stream.`,
      runbook: 'requests-fail',
      severity: 'page',
      topics: undefined,
    });
  }

  private watchServerErrors(
    name: string,
    handler: RequestAlarmsProps['gateway'],
    alarm: Pick<AlarmProps, 'severity' | 'topics'>,
  ): cloudwatch.IAlarm {
    return createAlarm(this, name, {
      metric: ownMetric(handler, METRICS.serverErrors),
      threshold: FEW_ERRORS,
      means: 'The service itself returned 500 or 503: a bug, or a store is unavailable.',
      runbook: 'server-errors',
      ...alarm,
    });
  }

  private watchStores({ gateway, topics }: RequestAlarmsProps): cloudwatch.IAlarm {
    return createAlarm(this, 'StoreFailures', {
      metric: ownMetric(gateway, METRICS.storeFailures),
      threshold: FEW_ERRORS,
      means: 'A store did not respond, or a record, a stored response or a captured text was lost.',
      runbook: 'store-failures',
      severity: 'page',
      topics,
    });
  }

  private watchRecords({ gateway, topics }: RequestAlarmsProps): void {
    createAlarm(this, 'RecordsLost', {
      metric: ownMetric(gateway, METRICS.recordsLost),
      threshold: 1,
      means: 'Records of requests could not be written: they are in no total, and their events are not sent.',
      runbook: 'records-lost',
      severity: 'ticket',
      topics,
    });
  }

  private watchUnknownKeys({ gateway, unknownKeys, topics }: RequestAlarmsProps): void {
    createAlarm(this, 'UnknownKeys', {
      metric: ownMetric(gateway, METRICS.unknownKeys),
      threshold: unknownKeys,
      periods: 2,
      means: `At least ${unknownKeys} requests in five minutes had no valid key: a client with an old one, or an attack.`,
      runbook: 'unknown-keys',
      severity: 'ticket',
      topics,
    });
  }

  private watchConfiguration({ gateway, topics }: RequestAlarmsProps): void {
    createAlarm(this, 'ConfigurationStale', {
      metric: ownMetric(gateway, METRICS.configurationLag, 'Maximum'),
      threshold: STALE_SECONDS,
      periods: 2,
      means: `A process has not read a document of the configuration for ${STALE_SECONDS} s: a change is not in force there.`,
      runbook: 'configuration-stale',
      severity: 'ticket',
      topics,
    });
  }

  private watchLatency({ gateway, ownLatencyMs, topics }: RequestAlarmsProps): void {
    createAlarm(this, 'Slow', {
      metric: ownMetric(gateway, METRICS.ownDuration, 'p99'),
      threshold: ownLatencyMs,
      periods: 3,
      means: `The gateway's own work takes ${ownLatencyMs} ms or more (p99).`,
      runbook: 'slow',
      severity: 'ticket',
      topics,
    });
  }

  private watchCost(dailyCostUsd: number, { gateway, topics }: RequestAlarmsProps): void {
    createAlarm(this, 'CostOfTheDay', {
      metric: ownMetric(gateway, METRICS.costUsd),
      threshold: dailyCostUsd,
      period: Duration.days(1),
      means: `Models cost ${dailyCostUsd} US dollars or more since midnight UTC, at list prices.`,
      runbook: 'cost-of-the-day',
      severity: 'page',
      topics,
    });
  }

  private watchSpans({ gateway, topics }: RequestAlarmsProps): void {
    createAlarm(this, 'SpansLost', {
      metric: ownMetric(gateway, METRICS.spansLost),
      threshold: 1,
      periods: 3,
      means: 'The receiver of spans does not accept them; requests are not affected.',
      runbook: 'spans-lost',
      severity: 'ticket',
      topics,
    });
  }

  /** The metric is written at failures only, so it is missing while tokens are renewed. */
  private watchTokens({ gateway, topics }: RequestAlarmsProps): void {
    createAlarm(this, 'CredentialExpiry', {
      metric: new cloudwatch.MathExpression({
        expression: `IF(left < ${TOKEN_LEFT_SECONDS}, 1, 0)`,
        usingMetrics: { left: ownMetric(gateway, METRICS.credentialExpirySeconds, 'Minimum') },
        label: 'expires soon',
      }),
      threshold: 1,
      means: `The access token of a provider is not renewed, and expires within ${TOKEN_LEFT_SECONDS / 60} minutes or has expired.`,
      runbook: 'credential-expiry',
      severity: 'page',
      topics,
    });
  }

  private watchIssuers({ gateway, topics }: RequestAlarmsProps): void {
    createAlarm(this, 'IssuerKeysUnreadable', {
      metric: ownMetric(gateway, METRICS.issuerKeysUnreadable),
      threshold: 1,
      periods: 3,
      means:
        'The public keys of an issuer of tokens cannot be read: its new keys are not known, and without any its tokens are refused.',
      runbook: 'issuer-keys-unreadable',
      severity: 'ticket',
      topics,
    });
  }

  private watchShares({ gateway, syntheticCheck, shareLimits, topics }: RequestAlarmsProps): void {
    const { blockedPercent, flaggedPercent, minRequests } = shareLimits;
    createAlarm(this, 'BlockedShare', {
      metric: shareOfClients('blocked', { gateway, syntheticCheck, least: minRequests }),
      threshold: blockedPercent,
      period: SHARE_PERIOD,
      means: `The policy blocked at least ${blockedPercent} % of the requests.`,
      runbook: 'blocked-or-flagged-share',
      severity: 'page',
      topics,
    });
    createAlarm(this, 'FlaggedShare', {
      metric: shareOfClients('flagged', { gateway, syntheticCheck, least: minRequests }),
      threshold: flaggedPercent,
      period: SHARE_PERIOD,
      means: `The policy flagged or redacted at least ${flaggedPercent} % of the requests.`,
      runbook: 'blocked-or-flagged-share',
      severity: 'ticket',
      topics,
    });
  }

  private watch(provider: string, { gateway, topics }: RequestAlarmsProps): void {
    const named = { [DIMENSIONS.provider]: providerNameOf(provider) };
    const failed = ownMetric(gateway, METRICS.providerErrors, 'Sum', named);
    const succeeded = ownMetric(gateway, METRICS.operationDuration, 'SampleCount', named);
    createAlarm(this, `ProviderFails-${provider}`, {
      metric: new cloudwatch.MathExpression({
        expression: `IF(FILL(failed, 0) + FILL(succeeded, 0) >= ${FEW_CALLS}, 100 * FILL(failed, 0) / (FILL(failed, 0) + FILL(succeeded, 0)), 0)`,
        usingMetrics: { failed, succeeded },
        label: 'failed calls, %',
      }),
      threshold: PROVIDER_FAILED_PERCENT,
      periods: 2,
      means: `At least ${PROVIDER_FAILED_PERCENT} % of the calls of the provider ${provider} failed.`,
      runbook: 'a-provider-fails',
      severity: 'ticket',
      topics,
    });
  }
}

/** A policy's share of clients' requests, in percent. Each run of the synthetic check makes two requests, one of which is blocked. */
export function shareOfClients(
  action: 'blocked' | 'flagged',
  {
    gateway,
    syntheticCheck,
    least,
  }: Pick<RequestAlarmsProps, 'gateway' | 'syntheticCheck'> & { readonly least: number },
): cloudwatch.MathExpression {
  const part = ownMetric(gateway, METRICS[action]);
  const requests = ownMetric(gateway, METRICS.requests);
  const runs = syntheticCheck && ownMetric(syntheticCheck, METRICS.syntheticCheckSucceeded, 'SampleCount');
  const all = runs === undefined ? 'requests' : '(requests - 2 * FILL(runs, 0))';
  const acted = runs === undefined || action === 'flagged' ? action : `(${action} - FILL(runs, 0))`;
  return new cloudwatch.MathExpression({
    expression: `IF(${all} >= ${least}, 100 * ${acted} / ${all}, 0)`,
    usingMetrics: { [action]: part, requests, ...(runs !== undefined && { runs }) },
    label: '%',
  });
}

/** A part of a whole in percent; 0 if the whole is below `least`. */
function share(part: cloudwatch.Metric, whole: cloudwatch.Metric, least: number): cloudwatch.MathExpression {
  return new cloudwatch.MathExpression({
    expression: `IF(whole >= ${least}, 100 * part / whole, 0)`,
    usingMetrics: { part, whole },
    label: '%',
  });
}
