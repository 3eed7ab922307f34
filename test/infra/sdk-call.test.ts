import { describe, expect, test } from '@jest/globals';
import { describeRestCall, describeSdkCalls } from './sdk-call.ts';

const dynamo = (operation: string, input: object) =>
  describeSdkCalls(`DynamoDB_20120810.${operation}`, JSON.stringify(input));

describe('a call of DynamoDB names', () => {
  test('the attributes of its key and expressions, the outermost of a path, and what it returns', () => {
    const call = dynamo('UpdateItem', {
      TableName: 'limits',
      Key: { pk: { S: 'key_a1b2' } },
      UpdateExpression: 'SET #full = if_not_exists(#full, :now) + :step, spent.#tag = :x REMOVE gone, #list[0]',
      ConditionExpression: 'attribute_exists(pk) AND NOT contains(#seen, :id) OR size(held) between :a AND :b',
      ExpressionAttributeNames: { '#full': 'fullAt', '#tag': 'inner', '#list': 'items', '#seen': 'seenIds' },
      ReturnValues: 'UPDATED_NEW',
    });
    expect(call).toEqual([
      {
        action: 'dynamodb:UpdateItem',
        resource: 'table/limits',
        attributes: ['fullAt', 'gone', 'held', 'items', 'pk', 'seenIds', 'spent'],
        leadingKeys: ['key_x'],
        returnValues: 'UPDATED_NEW',
      },
    ]);
  });

  test('the index that it reads', () => {
    const input = { TableName: 'keys', IndexName: 'list', KeyConditionExpression: 'listPk = :pk' };
    expect(dynamo('Query', input)).toEqual([
      { action: 'dynamodb:Query', resource: 'table/keys/index/list', attributes: ['listPk'] },
    ]);
  });

  test('each table of a batch, with the kinds of its items', () => {
    const RequestItems = {
      audit: { Keys: [{ pk: { S: 'head' } }, { pk: { S: '000012' } }] },
      keys: { Keys: [{ pk: { S: 'key#1' } }] },
    };
    expect(dynamo('BatchGetItem', { RequestItems })).toEqual([
      { action: 'dynamodb:BatchGetItem', resource: 'table/audit', attributes: ['pk'], leadingKeys: ['head', 'x'] },
      { action: 'dynamodb:BatchGetItem', resource: 'table/keys', attributes: ['pk'], leadingKeys: ['key#x'] },
    ]);
    const put = { sessions: [{ PutRequest: { Item: { pk: { S: 'open#1' }, score: { N: '1' } } } }] };
    expect(dynamo('BatchWriteItem', { RequestItems: put })).toEqual([
      {
        action: 'dynamodb:BatchWriteItem',
        resource: 'table/sessions',
        attributes: ['pk', 'score'],
        leadingKeys: ['open#x'],
      },
    ]);
  });

  test('a table of ours, or it throws', () => {
    expect(() => dynamo('GetItem', { TableName: 'other', Key: {} })).toThrow('there is no table other');
  });
});

test('a queue is named by the end of its address, and a batch needs the right to send', () => {
  const body = JSON.stringify({ QueueUrl: 'http://127.0.0.1:9/000000000000/events' });
  expect(describeSdkCalls('AmazonSQS.SendMessageBatch', body)).toEqual([
    { action: 'sqs:SendMessage', resource: 'queue/events' },
  ]);
});

test('a secret is named by the end of its ARN', () => {
  const body = JSON.stringify({ SecretId: 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:pepper' });
  expect(describeSdkCalls('secretsmanager.GetSecretValue', body)).toEqual([
    { action: 'secretsmanager:GetSecretValue', resource: 'secret/pepper' },
  ]);
});

test('a model is named by its path', () => {
  expect(describeRestCall('POST', '/model/amazon.nova-pro-v1%3A0/converse-stream')).toEqual({
    action: 'bedrock:InvokeModelWithResponseStream',
    resource: 'model/amazon.nova-pro-v1:0',
  });
});

test.each([
  ['GET', '/2020-05-31/distribution/E1EXAMPLE', 'cloudfront:GetDistribution', 'distribution/E1EXAMPLE'],
  ['GET', '/2020-05-31/distribution/E1EXAMPLE/config', 'cloudfront:GetDistributionConfig', 'distribution/E1EXAMPLE'],
  ['PUT', '/2020-05-31/distribution/E1EXAMPLE/config', 'cloudfront:UpdateDistribution', 'distribution/E1EXAMPLE'],
  ['GET', '/distribution-files?list-type=2', 's3:ListBucket', 'bucket/distribution-files'],
  ['PUT', '/distribution-files/assets/index-1a.js?x-id=PutObject', 's3:PutObject', 'object/distribution-files/x'],
  ['DELETE', '/distribution-files/index.html?x-id=DeleteObject', 's3:DeleteObject', 'object/distribution-files/x'],
])('%s %s is %s', (method, path, action, resource) => {
  expect(describeRestCall(method, path)).toEqual({ action, resource });
});

test('what no function does by REST is refused', () => {
  expect(() => describeRestCall('POST', '/files?delete')).toThrow('no function calls POST /files?delete');
});

test('a bus and a delivery stream are named by the end of their ARNs', () => {
  const bus = 'arn:aws:events:eu-central-1:000000000000:event-bus/siem';
  const put = JSON.stringify({ Entries: [{ EventBusName: bus }, { EventBusName: bus }] });
  expect(describeSdkCalls('AWSEvents.PutEvents', put)).toEqual([
    { action: 'events:PutEvents', resource: 'event-bus/siem' },
  ]);
  const batch = JSON.stringify({ DeliveryStreamName: 'to-siem', Records: [] });
  expect(describeSdkCalls('Firehose_20150804.PutRecordBatch', batch)).toEqual([
    { action: 'firehose:PutRecordBatch', resource: 'deliverystream/to-siem' },
  ]);
});

test('a service that no function calls is refused', () => {
  expect(() => describeSdkCalls('AmazonSSM.GetParameter', '{}')).toThrow('no function calls AmazonSSM.GetParameter');
});
