import type {
  CreateQueueRequest,
  CreateQueueResult,
  DeleteMessageBatchRequest,
  DeleteMessageBatchResult,
  GetQueueAttributesRequest,
  GetQueueAttributesResult,
  ReceiveMessageRequest,
  ReceiveMessageResult,
  SendMessageBatchRequest,
  SendMessageBatchResult,
  SendMessageRequest,
  SendMessageResult,
  SetQueueAttributesRequest,
} from '@aws-sdk/client-sqs';
import { type AwsClientOptions, AwsJsonClient, type AwsOperation } from './aws-json-client.ts';

interface SqsOperations {
  'sqs:CreateQueue': AwsOperation<CreateQueueRequest, CreateQueueResult>;
  'sqs:DeleteMessageBatch': AwsOperation<DeleteMessageBatchRequest, DeleteMessageBatchResult>;
  'sqs:GetQueueAttributes': AwsOperation<GetQueueAttributesRequest, GetQueueAttributesResult>;
  'sqs:ReceiveMessage': AwsOperation<ReceiveMessageRequest, ReceiveMessageResult>;
  'sqs:SendMessage': AwsOperation<SendMessageRequest, SendMessageResult>;
  'sqs:SendMessageBatch': AwsOperation<SendMessageBatchRequest, SendMessageBatchResult>;
  'sqs:SetQueueAttributes': AwsOperation<SetQueueAttributesRequest, object>;
}

export type SqsClient = AwsJsonClient<SqsOperations>;

/** As a table: three attempts of at most a second each. */
const SQS = { name: 'sqs', variable: 'SQS', target: 'AmazonSQS', version: '1.0', timeoutMs: 1_000 } as const;

export function createSqsClient(options?: AwsClientOptions): SqsClient {
  return new AwsJsonClient(SQS, options);
}
