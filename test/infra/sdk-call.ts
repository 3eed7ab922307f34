import { TABLES } from '../../functions/adapters/dynamo/tables.ts';

/** A call of an AWS service as IAM evaluates it, without ids of single items. */
export interface SdkCall {
  /** `dynamodb:PutItem` */
  readonly action: string;
  /**
   * `table/keys`, `table/keys/index/list`, `queue/events`, `secret/pepper`, `model/amazon.nova-pro-v1:0`, `distribution/E1EXAMPLE`,
   * `bucket/distribution-files`, `object/distribution-files/x`, `event-bus/siem`, `deliverystream/to-siem`.
   */
  readonly resource: string;
  /** DynamoDB: names of top-level attributes that it names, keys included (`dynamodb:Attributes`). */
  readonly attributes?: readonly string[];
  /** DynamoDB: partition keys, with `x` for the distinct part: `head`, `forgotten#x` (`dynamodb:LeadingKeys`). */
  readonly leadingKeys?: readonly string[];
  /** DynamoDB, where the call says so (`dynamodb:ReturnValues`). */
  readonly returnValues?: string;
}

type Item = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type Input = Readonly<Record<string, unknown>>;

/**
 * The calls that one request of AWS's JSON protocols makes: one for each table that it names. `target` is its header
 * `x-amz-target`. Throws on an operation of a service that no function calls.
 */
export function describeSdkCalls(target: string, body: string): SdkCall[] {
  const [service = '', operation = ''] = target.split('.');
  const input: Input = JSON.parse(body || '{}');
  if (service.startsWith('DynamoDB_')) return dynamoCalls(operation, input);
  if (service === 'AmazonSQS') {
    // A batch needs the right to send: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-api-permissions-reference.html
    const action = `sqs:${operation.replace(/Batch$/, '')}`;
    return [{ action, resource: `queue/${String(input.QueueUrl).split('/').at(-1)}` }];
  }
  if (service === 'secretsmanager') {
    return [{ action: `secretsmanager:${operation}`, resource: `secret/${String(input.SecretId).split(':').at(-1)}` }];
  }
  if (target === 'AWSEvents.PutEvents') {
    const buses = new Set((input.Entries as { EventBusName: string }[]).map((entry) => entry.EventBusName));
    return [...buses].map((bus) => ({ action: 'events:PutEvents', resource: `event-bus/${bus.split('/').at(-1)}` }));
  }
  if (target === 'Firehose_20150804.PutRecordBatch') {
    return [{ action: 'firehose:PutRecordBatch', resource: `deliverystream/${input.DeliveryStreamName}` }];
  }
  throw new Error(`no function calls ${target}`);
}

/** What a call of a service without such a header asks: of Bedrock, CloudFront, or S3 with the bucket in the path. */
export function describeRestCall(method: string, path: string): SdkCall {
  if (path.startsWith('/model/')) return bedrockCall(path);
  const [, distribution, config] = /^\/2020-05-31\/distribution\/(\w+)(\/config)?$/.exec(path) ?? [];
  if (distribution !== undefined) {
    const read = config === undefined ? 'GetDistribution' : 'GetDistributionConfig';
    const action = `cloudfront:${method === 'PUT' ? 'UpdateDistribution' : read}`;
    return { action, resource: `distribution/${distribution}` };
  }
  const [, bucket, key] = /^\/([\w.-]+)\/?([^?]*)/.exec(path) ?? [];
  if (method === 'GET' && key === '') return { action: 's3:ListBucket', resource: `bucket/${bucket}` };
  const action = { PUT: 's3:PutObject', DELETE: 's3:DeleteObject' }[method];
  if (action === undefined || !key) throw new Error(`no function calls ${method} ${path}`);
  return { action, resource: `object/${bucket}/x` };
}

/** The call behind a path of Bedrock's runtime: `/model/ID/converse`. */
function bedrockCall(path: string): SdkCall {
  const [, , model = '', operation = ''] = path.split('/');
  const action = operation.endsWith('-stream') ? 'InvokeModelWithResponseStream' : 'InvokeModel';
  return { action: `bedrock:${action}`, resource: `model/${decodeURIComponent(model)}` };
}

function dynamoCalls(operation: string, input: Input): SdkCall[] {
  const action = `dynamodb:${operation}`;
  if (input.RequestItems !== undefined) {
    return Object.entries(input.RequestItems as Record<string, unknown>).map(([table, asked]) => ({
      action,
      resource: `table/${table}`,
      ...touched(table, batchItems(asked), {}),
    }));
  }
  const table = String(input.TableName);
  const index = input.IndexName === undefined ? '' : `/index/${input.IndexName}`;
  const items = [input.Item, input.Key].filter((item) => item !== undefined) as Item[];
  return [
    {
      action,
      resource: `table/${table}${index}`,
      ...touched(table, items, input),
      ...(typeof input.ReturnValues === 'string' && { returnValues: input.ReturnValues }),
    },
  ];
}

function batchItems(asked: unknown): Item[] {
  if (!Array.isArray(asked)) return (asked as { Keys: Item[] }).Keys;
  return asked.map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key);
}

function touched(table: string, items: readonly Item[], input: Input): Pick<SdkCall, 'attributes' | 'leadingKeys'> {
  const definition = TABLES[table as keyof typeof TABLES];
  if (definition === undefined) throw new Error(`there is no table ${table}`);
  const keys = items.map((item) => String(Object.values(item[definition.partitionKey] ?? {})[0]));
  const attributes = [...items.flatMap((item) => Object.keys(item)), ...namedIn(input)];
  return {
    attributes: [...new Set(attributes)].sort(),
    ...(keys.length > 0 && { leadingKeys: [...new Set(keys.map(withoutId))].sort() }),
  };
}

const EXPRESSIONS = [
  'KeyConditionExpression',
  'ConditionExpression',
  'UpdateExpression',
  'ProjectionExpression',
  'FilterExpression',
];
/** Words of the expression language: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html */
const WORDS = new Set(
  'SET REMOVE ADD DELETE AND OR NOT BETWEEN IN attribute_exists attribute_not_exists attribute_type begins_with contains size if_not_exists list_append'.split(
    ' ',
  ),
);

/** The top-level attributes that a call's expressions name, by placeholder or in words. */
function namedIn(input: Input): string[] {
  const names = (input.ExpressionAttributeNames ?? {}) as Record<string, string>;
  const told = EXPRESSIONS.flatMap((name) => String(input[name] ?? '').match(/\.?[#:]?[A-Za-z_]\w*/g) ?? []);
  return told
    .filter((word) => !/^[:.]/.test(word) && !WORDS.has(word) && !WORDS.has(word.toUpperCase()))
    .map((word) => (word.startsWith('#') ? (names[word] ?? word) : word));
}

/** A key with `x` for its distinct part. Its kind is the part before the first `#` or `_`, or one plain word. */
function withoutId(key: string): string {
  const kind = /^[a-zA-Z-]+[#_]/.exec(key)?.[0];
  if (kind !== undefined) return `${kind}x`;
  return /^[a-z]+$/.test(key) ? key : 'x';
}
