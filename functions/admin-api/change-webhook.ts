import { audit, auditVoid, type Caller, changedFields } from '../core/audit/audit-change.ts';
import { GatewayError } from '../core/base/errors.ts';
import type { GatewayEvent } from '../core/model/events.ts';
import { toWebhookView, type Webhook } from '../core/model/webhook.ts';
import { findUrlFault } from '../core/webhooks/endpoint-url.ts';
import type { StoredWebhook } from '../core/webhooks/webhook-store.ts';
import type { AdminDeps } from './admin-service.ts';

/** Administrators who change one endpoint at the same moment are few; who delivers notes little and seldom. */
const MAX_CONFLICTS = 5;

/** What is made of an endpoint, and what is told of that with it. */
export interface WebhookChange {
  readonly webhook: Webhook;
  readonly event?: GatewayEvent | undefined;
}

/**
 * Puts what `change` makes of an endpoint in its place; asks it again where another change came between.
 * @throws GatewayError `not_found`, or `conflict` where others change it all the time
 */
export async function changeWebhook(
  id: string,
  action: 'webhook.updated' | 'webhook.secret_rotated' | 'webhook.tested',
  change: (webhook: Webhook) => WebhookChange,
  caller: Caller,
  deps: AdminDeps,
): Promise<Webhook> {
  let changed: WebhookChange | undefined;
  await attempt(id, deps, async (stored) => {
    changed = change(stored.webhook);
    const now = deps.clock.now();
    const difference = changedFields(toWebhookView(stored.webhook, now), toWebhookView(changed.webhook, now));
    const entry = await audit(caller, { action, target: { type: 'webhook', id }, ...difference }, deps);
    if (await deps.webhooks.replace(stored, changed.webhook, changed.event)) return true;
    await auditVoid(caller, entry, deps);
    return false;
  });
  return (changed as WebhookChange | undefined)?.webhook as Webhook;
}

/** Deletes an endpoint. @throws as changeWebhook does */
export async function deleteWebhook(id: string, caller: Caller, deps: AdminDeps): Promise<void> {
  await attempt(id, deps, async (stored) => {
    const before = toWebhookView(stored.webhook, deps.clock.now());
    const fact = { action: 'webhook.deleted', target: { type: 'webhook', id }, before, after: null } as const;
    const entry = await audit(caller, fact, deps);
    if (await deps.webhooks.delete(stored)) return true;
    await auditVoid(caller, entry, deps);
    return false;
  });
}

async function attempt(
  id: string,
  { webhooks }: AdminDeps,
  work: (stored: StoredWebhook) => Promise<boolean>,
): Promise<void> {
  for (let round = 1; round <= MAX_CONFLICTS; round += 1) {
    const stored = await webhooks.find(id);
    if (stored === undefined) throw webhookNotFound();
    if (await work(stored)) return;
  }
  throw new GatewayError('conflict', 'The webhook is being changed by others. Try again.');
}

export function webhookNotFound(): GatewayError {
  return new GatewayError('not_found', 'There is no such webhook.');
}

/** @throws GatewayError `invalid_value` for an address that no endpoint may have here */
export function requireEndpointUrl(url: string, { endpointUrls }: AdminDeps): void {
  const fault = findUrlFault(url, endpointUrls);
  if (fault !== undefined) throw new GatewayError('invalid_value', `'url' ${fault}.`, { param: 'url' });
}
