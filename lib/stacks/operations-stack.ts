import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { alarmTopics, createAlarm, createSymptomsAlarm } from '../constructs/alarm.ts';
import { BackgroundAlarms, ExportAlarms, FindingsAlarms, WebhookAlarms } from '../constructs/background-alarms.ts';
import { addBillBudget, BUDGETS } from '../constructs/bill-budget.ts';
import { ContainerAlarms } from '../constructs/container-alarms.ts';
import { DoorAlarms, doorsOf } from '../constructs/door-alarms.ts';
import { FunctionAlarms, LogAlarms } from '../constructs/function-alarms.ts';
import { OperationsDashboard } from '../constructs/operations-dashboard.ts';
import { RequestAlarms, type ShareLimits } from '../constructs/request-alarms.ts';
import { ScheduleAlarms } from '../constructs/schedule-alarms.ts';
import { TableAlarms } from '../constructs/table-alarms.ts';
import { WebAcl } from '../constructs/web-acl.ts';
import { hasFunctionUrls, type Settings } from '../settings/settings.ts';
import { stageNameOf } from '../settings/stack-names.ts';
import type { DataStack } from './data-stack.ts';
import type { EdgeStack } from './edge-stack.ts';
import type { GatewayStack } from './gateway-stack.ts';

const OWN_LATENCY_MS = 500;
const UNKNOWN_KEYS = 1_000;
const WATCHED_PROVIDERS = ['openai', 'anthropic', 'gemini', 'bedrock'];

/** Single failures of what Lambda, the schedule or a queue repeats need no one. The key watch does the work of a failed run in the next one. */
const FAILURES = {
  AdminApi: { threshold: 1 },
  KeyWatch: { threshold: 2, period: Duration.hours(1) },
  WebhookDelivery: { threshold: 3 },
  FindingsExport: { threshold: 3 },
};

export interface OperationsStackProps extends StackProps {
  readonly settings: Settings;
  readonly data: DataStack;
  readonly gateway: GatewayStack;
  readonly edge: EdgeStack | undefined;
}

/**
 * Alarms, each with a runbook in docs/reference/runbooks.md, their topics, and a CloudWatch dashboard. The stack serves no requests and can
 * be deleted and redeployed.
 */
export class OperationsStack extends Stack {
  constructor(scope: Construct, id: string, { settings, data, gateway: stack, edge, ...props }: OperationsStackProps) {
    super(scope, id, props);
    const { gateway } = stack;
    const { adminApi, usageCounter, eventRelay, keyWatch, webhookDelivery, originSecretRotation } = stack.functions;
    const { ownLatencyMs = OWN_LATENCY_MS, dailyCostUsd, unknownKeys = UNKNOWN_KEYS } = settings.alarmLimits ?? {};
    const topics = alarmTopics(this, {
      arn: settings.alarmTopicArn,
      emails: settings.alarmEmails ?? [],
      ticketArn: settings.alarmTicketTopicArn,
      ticketEmails: settings.alarmTicketEmails,
      senders: ['cloudwatch.amazonaws.com', ...(settings.monthlyBudgetUsd === undefined ? [] : [BUDGETS])],
      encryptionKey: data.encryptionKey,
    });
    if (settings.monthlyBudgetUsd !== undefined) addBillBudget(this, settings.monthlyBudgetUsd, topics.ticket);
    const requests = new RequestAlarms(this, 'RequestAlarms', {
      gateway,
      adminApi: adminApi.handler,
      providers: settings.watchedProviders ?? WATCHED_PROVIDERS,
      ownLatencyMs,
      dailyCostUsd,
      unknownKeys,
      syntheticCheck: stack.functions.syntheticCheck?.handler,
      shareLimits: shareLimits(settings),
      sendsSpans: settings.otlp !== undefined,
      usesFederation: settings.federationAudiences !== undefined,
      topics,
    });
    const functions = new FunctionAlarms(this, 'FunctionAlarms', {
      functions: Object.fromEntries(
        Object.entries(stack.functions).map(([name, { handler }]) => [name[0]?.toUpperCase() + name.slice(1), handler]),
      ),
      failures: FAILURES,
      gateway: gateway.handler,
      reservedConcurrency: settings.reservedConcurrency,
      topics,
    });
    const found = doorsOf(stack);
    const doors = new DoorAlarms(this, 'DoorAlarms', {
      gateway,
      hasUrls: hasFunctionUrls(settings),
      adminApi: adminApi.handler,
      restApi: found.restApi,
      syntheticCheck: stack.functions.syntheticCheck?.handler,
    });
    const containers =
      gateway.containers && new ContainerAlarms(this, 'ContainerAlarms', { containers: gateway.containers, topics });
    const tables = new TableAlarms(this, 'TableAlarms', { tables: data.tables, topics });
    new ScheduleAlarms(this, 'ScheduleAlarms', {
      schedules: {
        KeyWatch: { rule: keyWatch.schedule, within: Duration.minutes(15) },
        WebhookDelivery: { rule: webhookDelivery.schedule, within: Duration.minutes(15) },
      },
      topics,
    });
    new BackgroundAlarms(this, 'BackgroundAlarms', {
      gateway,
      usageCounter: usageCounter.handler,
      uncounted: data.uncounted,
      eventRelay: eventRelay.handler,
      unrelayed: data.unrelayed,
      keyWatch: keyWatch.handler,
      topics,
    });
    new WebhookAlarms(this, 'WebhookAlarms', {
      delivery: webhookDelivery.handler,
      events: data.eventsQueue,
      deliveries: data.deliveriesQueue,
      topics,
    });
    const logs = new LogAlarms(this, 'LogAlarms', {
      stage: stageNameOf(settings),
      gatewayLogs: gateway.logGroup,
      deliveryLogs: webhookDelivery.logGroup,
      topics,
    });
    if (settings.findings !== undefined) {
      new FindingsAlarms(this, 'FindingsAlarms', { findings: data.findingsQueue, topics });
    }
    if (data.recordExport !== undefined) {
      new ExportAlarms(this, 'ExportAlarms', { machine: data.recordExport.machine, topics });
    }
    if (originSecretRotation !== undefined) {
      createAlarm(this, 'OriginSecretNotRotated', {
        metric: originSecretRotation.handler.metricErrors({ statistic: 'Sum' }) as cloudwatch.Metric,
        threshold: 1,
        means:
          'The secret that the distribution sends to the functions could not be rotated; the current one remains valid.',
        runbook: 'origin-secret-not-rotated',
        severity: 'ticket',
        topics,
      });
    }
    const throttled = functions.gatewayThrottled === undefined ? [] : [functions.gatewayThrottled];
    const health = createSymptomsAlarm(this, 'Health', {
      of: [...requests.symptoms, ...doors.symptoms, ...(containers?.symptoms ?? []), ...throttled],
      means: 'Clients are affected: one of the alarms in the rule is on.',
      runbook: 'health',
      causes: [...tables.causes, ...requests.causes, ...throttled, logs.settingsUnreadable],
      topics,
    });
    const alarms = this.node.findAll().filter((child) => child instanceof cloudwatch.Alarm);
    const dashboard = new OperationsDashboard(this, 'Dashboard', {
      gateway,
      functions: stack.functions,
      hasUrls: hasFunctionUrls(settings),
      data,
      doors: found,
      webAcls: [stack, ...(edge === undefined ? [] : [edge])].flatMap(webAclsIn),
      health,
      alarms,
    });
    new CfnOutput(this, 'DashboardAddress', {
      description: 'The CloudWatch dashboard',
      value: dashboard.address,
    });
    const created: unknown = this.node.tryGetContext('gatewayCreated');
    if (typeof created === 'string') {
      const description = 'The gateway stack that the alarms watch: with a new one this stack is updated too';
      new CfnOutput(this, 'GatewayCreated', { description, value: created });
    }
    new CfnOutput(this, 'AlarmTopicArn', { description: 'The topic of pages', value: topics.page.topicArn });
    new CfnOutput(this, 'AlarmTicketTopicArn', { description: 'The topic of tickets', value: topics.ticket.topicArn });
  }
}

function shareLimits({ alarmLimits }: Settings): ShareLimits {
  const { blockedPercent = 10, flaggedPercent = 25, minRequests = 50 } = alarmLimits ?? {};
  return { blockedPercent, flaggedPercent, minRequests };
}

function webAclsIn({ node }: Stack): WebAcl[] {
  return node.findAll().filter((child) => child instanceof WebAcl);
}
