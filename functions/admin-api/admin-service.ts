import { type Authenticator, authenticate, authorize } from '../core/access/authenticate.ts';
import type { AuditEntry, AuditFact } from '../core/audit/audit-record.ts';
import { GatewayError } from '../core/errors.ts';
import { keyEvent } from '../core/events/key-event.ts';
import type { RoutedRequest } from '../core/http/router.ts';
import { type ApiKey, type CreateKey, toKeyView } from '../core/model/api-key.ts';
import type { ReplayEngine } from '../core/policies/replay.ts';
import type { AuditLog } from '../core/ports/audit-log.ts';
import type { CaptureStore } from '../core/ports/capture-store.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { DeliveryStore } from '../core/ports/delivery-store.ts';
import type { EndUserStore } from '../core/ports/end-user-store.ts';
import type { EndpointWaker } from '../core/ports/endpoint-turns.ts';
import type { KeyHasher } from '../core/ports/key-hasher.ts';
import type { KeyStore } from '../core/ports/key-store.ts';
import type { PolicyStore } from '../core/ports/policy-store.ts';
import type { RequestRecordReader } from '../core/ports/request-records.ts';
import type { WebhookRegistry } from '../core/ports/webhook-store.ts';
import type { EndpointUrlRules } from '../core/webhooks/endpoint-url.ts';

export interface AdminDeps {
  readonly keys: KeyStore;
  readonly audit: AuditLog;
  readonly policies: PolicyStore;
  readonly hasher: KeyHasher;
  readonly authenticator: Authenticator;
  readonly records: RequestRecordReader;
  readonly captures: Pick<CaptureStore, 'read'>;
  /** Loaded by who asks for it alone: rules are large. */
  readonly engine: () => Promise<ReplayEngine>;
  /** Everything that keeps something for end users. */
  readonly endUserStores: readonly EndUserStore[];
  readonly webhooks: WebhookRegistry;
  /** Which addresses an endpoint may have. */
  readonly endpointUrls: EndpointUrlRules;
  readonly deliveries: Pick<DeliveryStore, 'get' | 'list' | 'redeliver'>;
  readonly waker: EndpointWaker;
  readonly clock: Clock;
  /** Told of every audit record, so that its hash is known outside of the log too. */
  readonly onAudited: (entry: AuditEntry) => void;
}

/** Who asks for something, and from where. */
export interface Caller {
  readonly actor: AuditFact['actor'];
  readonly from: AuditFact['from'];
}

/** Lets only an administrator's key on. @throws GatewayError 401 or 403 */
export async function requireAdmin(routed: RoutedRequest, { authenticator }: AdminDeps): Promise<Caller> {
  const { request, context, requestId } = routed;
  const key = await authenticate(request.headers, authenticator);
  authorize(key, 'admin', context.clientAddress);
  return { actor: { type: 'key', id: key.id }, from: { address: context.clientAddress, requestId } };
}

/** Whoever has the deployment's own credentials. */
export const OPERATOR: Caller = { actor: { type: 'operator' }, from: null };

/** What the audit log needs. */
export type AuditDeps = Pick<AdminDeps, 'audit' | 'clock' | 'onAudited'>;

/**
 * Puts what is about to be done into the audit log. It is called before the change, so that none is ever made without its
 * record; where the record cannot be written the change is not made.
 */
export async function audit(
  caller: Caller,
  fact: Pick<AuditFact, 'action' | 'target' | 'before' | 'after'>,
  { audit, clock, onAudited }: AuditDeps,
): Promise<AuditEntry> {
  const entry = await audit.append({ at: new Date(clock.now()).toISOString(), ...caller, ...fact });
  onAudited(entry);
  return entry;
}

/** Says in the audit log that what a record announced did not take place. */
export async function auditVoid(caller: Caller, { record }: AuditEntry, deps: AuditDeps): Promise<void> {
  const target = { type: 'audit', id: String(record.seq) } as const;
  await audit(caller, { action: 'audit.void', target, before: null, after: null }, deps);
}

/** A new key as it is stored, and its secret. `given` is one that was agreed on beforehand, for a first key. */
export async function makeKey(
  fields: CreateKey,
  hasher: KeyHasher,
  clock: Clock,
  given?: string,
): Promise<{ key: ApiKey; secret: string }> {
  const secret = given ?? (await hasher.mint());
  const key: ApiKey = {
    ...fields,
    id: `key_${crypto.randomUUID().replaceAll('-', '')}`,
    state: 'active',
    last4: secret.slice(-4),
    createdAt: new Date(clock.now()).toISOString(),
    secretHash: await currentHash(secret, hasher),
  };
  return { key, secret };
}

/** Stores a new key, and tells of it. */
export async function storeKey(key: ApiKey, caller: Caller, deps: AuditDeps & Pick<AdminDeps, 'keys'>): Promise<void> {
  const after = toKeyView(key, deps.clock.now());
  await audit(caller, { action: 'key.created', target: { type: 'key', id: key.id }, before: null, after }, deps);
  await deps.keys.create(key, keyEvent('key.created', key, deps.clock.now()));
}

/** Under the current pepper. */
export async function currentHash(secret: string, hasher: KeyHasher): Promise<string> {
  const [current] = await hasher.hashes(secret);
  return current;
}

export function keyNotFound(): GatewayError {
  return new GatewayError('not_found', 'There is no such key, or it is revoked.');
}
