import type { StackResourceSummary } from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ListQueueTagsCommand, SQSClient, TagQueueCommand } from '@aws-sdk/client-sqs';
import { accessTo } from './stacks.ts';

type Read = () => Promise<string | undefined>;

const KEPT = 'kept';

/** Writes into each table, queue, secret and bucket, and returns by their name a function that reads that again. */
export async function fillResources(
  url: string,
  region: string,
  resources: readonly StackResourceSummary[],
): Promise<Map<string, Read>> {
  const access = accessTo(url, region);
  const fill: Readonly<Record<string, (id: string) => Promise<Read>>> = {
    'AWS::DynamoDB::GlobalTable': (id) => fillTable(new DynamoDBClient(access), id),
    'AWS::SQS::Queue': (id) => fillQueue(new SQSClient(access), id),
    'AWS::SecretsManager::Secret': (id) => fillSecret(new SecretsManagerClient(access), id),
    'AWS::S3::Bucket': (id) => fillBucket(new S3Client(access), id),
  };
  const reads = new Map<string, Read>();
  for (const { LogicalResourceId = '', PhysicalResourceId = '', ResourceType = '' } of resources) {
    const read = await fill[ResourceType]?.(PhysicalResourceId);
    if (read !== undefined) reads.set(LogicalResourceId, read);
  }
  return reads;
}

/** The names of what no longer has its content. */
export async function lostOf(reads: ReadonlyMap<string, Read>): Promise<string[]> {
  const lost: string[] = [];
  for (const [name, read] of reads) {
    if ((await read().catch(() => undefined)) !== KEPT) lost.push(name);
  }
  return lost;
}

async function fillTable(client: DynamoDBClient, TableName: string): Promise<Read> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const Key = Object.fromEntries((Table?.KeySchema ?? []).map(({ AttributeName }) => [AttributeName, { S: KEPT }]));
  await client.send(new PutItemCommand({ TableName, Item: { ...Key, text: { S: KEPT } } }));
  return async () => (await client.send(new GetItemCommand({ TableName, Key }))).Item?.text?.S;
}

/** By a tag, because moto would call a function for a message. */
async function fillQueue(client: SQSClient, QueueUrl: string): Promise<Read> {
  await client.send(new TagQueueCommand({ QueueUrl, Tags: { text: KEPT } }));
  return async () => (await client.send(new ListQueueTagsCommand({ QueueUrl }))).Tags?.text;
}

async function fillSecret(client: SecretsManagerClient, SecretId: string): Promise<Read> {
  await client.send(new PutSecretValueCommand({ SecretId, SecretString: KEPT }));
  return async () => (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString;
}

async function fillBucket(client: S3Client, Bucket: string): Promise<Read> {
  await client.send(new PutObjectCommand({ Bucket, Key: 'text', Body: KEPT }));
  return async () => (await client.send(new GetObjectCommand({ Bucket, Key: 'text' }))).Body?.transformToString();
}
