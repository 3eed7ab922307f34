import { setTimeout as pause } from 'node:timers/promises';
import { createDynamoClient, createSecretsManagerClient } from '../adapters/aws/clients.ts';
import { type CustomResourceEvent, respondToCloudFormation } from '../adapters/aws/custom-resource.ts';
import { SecretsManagerKeeper, secretSource } from '../adapters/aws/secrets-manager.ts';
import { DynamoAuditLog } from '../adapters/dynamo/dynamo-audit-log.ts';
import { DynamoKeyStore } from '../adapters/dynamo/dynamo-key-store.ts';
import type { TablesOf } from '../adapters/dynamo/tables.ts';
import { UndiciHttpClient } from '../adapters/http/undici-http-client.ts';
import { createKeyHasher } from '../adapters/node/hmac-key-hasher.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { logAudit, logKeyCreationFailure } from '../adapters/telemetry/json-log.ts';
import { makeFirstAdminKey, makeSyntheticCheckKey } from '../control/keys/index.ts';
import { StoreUnavailable } from '../kernel/errors/index.ts';

/** Each resource creates one key. Its physical id is constant: a new one would make CloudFormation delete the previous resource. */
const KEYS = {
  'first-admin-key': { make: makeFirstAdminKey, called: 'The first admin key' },
  'synthetic-check-key': { make: makeSyntheticCheckKey, called: 'The key of the synthetic check' },
} as const;

/** `Key` is absent for the first admin key. */
export type KeyEvent = CustomResourceEvent & { readonly ResourceProperties?: { readonly Key?: 'synthetic-check-key' } };

export interface FirstAdminKeyConfig {
  readonly tables: TablesOf<'first-admin-key'>;
  readonly auditRetentionDays: number;
  readonly pepperArn: string;
  /** The secrets that receive the keys' texts; undefined without a synthetic check. */
  readonly secretArn: string;
  readonly checkSecretArn: string | undefined;
}

/**
 * Handles CloudFormation's requests on AWS, or on services with the same APIs. Only a Create has an effect. Rejects if the response could
 * not be delivered: the invocation is then repeated and finds the existing key.
 */
export function composeFirstAdminKey(config: FirstAdminKeyConfig): (event: KeyEvent) => Promise<void> {
  const dynamo = createDynamoClient();
  const secrets = createSecretsManagerClient();
  const deps = {
    keys: new DynamoKeyStore(dynamo, config.tables.keys),
    audit: new DynamoAuditLog(dynamo, config.tables.audit, config.auditRetentionDays),
    hasher: createKeyHasher(secretSource(config.pepperArn)),
    clock: systemClock,
    onAudited: logAudit,
  };
  const http = new UndiciHttpClient();
  return async (event) => {
    const { RequestType, RequestId, ResourceProperties } = event;
    const physicalId = ResourceProperties?.Key ?? 'first-admin-key';
    const { make, called } = KEYS[physicalId];
    const arn = physicalId === 'first-admin-key' ? config.secretArn : (config.checkSecretArn ?? '');
    const keeper = new SecretsManagerKeeper(secrets, arn);
    const reason = RequestType === 'Create' ? await failureOf(() => make(RequestId, { ...deps, keeper })) : undefined;
    if (reason !== undefined) logKeyCreationFailure(RequestId, reason);
    const failure = reason && `${called} could not be created: ${reason}`;
    await respondToCloudFormation(event, { physicalId, failure }, http, pause);
  };
}

/** The reason of a failure, without an unexpected error's message, which may quote a secret. */
async function failureOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof StoreUnavailable) return error.message;
    return error instanceof Error ? error.name : typeof error;
  }
}
