import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import { createKeyHasher } from '../../functions/adapters/node/hmac-key-hasher.ts';
import { systemClock } from '../../functions/adapters/node/process-time.ts';
import { makeKey } from '../../functions/control/keys/index.ts';
import { composeGateway } from '../../functions/gateway/compose.ts';
import { GATEWAY_SETTINGS } from '../../functions/gateway/env.ts';
import type { Inspector } from '../../functions/inspection/inspector/index.ts';
import { HeaderList } from '../../functions/kernel/http/index.ts';
import { createKeySchema } from '../../functions/kernel/model/index.ts';
import { BackgroundTasks } from '../../functions/kernel/tasks/index.ts';
import { LOCAL_TABLES } from '../../lib/local/create-resources.ts';
import { readLocalSettings } from '../../lib/settings/function-settings.ts';

const pepper = async () => 'p'.repeat(64);

/** Clients of the stores, made from now on, go to these addresses. */
export function reachStoresAt(dynamodbUrl: string, sqsUrl: string): void {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbUrl,
    AWS_ENDPOINT_URL_SQS: sqsUrl,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
}

/** The gateway as a deployed function composes it, with the model `echo`; with nothing in its caches. */
export class BenchGateway {
  private readonly backgroundTasks = new BackgroundTasks();
  private readonly app: ReturnType<typeof composeGateway>;

  constructor(inspector: Inspector, eventsQueueUrl: string) {
    this.app = composeGateway({
      tables: LOCAL_TABLES,
      settings: readLocalSettings(GATEWAY_SETTINGS, { SVC_PROVIDER_TIMEOUT_MS: '1000' }),
      records: { lingerMs: 0, pendingIndex: false },
      eventsQueueUrl,
      pepper,
      credentialsKey: pepper,
      providerSettings: async () => ({}),
      baseUrls: {},
      onProviderFault: () => {},
      echo: true,
      alone: false,
      maxBodyBytes: 1_000_000,
      inspector,
      backgroundTasks: this.backgroundTasks,
      telemetry: { otlpHeaders: async () => '', lingerMs: 0, stage: 'bench' },
    });
  }

  /** A key's secret, made past the gateway, which therefore does not know it. */
  async newKey(fields: object): Promise<string> {
    const { key, secret } = await makeKey(
      createKeySchema.parse({ name: 'bench', ...fields }),
      createKeyHasher(pepper),
      systemClock,
    );
    await new DynamoKeyStore(createDynamoClient(), 'keys').create(key);
    return secret;
  }

  /** Asks for a completion, which comes whole. */
  async ask(key: string, content: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const body = Buffer.from(JSON.stringify({ model: 'echo', max_tokens: 100, messages: [{ role: 'user', content }] }));
    const all = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers };
    const request = {
      method: 'POST',
      url: 'http://gateway/v1/chat/completions',
      headers: new HeaderList(Object.entries(all)),
      bytes: async () => body,
    };
    await this.app(request, { clientAddress: '192.0.2.1' });
  }

  /** Resolves once no background task is running. */
  idle(): Promise<void> {
    return this.backgroundTasks.idle();
  }
}
