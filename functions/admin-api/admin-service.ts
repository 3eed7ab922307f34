import { type Authenticator, authenticate, authorize } from '../core/access/authenticate.ts';
import { GatewayError } from '../core/errors.ts';
import type { RoutedRequest } from '../core/http/router.ts';
import { type ApiKey, type CreateKey, toKeyView } from '../core/model/api-key.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { EventPublisher, GatewayEvent } from '../core/ports/event-publisher.ts';
import type { KeyHasher } from '../core/ports/key-hasher.ts';
import type { KeyStore } from '../core/ports/key-store.ts';

export interface AdminDeps {
  readonly keys: KeyStore;
  readonly hasher: KeyHasher;
  readonly authenticator: Authenticator;
  readonly events: EventPublisher;
  readonly clock: Clock;
  /** Told of a change whose event could not be queued. */
  readonly onEventLost: (eventId: string, error: unknown) => void;
}

/** Lets only an administrator's key on. @throws GatewayError 401 or 403 */
export async function requireAdmin({ request, context }: RoutedRequest, { authenticator }: AdminDeps): Promise<ApiKey> {
  const key = await authenticate(request.headers, authenticator);
  authorize(key, 'admin', context.clientAddress);
  return key;
}

/** A new key as it is stored, and its secret. `secret` may be given for a first key that was agreed on beforehand. */
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

/** Under the current pepper. */
export async function currentHash(secret: string, hasher: KeyHasher): Promise<string> {
  const [current] = await hasher.hashes(secret);
  return current;
}

type KeyEventType = Extract<GatewayEvent, { type: `key.${string}` }>['type'];

/** Tells of a change. The change stands also where its event cannot be queued: a new key's secret must reach its owner. */
export async function publishKeyEvent(type: KeyEventType, key: ApiKey, deps: AdminDeps): Promise<void> {
  const event: GatewayEvent = {
    id: `evt_${crypto.randomUUID().replaceAll('-', '')}`,
    type,
    created: new Date(deps.clock.now()).toISOString(),
    data: toKeyView(key, deps.clock.now()),
  };
  try {
    await deps.events.publish(event);
  } catch (error) {
    deps.onEventLost(event.id, error);
  }
}

export function keyNotFound(): GatewayError {
  return new GatewayError('not_found', 'There is no such key, or it is revoked.');
}
