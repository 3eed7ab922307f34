import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { alarmTopic, createAlarm } from '../constructs/alarm.ts';
import { BackgroundAlarms, ExportAlarms, FindingsAlarms, WebhookAlarms } from '../constructs/background-alarms.ts';
import { DoorAlarms, doorsOf } from '../constructs/door-alarms.ts';
import { FunctionAlarms, LogAlarms } from '../constructs/function-alarms.ts';
import { OperationsDashboard } from '../constructs/operations-dashboard.ts';
import { RequestAlarms } from '../constructs/request-alarms.ts';
import { ScheduleAlarms } from '../constructs/schedule-alarms.ts';
import { TableAlarms } from '../constructs/table-alarms.ts';
import { WebAcl } from '../constructs/web-acl.ts';
import { hasFunctionUrls, type Settings } from '../settings/settings.ts';
import type { DataStack } from './data-stack.ts';
import type { EdgeStack } from './edge-stack.ts';
import type { GatewayStack } from './gateway-stack.ts';

const OWN_LATENCY_MS = 500;
const WATCHED_PROVIDERS = ['openai', 'anthropic', 'gemini', 'bedrock'];

export interface OperationsStackProps extends StackProps {
  readonly settings: Settings;
  readonly data: DataStack;
  readonly gateway: GatewayStack;
  readonly edge: EdgeStack | undefined;
}

/**
 * Alarms, each with a runbook in docs/operations.md, their topic, and a CloudWatch dashboard. The stack serves no requests and can
 * be deleted and redeployed.
 */
export class OperationsStack extends Stack {
  constructor(scope: Construct, id: string, { settings, data, gateway: stack, edge, ...props }: OperationsStackProps) {
    super(scope, id, props);
    const { gateway } = stack;
    const { adminApi, usageCounter, eventRelay, keyWatch, webhookDelivery, originSecretRotation } = stack.functions;
    const { ownLatencyMs = OWN_LATENCY_MS, dailyCostUsd } = settings.alarmLimits ?? {};
    const topic = alarmTopic(this, { arn: settings.alarmTopicArn, emails: settings.alarmEmails ?? [] });
    const requests = new RequestAlarms(this, 'RequestAlarms', {
      gateway,
      adminApi: adminApi.handler,
      providers: settings.watchedProviders ?? WATCHED_PROVIDERS,
      ownLatencyMs,
      dailyCostUsd,
      sendsSpans: settings.otlp !== undefined,
      topic,
    });
    const functions = new FunctionAlarms(this, 'FunctionAlarms', {
      functions: Object.fromEntries(
        Object.entries(stack.functions).map(([name, { handler }]) => [name[0]?.toUpperCase() + name.slice(1), handler]),
      ),
      mustNotFail: ['AdminApi', 'KeyWatch', 'WebhookDelivery', 'FindingsExport'],
      gateway: gateway.handler,
      reservedConcurrency: settings.reservedConcurrency,
      topic,
    });
    const found = doorsOf(stack);
    const doors = new DoorAlarms(this, 'DoorAlarms', {
      gateway,
      hasUrls: hasFunctionUrls(settings),
      adminApi: adminApi.handler,
      restApi: found.restApi,
      syntheticCheck: stack.functions.syntheticCheck?.handler,
      topic,
    });
    new TableAlarms(this, 'TableAlarms', { tables: data.tables, topic });
    new ScheduleAlarms(this, 'ScheduleAlarms', {
      schedules: {
        KeyWatch: { rule: keyWatch.schedule, within: Duration.hours(3) },
        WebhookDelivery: { rule: webhookDelivery.schedule, within: Duration.minutes(15) },
      },
      topic,
    });
    new BackgroundAlarms(this, 'BackgroundAlarms', {
      gateway,
      usageCounter: usageCounter.handler,
      uncounted: data.uncounted,
      eventRelay: eventRelay.handler,
      unrelayed: data.unrelayed,
      topic,
    });
    new WebhookAlarms(this, 'WebhookAlarms', {
      delivery: webhookDelivery.handler,
      events: data.eventsQueue,
      deliveries: data.deliveriesQueue,
      topic,
    });
    new LogAlarms(this, 'LogAlarms', {
      stage: settings.stage,
      gatewayLogs: gateway.logGroup,
      deliveryLogs: webhookDelivery.logGroup,
      topic,
    });
    if (settings.findings !== undefined) {
      new FindingsAlarms(this, 'FindingsAlarms', { findings: data.findingsQueue, topic });
    }
    if (data.recordExport !== undefined) {
      new ExportAlarms(this, 'ExportAlarms', { machine: data.recordExport.machine, topic });
    }
    if (originSecretRotation !== undefined) {
      createAlarm(this, 'OriginSecretNotRotated', {
        metric: originSecretRotation.handler.metricErrors({ statistic: 'Sum' }) as cloudwatch.Metric,
        threshold: 1,
        means:
          'The secret that the distribution sends to the functions could not be rotated; the current one remains valid.',
        runbook: 'origin-secret-not-rotated',
        topic,
      });
    }
    const health = new cloudwatch.CompositeAlarm(this, 'Health', {
      alarmRule: cloudwatch.AlarmRule.anyOf(...requests.ofHealth, ...functions.ofHealth, ...doors.ofHealth),
      // No action: its alarms notify the topic already.
      alarmDescription:
        'Callers are affected: one of the alarms in the rule is on. What to do: docs/operations.md#health',
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
    new CfnOutput(this, 'AlarmTopicArn', { description: 'The topic of all alarms', value: topic.topicArn });
  }
}

function webAclsIn({ node }: Stack): WebAcl[] {
  return node.findAll().filter((child) => child instanceof WebAcl);
}
