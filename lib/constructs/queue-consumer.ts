import { type Duration, Validations } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import type * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { createFunction, type FunctionEnvironment, type FunctionProps } from './create-function.ts';
import { liveAlias } from './live-alias.ts';

/** What Lambda does with a queue of which a function takes messages. */
const CONSUMING = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
const BATCH = 10;

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
        batchSize: BATCH,
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
