import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { createSecretSealer } from '../../functions/adapters/aws/secret-sealer.ts';
import { RenewableSecret } from '../../functions/adapters/aws/secrets-manager.ts';
import { DynamoAggregates } from '../../functions/adapters/dynamo/dynamo-aggregates.ts';
import { DynamoApprovalStore } from '../../functions/adapters/dynamo/dynamo-approval-store.ts';
import { DynamoAuditLog } from '../../functions/adapters/dynamo/dynamo-audit-log.ts';
import { DynamoCredentialUses } from '../../functions/adapters/dynamo/dynamo-credential-uses.ts';
import { DynamoDeliveryStore } from '../../functions/adapters/dynamo/dynamo-delivery-store.ts';
import {
  ALERTS_DOCUMENT,
  CREDENTIALS_DOCUMENT,
  DynamoDocumentStore,
  IMPORTED_SECRETS_DOCUMENT,
  identityDocument,
  MCP_SERVERS_DOCUMENT,
  OVERRIDE_DOCUMENT,
  POLICY_DOCUMENT,
  PROVIDERS_DOCUMENT,
  pricesDocument,
  routesDocument,
  TEAMS_DOCUMENT,
} from '../../functions/adapters/dynamo/dynamo-document-store.ts';
import { DynamoDeliveredEndUsers } from '../../functions/adapters/dynamo/dynamo-end-user-data.ts';
import { DynamoEndpointTurns } from '../../functions/adapters/dynamo/dynamo-endpoint-turns.ts';
import { DynamoIdempotencyStore } from '../../functions/adapters/dynamo/dynamo-idempotency-store.ts';
import { DynamoIdentityStore } from '../../functions/adapters/dynamo/dynamo-identity-store.ts';
import { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import { DynamoLimitStore } from '../../functions/adapters/dynamo/dynamo-limit-store.ts';
import { DynamoCaptureStore, DynamoRecordReader } from '../../functions/adapters/dynamo/dynamo-request-records.ts';
import {
  ALERT_STATES,
  APPROVED_DEFINITIONS,
  DynamoStateStore,
  SAVED_VIEWS,
  SHOWN_TOOLS,
} from '../../functions/adapters/dynamo/dynamo-state-store.ts';
import { DynamoToolPinStore } from '../../functions/adapters/dynamo/dynamo-tool-pin-store.ts';
import { DynamoWebhookStore } from '../../functions/adapters/dynamo/dynamo-webhook-store.ts';
import { federatedExchange } from '../../functions/adapters/federation.ts';
import { McpTests } from '../../functions/adapters/mcp-tests.ts';
import { createApprovalSecrets } from '../../functions/adapters/node/approval-secrets.ts';
import { createKeyHasher } from '../../functions/adapters/node/hmac-key-hasher.ts';
import { providerConnections } from '../../functions/adapters/provider-connections.ts';
import type { AdminDeps } from '../../functions/admin-api/admin-deps.ts';
import { createAdminApp } from '../../functions/admin-api/app.ts';
import { replayEngine } from '../../functions/admin-api/replay-engine.ts';
import { Sessions } from '../../functions/admin-api/sign-in.ts';
import { Approvals } from '../../functions/control/approvals/index.ts';
import { ImportedSecrets, KeyCache, KeyUses, makeKey } from '../../functions/control/keys/index.ts';
import { NO_TOKENS } from '../../functions/control/keys/no-tokens.fixture.ts';
import { LiveTeams } from '../../functions/control/teams/index.ts';
import type { PricesDocument, RouteEntry } from '../../functions/kernel/configuration/index.ts';
import { toWebResponse } from '../../functions/kernel/http/to-web-response.fixture.ts';
import { createKeySchema } from '../../functions/kernel/model/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { startEmbeddedStores } from '../../lib/local/embedded-stores.ts';
import { toldEvents } from './told-events.ts';

export const AUDIT_RETENTION_DAYS = 30;

const DEPLOYMENT: AdminDeps['deployment'] = {
  version: '0.0.0',
  stage: 'Staging',
  region: 'eu-central-1',
  stores: { database: 'dynamodb', queues: 'sqs', dataFolder: null },
  retentionDays: { records: 30, captures: 7, aggregates: 400, deliveries: 30, audit: AUDIT_RETENTION_DAYS },
  singleSignOn: null,
  corsOrigins: [],
  onlyThroughDistribution: false,
  echo: true,
  prices: { date: '2026-11-10', own: 0 },
  defaultMaxConcurrent: 50,
};

/** A clock that only a test moves. */
export class TestClock {
  time = Date.parse('2026-06-01T00:00:00Z');

  now(): number {
    return this.time;
  }

  monotonic(): number {
    return this.time;
  }
}

export interface AdminResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: its shape is what is tested
  readonly json: any;
}

export interface AdminCall {
  /** The first admin's where nothing is said; null for none. */
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the client. */
  readonly address?: string;
}

/** The admin API in this process, over embedded stores with nothing in them but a first admin key. */
export async function startAdminApp(
  change: (deps: AdminDeps) => AdminDeps = (deps) => deps,
  routes: readonly RouteEntry[] = [],
  prices: PricesDocument['prices'] = {},
) {
  const stores = await startEmbeddedStores();
  // Where the writer of limits looks; a test file has one service at a time.
  process.env.AWS_ENDPOINT_URL_DYNAMODB = stores.dynamodbUrl;
  const dynamo = createDynamoClient(embeddedAccess(stores.dynamodbUrl));
  const clock = new TestClock();
  const keys = new DynamoKeyStore(dynamo, 'keys');
  const hasher = createKeyHasher(async () => 'p'.repeat(64));
  const records = new DynamoRecordReader(dynamo, 'records', clock);
  const approvals = new DynamoApprovalStore(dynamo, 'approvals', clock);
  const approvalSecrets = createApprovalSecrets(async () => 'p'.repeat(64));
  const captures = new DynamoCaptureStore(dynamo, 'captures', clock, 7);
  const wakes: string[] = [];
  const aggregates = new DynamoAggregates(dynamo, 'aggregates', clock);
  const teams = new DynamoDocumentStore(dynamo, 'policies', TEAMS_DOCUMENT);
  const importedSecrets = new DynamoDocumentStore(dynamo, 'keys', IMPORTED_SECRETS_DOCUMENT);
  const deps = change({
    keys,
    importedSecrets,
    teams,
    audit: new DynamoAuditLog(dynamo, 'audit', AUDIT_RETENTION_DAYS),
    policies: new DynamoDocumentStore(dynamo, 'policies', POLICY_DOCUMENT),
    routes: new DynamoDocumentStore(dynamo, 'policies', routesDocument(routes)),
    credentials: new DynamoDocumentStore(dynamo, 'policies', CREDENTIALS_DOCUMENT),
    credentialUses: new DynamoCredentialUses(dynamo, 'policies'),
    valueSealer: createSecretSealer(async () => 'c'.repeat(64), 'svc credential'),
    outsideSecret: (arn) => new RenewableSecret(arn),
    exchange: federatedExchange(false),
    hasAwsIdentity: false,
    providers: new DynamoDocumentStore(dynamo, 'policies', PROVIDERS_DOCUMENT),
    mcpServers: new DynamoDocumentStore(dynamo, 'policies', MCP_SERVERS_DOCUMENT),
    mcp: async () => ({ list: () => Promise.reject(new Error('no MCP server in this process')) }),
    mcpTests: new McpTests({ credentialsKey: async () => 'c'.repeat(64), keys, clock }),
    override: new DynamoDocumentStore(dynamo, 'policies', OVERRIDE_DOCUMENT),
    prices: new DynamoDocumentStore(dynamo, 'policies', pricesDocument(prices)),
    identity: new DynamoDocumentStore(dynamo, 'policies', identityDocument([])),
    alerts: new DynamoDocumentStore(dynamo, 'policies', ALERTS_DOCUMENT),
    alertStates: new DynamoStateStore(dynamo, 'policies', ALERT_STATES),
    approvedDefinitions: new DynamoStateStore(dynamo, 'policies', APPROVED_DEFINITIONS),
    shownTools: new DynamoStateStore(dynamo, 'policies', SHOWN_TOOLS),
    views: new DynamoStateStore(dynamo, 'policies', SAVED_VIEWS),
    identities: new DynamoIdentityStore(dynamo, 'keys', clock),
    records,
    aggregates,
    upstream: {
      settings: async () => ({}),
      resolveKey: async (setting) => setting,
      liveCredentials: { lookUp: async (value) => ({ value, hosts: new Set() }), bindToken: () => {} },
      sharedCredentials: async () => new Map(),
      routes,
      prices,
      echo: true,
      bedrock: false,
      signsBedrock: false,
      circuits: async () => [],
      connections: async () => providerConnections(() => undefined, true),
    },
    deployment: DEPLOYMENT,
    captures,
    approvals,
    approvalSecrets,
    engine: async () => replayEngine(undefined),
    endUserStores: [
      approvals,
      new DynamoIdempotencyStore(dynamo, 'idempotency'),
      new DynamoDeliveredEndUsers(dynamo, 'deliveries'),
      new DynamoIdentityStore(dynamo, 'keys', clock),
    ],
    hasher,
    authenticator: {
      keys: new KeyCache(keys, clock, { freshMs: 0, staleMs: 0 }),
      hasher,
      uses: new KeyUses(keys, clock),
      teams: new LiveTeams({ settings: async () => (await teams.current()).settings, renew: async () => {} }, clock),
      clock,
      identities: NO_TOKENS,
      imported: new ImportedSecrets({
        document: { settings: async () => (await importedSecrets.current()).settings },
        hasher,
        clock,
      }),
    },
    sessions: new Sessions(
      createSecretSealer(async () => 's'.repeat(64), 'svc dashboard session'),
      clock,
      true,
    ),
    limits: new DynamoLimitStore({ client: dynamo, settling: dynamo }, 'limits', clock),
    toolPins: new DynamoToolPinStore(dynamo, 'limits'),
    webhooks: new DynamoWebhookStore(
      dynamo,
      'webhooks',
      createSecretSealer(async () => 's'.repeat(64)),
      clock,
    ),
    endpointUrls: { allowLoopback: false },
    alertTopicArns: ['arn:aws:sns:eu-central-1:123456789012:alerts'],
    deliveries: new DynamoDeliveryStore(dynamo, 'deliveries', clock, 30),
    turns: new DynamoEndpointTurns(dynamo, 'deliveries', clock, 0),
    waker: { wake: async (id) => void wakes.push(id) },
    clock,
    onAudited: () => {},
    onApprovalDecided: () => {},
  });
  const analytics = {
    authenticator: deps.authenticator,
    keys,
    sessions: deps.sessions,
    toolPins: deps.toolPins,
    approvals: deps.approvals,
    policies: deps.policies,
    override: deps.override,
    teams,
    records,
    aggregates,
    engine: deps.engine,
    clock,
  };
  const app = createAdminApp(deps, analytics, {
    monotonic: () => clock.monotonic(),
    onError: () => {},
    onAnswered: () => {},
  });
  const fields = createKeySchema.parse({ name: 'First admin key', permissions: ['admin'] });
  const first = await makeKey(fields, hasher, clock);
  await keys.create(first.key);

  /** The raw response to a request without a key. */
  const raw = async (method: string, path: string, headers: Readonly<Record<string, string>>): Promise<Response> => {
    const request = new Request(`http://admin${path}`, { method, headers });
    const bytes = async () => new Uint8Array();
    const incoming = { method, url: request.url, headers: request.headers, bytes };
    return toWebResponse(await app(incoming, { clientAddress: '192.0.2.7' }));
  };

  const callAt = async (method: string, path: string, options: AdminCall = {}): Promise<AdminResponse> => {
    const { key = first.secret, body, headers = {}, address = '192.0.2.7' } = options;
    const request = new Request(`http://admin${path}`, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const incoming = {
      method,
      url: request.url,
      headers: request.headers,
      bytes: async () => new Uint8Array(await request.arrayBuffer()),
    };
    const response = toWebResponse(await app(incoming, { clientAddress: address }));
    return { status: response.status, headers: response.headers, json: JSON.parse(await response.text()) };
  };

  const call = (method: string, path: string, options?: AdminCall) => callAt(method, `/v1/admin${path}`, options);

  return {
    app,
    call,
    callAt,
    raw,
    clock,
    dynamo,
    deps,
    /** Asks for tool calls, as the gateway does. */
    approvals: new Approvals({ store: approvals, secrets: approvalSecrets, clock, onChanged: () => {} }),
    /** Events of keys, webhooks, approvals and documents that are not relayed yet. */
    events: () => toldEvents(dynamo, 'keys', 'webhooks', 'approvals', 'policies'),
    /** A text sealed with the same secret, but for another purpose than sessions. */
    sealedForWebhooks: (text: string) => createSecretSealer(async () => 's'.repeat(64)).seal(text, 'session'),
    /** Endpoints that were woken. */
    wakes,
    stores,
    admin: { id: first.key.id, secret: first.secret },
    stop: async () => {
      await stores.stop();
    },
  };
}

export type AdminApp = Awaited<ReturnType<typeof startAdminApp>>;
