import type {
  BatchGetItemInput,
  BatchGetItemOutput,
  BatchWriteItemInput,
  BatchWriteItemOutput,
  CreateTableInput,
  CreateTableOutput,
  DeleteItemInput,
  DeleteItemOutput,
  DescribeTableInput,
  DescribeTableOutput,
  GetItemInput,
  GetItemOutput,
  ListTablesInput,
  ListTablesOutput,
  PutItemInput,
  PutItemOutput,
  QueryInput,
  QueryOutput,
  ScanInput,
  ScanOutput,
  UpdateItemInput,
  UpdateItemOutput,
} from '@aws-sdk/client-dynamodb';
import { type AwsClientOptions, AwsJsonClient, type AwsOperation } from './aws-json-client.ts';

interface DynamoOperations {
  'dynamodb:BatchGetItem': AwsOperation<BatchGetItemInput, BatchGetItemOutput>;
  'dynamodb:BatchWriteItem': AwsOperation<BatchWriteItemInput, BatchWriteItemOutput>;
  'dynamodb:CreateTable': AwsOperation<CreateTableInput, CreateTableOutput>;
  'dynamodb:DeleteItem': AwsOperation<DeleteItemInput, DeleteItemOutput>;
  'dynamodb:DescribeTable': AwsOperation<DescribeTableInput, DescribeTableOutput>;
  'dynamodb:GetItem': AwsOperation<GetItemInput, GetItemOutput>;
  'dynamodb:ListTables': AwsOperation<ListTablesInput, ListTablesOutput>;
  'dynamodb:PutItem': AwsOperation<PutItemInput, PutItemOutput>;
  'dynamodb:Query': AwsOperation<QueryInput, QueryOutput>;
  'dynamodb:Scan': AwsOperation<ScanInput, ScanOutput>;
  'dynamodb:UpdateItem': AwsOperation<UpdateItemInput, UpdateItemOutput>;
}

export type DynamoClient = AwsJsonClient<DynamoOperations>;
export type PutInput = DynamoOperations['dynamodb:PutItem']['input'];
export type UpdateInput = DynamoOperations['dynamodb:UpdateItem']['input'];
export type UpdateAnswer = DynamoOperations['dynamodb:UpdateItem']['output'];
export type QueryAnswer = DynamoOperations['dynamodb:Query']['output'];

/** A table answers within milliseconds or it is in trouble: three attempts of at most a second each, then 503. */
const DYNAMODB = {
  name: 'dynamodb',
  variable: 'DYNAMODB',
  target: 'DynamoDB_20120810',
  version: '1.0',
  timeoutMs: 1_000,
} as const;

export function createDynamoClient(options?: AwsClientOptions): DynamoClient {
  return new AwsJsonClient(DYNAMODB, options);
}
