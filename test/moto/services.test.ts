/** What calls other services than DynamoDB and SQS, on moto's. */
import { CreateDistributionCommand } from '@aws-sdk/client-cloudfront';
import {
  CreateEventBusCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import { CreateDeliveryStreamCommand, FirehoseClient } from '@aws-sdk/client-firehose';
import { CreateBucketCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { CreateSecretCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CreateTopicCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { CreateQueueCommand, GetQueueAttributesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createCloudFrontClient,
  createSecretsManagerClient,
  createSnsClient,
} from '../../functions/adapters/aws/clients.ts';
import { CloudFrontDistribution } from '../../functions/adapters/aws/cloudfront-distribution.ts';
import { EventBridgeFindings, FirehoseFindings } from '../../functions/adapters/aws/finding-targets.ts';
import { RenewableSecret, SecretsManagerKeeper, SecretVersions } from '../../functions/adapters/aws/secrets-manager.ts';
import { SnsTopics } from '../../functions/adapters/aws/sns-topics.ts';
import { exportFindings, type FindingTarget } from '../../functions/control/findings/index.ts';
import { faultsOf } from '../../functions/control/findings/ocsf-schema.fixture.ts';
import { StoreUnavailable } from '../../functions/kernel/errors/index.ts';
import { ORIGIN_SECRET_HEADER } from '../../functions/kernel/http/index.ts';
import { type RotationDeps, rotate } from '../../functions/origin-secret/rotation.ts';
import { type Moto, startMoto } from './moto.ts';
import { ACCOUNT, accessTo } from './stacks.ts';

const REGION = 'eu-central-1';
const STEPS = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;
const frozen = { now: () => Date.now(), monotonic: () => 0 };

let moto: Moto;
let access: ReturnType<typeof accessTo>;
beforeAll(async () => {
  moto = await startMoto();
  access = accessTo(moto.url, REGION);
  Object.assign(process.env, {
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'moto',
    AWS_SECRET_ACCESS_KEY: 'moto',
    AWS_ENDPOINT_URL: moto.url,
  });
});
afterAll(() => moto?.stop());

async function createSecret(SecretString: string): Promise<string> {
  const create = new CreateSecretCommand({ Name: crypto.randomUUID(), SecretString });
  return (await new SecretsManagerClient(access).send(create)).ARN ?? '';
}

describe('Secrets Manager', () => {
  test('a secret is read, and read again after its value was refused', async () => {
    const arn = await createSecret('first');
    const secret = new RenewableSecret(arn);
    expect(await secret.read()).toBe('first');
    const put = new PutSecretValueCommand({ SecretId: arn, SecretString: 'second' });
    await new SecretsManagerClient(access).send(put);
    expect(await secret.renewedSince(secret.version, 'openai')).toBe(true);
    expect(await secret.read()).toBe('second');
  });

  test('a missing secret is unavailable', async () => {
    const secret = new RenewableSecret(`arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:missing-AbCdEf`);
    await expect(secret.read()).rejects.toThrow(StoreUnavailable);
  });

  test('a token keeps its first text', async () => {
    const keeper = new SecretsManagerKeeper(createSecretsManagerClient(), await createSecret('none'));
    const token = crypto.randomUUID();
    expect(await keeper.keep(token, 'a')).toBe('a');
    expect(await keeper.keep(token, 'a')).toBe('a');
    expect(await keeper.keep(token, 'b')).toBe('a');
  });
});

test('the origin secret rotates in Secrets Manager and CloudFront', async () => {
  const [first, second, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];
  const arn = await createSecret(JSON.stringify({ sent: first, next: second }));
  const cloudFront = createCloudFrontClient();
  const { Distribution } = await cloudFront.send(
    new CreateDistributionCommand({ DistributionConfig: configurationWith(first) }),
  );
  const versions = new SecretVersions(createSecretsManagerClient(), arn);
  const distribution = new CloudFrontDistribution(cloudFront, Distribution?.Id ?? '');
  const deps: RotationDeps = {
    ...{ arn, versions, distribution, clock: frozen },
    isReached: async () => true,
    pause: async () => {},
  };
  // moto begins no rotation: https://docs.getmoto.org/en/latest/docs/services/secretsmanager.html
  const id = crypto.randomUUID();
  await versions.putPending(id, JSON.stringify({ sent: second, next: third, before: first }));
  for (const Step of STEPS) await rotate({ Step, SecretId: arn, ClientRequestToken: id }, deps);
  expect(await versions.labels(id)).toContain('AWSCURRENT');
  expect(JSON.parse((await versions.current()).text)).toMatchObject({ sent: second });
  expect(await distribution.isSending(ORIGIN_SECRET_HEADER, second)).toBe(true);
});

function configurationWith(secret: string) {
  const header = { HeaderName: ORIGIN_SECRET_HEADER, HeaderValue: secret };
  const origin = {
    Id: 'gateway',
    DomainName: 'gateway.example.com',
    CustomHeaders: { Quantity: 1, Items: [header] },
    CustomOriginConfig: { HTTPPort: 80, HTTPSPort: 443, OriginProtocolPolicy: 'https-only' as const },
  };
  return {
    CallerReference: crypto.randomUUID(),
    Comment: '',
    Enabled: true,
    Origins: { Quantity: 1, Items: [origin] },
    DefaultCacheBehavior: { TargetOriginId: 'gateway', ViewerProtocolPolicy: 'https-only' as const },
  };
}

test('an alert is published to a topic, whose subscription gets it', async () => {
  const [sns, sqs] = [new SNSClient(access), new SQSClient(access)];
  const { TopicArn = '' } = await sns.send(new CreateTopicCommand({ Name: 'alerts' }));
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'alerts' }));
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  await sns.send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint: Attributes?.QueueArn }));
  const topics = new SnsTopics(createSnsClient());
  await topics.publish(TopicArn, 'Firing: Kosten für Suche', 'Spend: $5');
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
  const received = Messages.map(({ Body = '' }) => JSON.parse(Body));
  expect(received).toMatchObject([{ TopicArn, Subject: 'Firing: Kosten f?r Suche', Message: 'Spend: $5' }]);
  await expect(topics.publish(`${TopicArn}-missing`, 'a', 'b')).rejects.toThrow(StoreUnavailable);
});

describe('findings are exported', () => {
  const messages = ['evt_a', 'evt_b'].map((id) => ({ id, body: eventOf(id) }));
  const deliver = (target: FindingTarget) => exportFindings(messages, { target, clock: frozen });

  test('to a bus, whose rule forwards them to a queue', async () => {
    const [events, sqs] = [new EventBridgeClient(access), new SQSClient(access)];
    const { EventBusArn = '' } = await events.send(new CreateEventBusCommand({ Name: 'siem' }));
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'siem' }));
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
    const EventPattern = JSON.stringify({ source: ['svc'], 'detail-type': ['OCSF Detection Finding'] });
    await events.send(new PutRuleCommand({ Name: 'all', EventBusName: 'siem', EventPattern }));
    const Targets = [{ Id: 'queue', Arn: Attributes?.QueueArn }];
    await events.send(new PutTargetsCommand({ Rule: 'all', EventBusName: 'siem', Targets }));

    expect(await deliver(new EventBridgeFindings(EventBusArn))).toEqual(new Map());
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    const details = Messages.map(({ Body = '' }) => JSON.parse(Body).detail);
    expect(details).toHaveLength(messages.length);
    for (const detail of details) expect(faultsOf(detail)).toEqual([]);
  });

  test('to a delivery stream, as lines of a file', async () => {
    const s3 = new S3Client(access);
    const CreateBucketConfiguration = { LocationConstraint: REGION } as const;
    await s3.send(new CreateBucketCommand({ Bucket: 'siem', CreateBucketConfiguration }));
    const S3DestinationConfiguration = { BucketARN: 'arn:aws:s3:::siem', RoleARN: `arn:aws:iam::${ACCOUNT}:role/siem` };
    const create = new CreateDeliveryStreamCommand({ DeliveryStreamName: 'to-siem', S3DestinationConfiguration });
    const { DeliveryStreamARN = '' } = await new FirehoseClient(access).send(create);

    expect(await deliver(new FirehoseFindings(DeliveryStreamARN))).toEqual(new Map());
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: 'siem' }));
    const file = await s3.send(new GetObjectCommand({ Bucket: 'siem', Key: Contents[0]?.Key }));
    const lines = ((await file.Body?.transformToString()) ?? '').trimEnd().split('\n');
    expect(lines).toHaveLength(messages.length);
    for (const line of lines) expect(faultsOf(JSON.parse(line))).toEqual([]);
  });
});

function eventOf(id: string): string {
  const threat = {
    ...{ type: 'secret', category: 'credentials', score: 0.97, severity: 'critical', action: 'redact' },
    ...{ rule: 'secrets/aws', message: 'An access key of AWS.', owasp: 'LLM02:2025', atlas: null },
    location: { part: 'output', message: null, field: 'choices[0].message.content', start: 10, end: 30 },
  };
  const request = { requestId: 'req_1', keyId: 'key_1', environment: 'Production', model: 'gpt-4o' };
  const data = { ...request, threatScore: 0, action: 'redact', detectedThreats: [threat] };
  return JSON.stringify({ id, type: 'threat.detected', created: '2026-11-21T09:30:00.000Z', data });
}
