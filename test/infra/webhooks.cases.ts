import { describe, expect, test } from '@jest/globals';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { METRICS, METRICS_NAMESPACE } from '../../functions/kernel/model/index.ts';
import { webhookDeliveryEnvSchema } from '../../functions/webhook-delivery/env.ts';
import { permissionsByRole } from './permissions.ts';
import { aliasOf, outputOf } from './references.ts';
import { PLAIN, synthesize } from './synthesize.ts';

const plain = synthesize({ ...PLAIN, retentionDays: { deliveries: 12 } });
const data = Template.fromJSON(plain.data);
const gateway = Template.fromJSON(plain.gateway);
const operations = Template.fromJSON(plain.operations);
const [delivery] = Object.values(
  gateway.findResources('AWS::Lambda::Function', {
    Properties: { Description: Match.stringLikeRegexp('Delivers signed events') },
  }),
);

describe('the delivery of webhooks', () => {
  test.each([
    ['Events', 10],
    ['DeliveriesQueue', 50],
  ])('takes messages of %s in batches of which single ones may fail, %i at once', (queue, MaximumConcurrency) => {
    gateway.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionName: aliasOf('WebhookDelivery'),
      EventSourceArn: outputOf(`${queue}.*Arn`),
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency },
    });
  });

  test('ends before its messages are redelivered, which go to a dead-letter queue after five attempts', () => {
    const visible = { VisibilityTimeout: 360, RedrivePolicy: { maxReceiveCount: 5 } };
    data.resourcePropertiesCountIs('AWS::SQS::Queue', visible, 2);
    // AWS advises six times: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
    expect(visible.VisibilityTimeout).toBeGreaterThanOrEqual(6 * delivery?.Properties.Timeout);
  });

  test('may publish to the topics of alerts and spend reports that the settings name, and to no other', () => {
    const arn = 'arn:aws:sns:eu-central-1:123456789012:llm-alerts';
    const rights = (settings: Parameters<typeof synthesize>[0]) =>
      (permissionsByRole(synthesize(settings)).WebhookDeliveryRole ?? []).filter((right) => right.startsWith('sns:'));
    expect(rights({ ...PLAIN, alertTopicArns: [arn] })).toEqual([`sns:Publish on ${arn}`]);
    const spend = 'arn:aws:sns:eu-central-1:123456789012:llm-spend';
    expect(rights({ ...PLAIN, alertTopicArns: [arn], spendReport: { topicArns: [spend, arn] } })).toEqual([
      `sns:Publish on ${arn}`,
      `sns:Publish on ${spend}`,
    ]);
    expect(rights(PLAIN)).toEqual([]);
  });

  test('may send itself wake messages', () => {
    expect(delivery?.Properties.RecursiveLoop).toBe('Allow');
  });

  test('scans each minute for due deliveries', () => {
    gateway.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
  });

  test('has an environment that its handler accepts, and no access to this network', () => {
    const variables = delivery?.Properties.Environment.Variables as Record<string, unknown>;
    const values = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, typeof value === 'string' ? value : 'https://reference']),
    );
    expect(webhookDeliveryEnvSchema.parse(values)).toMatchObject({ SVC_DELIVERY_DAYS: 12 });
    expect(Object.keys(values).filter((name) => name.includes('LOOPBACK'))).toEqual([]);
  });

  test.each([
    ['EventsDeadLetters', 'ApproximateNumberOfMessagesVisible', 1],
    ['DeliveriesQueueDeadLetters', 'ApproximateNumberOfMessagesVisible', 1],
    ['Events[0-9A-F]{8}', 'ApproximateAgeOfOldestMessage', 1_800],
    ['DeliveriesQueue[0-9A-F]{8}', 'ApproximateAgeOfOldestMessage', 1_800],
  ])('has an alarm where %s has %s of %i', (queue, MetricName, Threshold) => {
    operations.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'AWS/SQS',
      MetricName,
      Threshold,
      Dimensions: [{ Name: 'QueueName', Value: outputOf(`${queue}.*QueueName`) }],
    });
  });

  test('has an alarm for dead deliveries', () => {
    operations.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: METRICS_NAMESPACE,
      MetricName: METRICS.deadDeliveries,
      Statistic: 'Sum',
      Threshold: 1,
      Dimensions: [{ Name: 'FunctionName', Value: outputOf('WebhookDelivery') }],
    });
  });
});
