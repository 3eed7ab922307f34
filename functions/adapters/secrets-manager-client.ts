import type {
  DescribeSecretRequest,
  DescribeSecretResponse,
  GetSecretValueRequest,
  GetSecretValueResponse,
  PutSecretValueRequest,
  PutSecretValueResponse,
  UpdateSecretVersionStageRequest,
  UpdateSecretVersionStageResponse,
} from '@aws-sdk/client-secrets-manager';
import { type AwsClientOptions, AwsJsonClient, type AwsOperation } from './aws-json-client.ts';

interface SecretsManagerOperations {
  'secretsmanager:DescribeSecret': AwsOperation<DescribeSecretRequest, DescribeSecretResponse>;
  'secretsmanager:GetSecretValue': AwsOperation<GetSecretValueRequest, GetSecretValueResponse>;
  'secretsmanager:PutSecretValue': AwsOperation<PutSecretValueRequest, PutSecretValueResponse>;
  'secretsmanager:UpdateSecretVersionStage': AwsOperation<
    UpdateSecretVersionStageRequest,
    UpdateSecretVersionStageResponse
  >;
}

export type SecretsManagerClient = AwsJsonClient<SecretsManagerOperations>;

/** Three attempts of two seconds each. */
const SECRETS_MANAGER = {
  name: 'secretsmanager',
  variable: 'SECRETS_MANAGER',
  target: 'secretsmanager',
  version: '1.1',
  timeoutMs: 2_000,
} as const;

export function createSecretsManagerClient(options?: AwsClientOptions): SecretsManagerClient {
  return new AwsJsonClient(SECRETS_MANAGER, options);
}
