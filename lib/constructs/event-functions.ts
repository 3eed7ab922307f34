import { type Duration, Validations } from 'aws-cdk-lib';
import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { createFunction, type FunctionEnvironment, type FunctionProps, liveAlias } from './create-function.ts';

/** A table whose changes the function receives. */
export interface StreamSource {
  readonly table: dynamodb.TableV2;
  /** Selects the changes; the function is not invoked for others. */
  readonly filter: Readonly<Record<string, unknown>>;
}

export interface StreamConsumerProps<Env> extends FunctionProps<Env> {
  /** By the construct ids of their mappings. */
  readonly sources: Readonly<Record<string, StreamSource>>;
  /** Gets a message for each batch that could not be processed within `maxRecordAge`. */
  readonly undelivered: sqs.Queue;
  /** How long a record is retried, which delays those behind it in its shard; a stream keeps records for 24 hours. */
  readonly maxRecordAge: Duration;
  /** Whether the function reports failed records one by one. */
  readonly reportsRecords: boolean;
  readonly batchSize: number;
  /** How long a batch may wait for more records; without it there is no wait. */
  readonly maxBatchingWindow?: Duration;
  /** Needed if the function reads the shard id, which only events of a window have. */
  readonly tumblingWindow?: Duration;
}

/** A function that receives changes of tables in stream order, one batch of a shard at a time. */
export class StreamConsumer<Env extends FunctionEnvironment> extends Construct implements iam.IGrantable {
  readonly grantPrincipal: iam.IPrincipal;
  readonly handler: lambda.IFunction;

  constructor(scope: Construct, id: string, props: StreamConsumerProps<Env>) {
    super(scope, id);
    const { sources, undelivered, maxRecordAge, reportsRecords, batchSize, maxBatchingWindow, tumblingWindow } = props;
    const { handler, role } = createFunction(this, props);
    const live = liveAlias(handler);
    const streamArns = Object.values(sources).map(({ table }) => table.tableStreamArn as string);
    const reading = iam.Grant.addToPrincipal({
      grantee: role,
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resourceArns: streamArns,
    });
    const listing = iam.Grant.addToPrincipal({
      grantee: role,
      actions: ['dynamodb:ListStreams'],
      resourceArns: ['*'],
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'Lambda requires ListStreams, which supports no resources; it reads no content of streams.',
    });
    const reporting = undelivered.grant(role, 'sqs:SendMessage');
    for (const [id, { table, filter }] of Object.entries(sources)) {
      const mapping = new lambda.EventSourceMapping(this, id, {
        target: live,
        eventSourceArn: table.tableStreamArn as string,
        startingPosition: lambda.StartingPosition.TRIM_HORIZON,
        batchSize,
        ...(maxBatchingWindow !== undefined && { maxBatchingWindow }),
        bisectBatchOnError: true,
        maxRecordAge,
        ...(reportsRecords && { reportBatchItemFailures: true }),
        ...(tumblingWindow !== undefined && { tumblingWindow }),
        filters: [lambda.FilterCriteria.filter(filter)],
        onFailure: { bind: () => ({ destination: undelivered.queueArn }) },
      });
      // Lambda checks read access when the mapping is created.
      for (const grant of [reading, listing, reporting]) grant.applyBefore(mapping);
    }
    this.grantPrincipal = role;
    this.handler = handler;
    Validations.of(handler).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'Invoked by its streams only, which report undelivered batches themselves.',
    });
  }
}

interface ScheduledFunctionProps<Env> extends FunctionProps<Env> {
  readonly every: Duration;
}

/** A function that runs on a schedule. Its role may only write its own logs until the stack grants more. */
export class ScheduledFunction<Env extends FunctionEnvironment> extends Construct implements iam.IGrantable {
  readonly grantPrincipal: iam.IPrincipal;

  constructor(scope: Construct, id: string, props: ScheduledFunctionProps<Env>) {
    super(scope, id);
    const { handler, role } = createFunction(this, props);
    const live = liveAlias(handler);
    const rule = new events.Rule(this, 'Schedule', {
      description: props.description,
      schedule: events.Schedule.rate(props.every),
      targets: [new targets.LambdaFunction(live)],
    });
    this.grantPrincipal = role;
    const reason = 'Its event has no content: the next run does the work of a failed one.';
    Validations.of(handler).acknowledge({ id: 'Serverless-LambdaDLQ', reason });
    Validations.of(rule).acknowledge({ id: 'Serverless-EventBusDLQ', reason });
  }
}

/** Lambda's actions on a queue that a function consumes. */
const CONSUMING = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
const MESSAGES_PER_BATCH = 10;

export interface QueueSource {
  readonly queue: sqs.Queue;
  /** Concurrent batches: 2 to 1,000. */
  readonly batchesAtOnce: number;
}

export interface QueueConsumerProps<Env> extends FunctionProps<Env> {
  /** By the construct ids of their mappings. */
  readonly sources: Readonly<Record<string, QueueSource>>;
  /** How often it also runs without messages, to find due work whose message was lost; without it never. */
  readonly sweepEvery?: Duration;
}

/** A function that consumes queues in batches and reports the messages to retry. */
export class QueueConsumer<Env extends FunctionEnvironment> extends Construct implements iam.IGrantable {
  readonly grantPrincipal: iam.IPrincipal;
  readonly handler: lambda.IFunction;

  constructor(scope: Construct, id: string, props: QueueConsumerProps<Env>) {
    super(scope, id);
    const { handler, role } = createFunction(this, props);
    const live = liveAlias(handler);
    for (const [name, { queue, batchesAtOnce }] of Object.entries(props.sources)) {
      const reading = queue.grant(role, ...CONSUMING);
      const mapping = new lambda.EventSourceMapping(this, name, {
        target: live,
        eventSourceArn: queue.queueArn,
        batchSize: MESSAGES_PER_BATCH,
        reportBatchItemFailures: true,
        maxConcurrency: batchesAtOnce,
      });
      // Lambda checks read access when the mapping is created.
      reading.applyBefore(mapping);
      Validations.of(mapping).acknowledge({
        id: 'Serverless-LambdaEventSourceMappingDestination',
        reason: 'Mappings of SQS queues have no such destination: failed messages go to dead-letter queues.',
      });
    }
    this.grantPrincipal = role;
    this.handler = handler;
    const reason =
      'Its queues keep failed messages and have dead-letter queues; the next sweep does the work of a failed one.';
    Validations.of(handler).acknowledge({ id: 'Serverless-LambdaDLQ', reason });
    if (props.sweepEvery === undefined) return;
    const rule = new events.Rule(this, 'Sweep', {
      description: 'Finds due deliveries whose message was lost.',
      schedule: events.Schedule.rate(props.sweepEvery),
      targets: [new targets.LambdaFunction(live)],
    });
    Validations.of(rule).acknowledge({ id: 'Serverless-EventBusDLQ', reason });
  }
}
