import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';

export interface AlarmTopicProps {
  /** A topic that is there already; one is made where absent. */
  readonly arn: string | undefined;
  /** Who is told by e-mail, once he has confirmed it. */
  readonly emails: readonly string[];
}

/** The topic that alarms are told to. One that is made here is encrypted with a key that lets CloudWatch use it, as AWS's own does not. */
export function alarmTopic(stack: Stack, { arn, emails }: AlarmTopicProps): sns.ITopic {
  const topic = arn === undefined ? newTopic(stack) : sns.Topic.fromTopicArn(stack, 'AlarmTopic', arn);
  for (const email of emails) {
    Validations.of(topic.addSubscription(new EmailSubscription(email))).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason: 'Mail that cannot be delivered is read by nobody out of a queue either: alarms stand in the console too.',
    });
  }
  return topic;
}

function newTopic(scope: Construct): sns.Topic {
  const masterKey = new kms.Key(scope, 'AlarmTopicKey', {
    description: 'Encrypts what alarms of svc tell, between CloudWatch and who is told.',
    enableKeyRotation: true,
    // What it encrypts is gone in seconds.
    removalPolicy: RemovalPolicy.DESTROY,
    pendingWindow: Duration.days(7),
  });
  const byAlarms = {
    principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
  };
  masterKey.addToResourcePolicy(
    new iam.PolicyStatement({ ...byAlarms, actions: ['kms:Decrypt', 'kms:GenerateDataKey*'], resources: ['*'] }),
  );
  const topic = new sns.Topic(scope, 'AlarmTopic', { displayName: 'svc alarms', masterKey, enforceSSL: true });
  topic.addToResourcePolicy(
    new iam.PolicyStatement({ ...byAlarms, actions: ['sns:Publish'], resources: [topic.topicArn] }),
  );
  return topic;
}
