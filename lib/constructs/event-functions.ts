import { type Duration, Validations } from 'aws-cdk-lib';
import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { createFunction, type FunctionEnvironment, type FunctionProps, liveAlias } from './create-function.ts';

/** A table whose changes are delivered. */
export interface StreamSource {
  readonly table: dynamodb.TableV2;
  /** Which of them; the function is not invoked for others. */
  readonly filter: Readonly<Record<string, unknown>>;
}

export interface StreamConsumerProps<Env> extends FunctionProps<Env> {
  /** By the names that their mappings are to have in the stack. */
  readonly sources: Readonly<Record<string, StreamSource>>;
  /** Gets a note of each batch that could not be processed within `maxRecordAge`. */
  readonly undelivered: sqs.Queue;
  /** How long a record may be retried, and hold up those behind it in its shard; a stream keeps a record for 24 hours. */
  readonly maxRecordAge: Duration;
  /** Whether the function reports single records as failed. */
  readonly reportsRecords: boolean;
  readonly batchSize: number;
  /** How long a batch may wait for more; not at all where absent. */
  readonly maxBatchingWindow?: Duration;
  /** Where the function must be told the shard, which only the events of a window do. */
  readonly tumblingWindow?: Duration;
}

/** A function that is given changes of tables in the order of their streams, each shard's batches one after another. */
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
      reason: 'Lambda asks for ListStreams, which is granted for all streams or none; nothing in them is read by it.',
    });
    const telling = undelivered.grant(role, 'sqs:SendMessage');
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
      // Lambda asks whether it may read before it takes the mapping.
      for (const grant of [reading, listing, telling]) grant.applyBefore(mapping);
    }
    this.grantPrincipal = role;
    this.handler = handler;
    Validations.of(handler).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'Invoked by its streams only, which tell of undelivered batches themselves.',
    });
  }
}

interface ScheduledFunctionProps<Env> extends FunctionProps<Env> {
  readonly every: Duration;
}

/** A function that is run again and again. Its role may write its own logs and nothing else until the stack grants more. */
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
    const reason = 'Its event says nothing but that it is time: a run that failed is made good by the next one.';
    Validations.of(handler).acknowledge({ id: 'Serverless-LambdaDLQ', reason });
    Validations.of(rule).acknowledge({ id: 'Serverless-EventBusDLQ', reason });
  }
}

/** What Lambda does with a queue of which a function takes messages. */
const CONSUMING = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
const MESSAGES_PER_BATCH = 10;

export interface QueueSource {
  readonly queue: sqs.Queue;
  /** So many batches are worked on at once: 2 to 1,000. */
  readonly batchesAtOnce: number;
}

export interface QueueConsumerProps<Env> extends FunctionProps<Env> {
  /** By the names that their mappings are to have in the stack. */
  readonly sources: Readonly<Record<string, QueueSource>>;
  /** How often it is run without a message, to find what was forgotten; never where absent. */
  readonly sweepEvery?: Duration;
}

/** A function that takes messages of queues in batches and says which of them have to come again. */
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
      // Lambda asks whether it may read before it takes the mapping.
      reading.applyBefore(mapping);
      Validations.of(mapping).acknowledge({
        id: 'Serverless-LambdaEventSourceMappingDestination',
        reason: 'SQS queues know no such destination: what fails goes to their dead-letter queues.',
      });
    }
    this.grantPrincipal = role;
    this.handler = handler;
    const reason =
      'Its queues keep what fails, and end in dead-letter queues; a sweep that failed is made good by the next.';
    Validations.of(handler).acknowledge({ id: 'Serverless-LambdaDLQ', reason });
    if (props.sweepEvery === undefined) return;
    const rule = new events.Rule(this, 'Sweep', {
      description: 'Finds what is due and was forgotten.',
      schedule: events.Schedule.rate(props.sweepEvery),
      targets: [new targets.LambdaFunction(live)],
    });
    Validations.of(rule).acknowledge({ id: 'Serverless-EventBusDLQ', reason });
  }
}
