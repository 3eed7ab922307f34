import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { FirehoseClient } from '@aws-sdk/client-firehose';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from '@jest/globals';
import { awsEndpoint } from './aws-endpoint.ts';

const SERVICES = [
  ['dynamodb', DynamoDBClient],
  ['events', EventBridgeClient],
  ['firehose', FirehoseClient],
  ['secretsmanager', SecretsManagerClient],
  ['sqs', SQSClient],
] as const;
/** One of each partition, and the regions of government. */
const REGIONS = [
  ...['eu-central-1', 'us-east-1', 'us-gov-west-1', 'us-gov-east-1', 'cn-north-1', 'eusc-de-east-1'],
  ...['us-iso-east-1', 'us-isob-east-1', 'us-isof-south-1', 'eu-isoe-west-1'],
];
const SECRETS = { name: 'secretsmanager', variable: 'SECRETS_MANAGER' };

describe("a service's address", () => {
  it.each(SERVICES)('is what the SDK has, in every partition: %s', (name, Client) => {
    for (const Region of REGIONS) {
      const { url } = new Client({ region: Region }).config.endpointProvider({ Region });
      expect(new URL(awsEndpoint({ name, variable: 'X' }, {})(Region)).href).toBe(url.href);
    }
  });

  it("is what the environment says, the service's own name first, whatever the region", () => {
    const [one, other] = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];
    const env = { AWS_ENDPOINT_URL_SECRETS_MANAGER: one, AWS_ENDPOINT_URL: other, AWS_USE_FIPS_ENDPOINT: 'true' };
    expect(awsEndpoint(SECRETS, env)('cn-north-1')).toBe(one);
    expect(awsEndpoint({ name: 'sqs', variable: 'SQS' }, env)('eu-central-1')).toBe(other);
    expect(awsEndpoint(SECRETS, { AWS_ENDPOINT_URL_SECRETS_MANAGER: '' })('eu-central-1')).toBe(
      'https://secretsmanager.eu-central-1.amazonaws.com',
    );
  });

  it.each(['AWS_USE_FIPS_ENDPOINT', 'AWS_USE_DUALSTACK_ENDPOINT'])('is never another than %s asks for', (option) => {
    expect(() => awsEndpoint(SECRETS, { [option]: 'true' })).toThrow(
      `${option} is not read: name the address in AWS_ENDPOINT_URL_SECRETS_MANAGER`,
    );
    expect(() => awsEndpoint(SECRETS, { [option]: 'false' })).not.toThrow();
  });
});
