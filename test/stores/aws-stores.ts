import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { TABLE_NAMES } from '../../functions/adapters/dynamo/tables.ts';
import { startEmbeddedStores } from '../../lib/local/embedded-stores.ts';
import type { StoresParameter } from '../../lib/settings/stores-parameter.ts';
import { type FakeSecretsManager, startFakeSecretsManager } from '../runtime/fake-secrets-manager.ts';
import type { SelectedStores } from './selected-stores.ts';

const PREFIX = 'svc-test-';
const PARAMETER = '/svc/svc-test-data/stores';
const arnOf = (name: string) => `arn:aws:secretsmanager:eu-central-1:000000000000:secret:${name}`;

export interface AwsStores extends SelectedStores {
  readonly secrets: FakeSecretsManager;
  /** Replaces the parameter's value; undefined removes it. */
  putParameter(value: string | undefined): void;
  readonly parameter: StoresParameter;
}

/**
 * What a container with `SVC_STORES=aws` uses: tables and queues under a deployment's names, secrets in Secrets Manager, and the SSM
 * parameter that names them. With a folder, tables and queues are still there at the next start.
 */
export async function startAwsStores(folder?: string): Promise<AwsStores> {
  if (folder !== undefined) await mkdir(folder, { recursive: true });
  const embedded = await startEmbeddedStores(folder, PREFIX);
  const { eventsQueueUrl, deliveriesQueueUrl } = embedded;
  const parameter: StoresParameter = {
    tables: Object.fromEntries(TABLE_NAMES.map((name) => [name, `${PREFIX}${name}`])) as StoresParameter['tables'],
    queues: { events: eventsQueueUrl, deliveries: deliveriesQueueUrl },
    secrets: {
      pepper: arnOf('pepper'),
      sealingKey: arnOf('sealing-key'),
      credentialsKey: arnOf('credentials-key'),
      providers: arnOf('providers'),
    },
    background: 'containers',
  };
  const secrets = await startFakeSecretsManager({
    [parameter.secrets.pepper]: 'p'.repeat(64),
    [parameter.secrets.sealingKey]: 's'.repeat(64),
    [parameter.secrets.credentialsKey]: 'c'.repeat(64),
    [parameter.secrets.providers]: '{}',
  });
  let value: string | undefined = JSON.stringify(parameter);
  const ssm = createServer(async (request, response) => {
    const { Name } = (await json(request)) as { readonly Name?: string };
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
    if (request.headers['x-amz-target'] !== 'AmazonSSM.GetParameter' || Name !== PARAMETER || value === undefined)
      return answer(400, { __type: 'ParameterNotFound' });
    return answer(200, { Parameter: { Name, Type: 'String', Value: value } });
  });
  ssm.listen(0, '127.0.0.1');
  await once(ssm, 'listening');
  return {
    settings: {
      SVC_STORES: 'aws',
      SVC_STORES_PARAMETER: PARAMETER,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL_DYNAMODB: embedded.dynamodbUrl,
      AWS_ENDPOINT_URL_SQS: embedded.sqsUrl,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      AWS_ENDPOINT_URL_SSM: `http://127.0.0.1:${(ssm.address() as AddressInfo).port}`,
    },
    secrets,
    parameter,
    putParameter: (next) => {
      value = next;
    },
    stop: async () => {
      ssm.closeAllConnections();
      ssm.close();
      secrets.stop();
      await embedded.stop();
    },
  };
}
