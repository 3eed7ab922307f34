import { Duration, Validations } from 'aws-cdk-lib';
import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { createFunction, type FunctionEnvironment, type FunctionProps } from './create-function.ts';

export interface StreamConsumerProps<Env> extends FunctionProps<Env> {
  /** Its new items are delivered. */
  readonly table: dynamodb.TableV2;
  /** Told of batches that could not be delivered for as long as the stream keeps them. */
  readonly undelivered: sqs.Queue;
  /** How long a batch may wait for more. */
  readonly maxBatchingWindow: Duration;
}

/** A function that is given the new items of a table in the order of its stream, each shard's batches one after another. */
export class StreamConsumer<Env extends FunctionEnvironment> extends Construct implements iam.IGrantable {
  readonly grantPrincipal: iam.IPrincipal;
  readonly handler: lambda.IFunction;

  constructor(scope: Construct, id: string, props: StreamConsumerProps<Env>) {
    super(scope, id);
    const { table, undelivered, maxBatchingWindow } = props;
    const { handler, role } = createFunction(this, props);
    const streamArn = table.tableStreamArn as string;
    const reading = iam.Grant.addToPrincipal({
      grantee: role,
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resourceArns: [streamArn],
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
    const mapping = new lambda.EventSourceMapping(this, 'Stream', {
      target: handler,
      eventSourceArn: streamArn,
      startingPosition: lambda.StartingPosition.TRIM_HORIZON,
      batchSize: 1_000,
      maxBatchingWindow,
      bisectBatchOnError: true,
      // Only events of a window tell their shard, without which nothing tells what was counted already.
      tumblingWindow: Duration.minutes(15),
      // Neither what expires nor what is marked is new.
      filters: [lambda.FilterCriteria.filter({ eventName: lambda.FilterRule.isEqual('INSERT') })],
      onFailure: { bind: () => ({ destination: undelivered.queueArn }) },
    });
    // Lambda asks whether it may read before it takes the mapping.
    for (const grant of [reading, listing, telling]) grant.applyBefore(mapping);
    this.grantPrincipal = role;
    this.handler = handler;
    Validations.of(handler).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'Invoked by its stream only, which tells of undelivered batches itself.',
    });
  }
}
