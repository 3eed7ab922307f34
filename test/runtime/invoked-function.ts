import path from 'node:path';
import { type EmbeddedStores, startEmbeddedStores } from '../../lib/local/embedded-stores.ts';
import type { Deployment } from './deployment.ts';
import { startFakeSecretsManager } from './fake-secrets-manager.ts';
import { InvocationQueue } from './invocation-queue.ts';
import { type Endpoints, startEndpoints } from './recorded-endpoints.ts';
import { Sandbox } from './sandbox.ts';

const DIST = path.resolve(import.meta.dirname, '../../dist');

export interface InvokedFunctionOptions {
  /** The bundle's folder in dist. */
  readonly bundle: string;
  /** What the calls of the function are recorded under. */
  readonly role: string;
  /** By ARN. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Whose stores and secrets it uses; its own where absent. */
  readonly within?: Pick<Deployment, 'stores' | 'secretsUrl'>;
  /** Its environment beside the stores' addresses. */
  readonly env: (stores: EmbeddedStores, endpoints: Endpoints) => Readonly<Record<string, string>>;
}

export interface InvokedFunction {
  readonly stores: EmbeddedStores;
  /** As a mapping or a schedule invokes the deployed function. @returns its result; rejects if it failed */
  invoke(event: unknown): Promise<unknown>;
  logs(): readonly string[];
  stop(): Promise<void>;
}

/** A deployed bundle without a URL, under AWS's runtime client, with the embedded stores of a deployment or its own. */
export async function startInvokedFunction(options: InvokedFunctionOptions): Promise<InvokedFunction> {
  const { within } = options;
  const secrets = within === undefined ? await startFakeSecretsManager(options.secrets ?? {}) : undefined;
  const stores = within?.stores ?? (await startEmbeddedStores());
  const secretsUrl = within?.secretsUrl ?? secrets?.url ?? '';
  const addresses = { dynamodb: stores.dynamodbUrl, sqs: stores.sqsUrl, secrets: secretsUrl };
  const endpoints = await startEndpoints(options.role, addresses);
  const invocations = new InvocationQueue();
  const logs: string[] = [];
  const sandbox = await Sandbox.start({
    bundleDir: path.join(DIST, options.bundle),
    handler: 'index.handler',
    env: { ...endpoints.env, ...options.env(stores, endpoints) },
    timeoutMs: 60_000,
    log: (line) => logs.push(line),
    take: (signal) => invocations.take(signal),
  });
  return {
    stores,
    logs: () => logs,
    invoke: (event) =>
      new Promise((resolve, reject) => {
        const failed = ({ errorMessage }: { readonly errorMessage: string }) => reject(new Error(errorMessage));
        invocations.add({
          id: crypto.randomUUID(),
          event,
          outcome: {
            streamStarted: () => {},
            chunk: async () => {},
            streamEnded: () => failed({ errorMessage: 'the function streamed' }),
            returned: resolve,
            failed,
          },
        });
      }),
    stop: async () => {
      await sandbox.stop();
      endpoints.stop();
      secrets?.stop();
      if (within === undefined) await stores.stop();
    },
  };
}
