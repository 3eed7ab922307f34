import { audit, auditVoid, type Caller, changedFields } from '../../core/audit/audit-change.ts';
import { GatewayError } from '../../core/base/errors.ts';
import { readPageQuery } from '../../core/http/request-body.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { isPermitted } from '../../core/model/api-key.ts';
import { REQUEST_EVENTS } from '../../core/model/event-types.ts';
import type { GatewayEvent } from '../../core/model/events.ts';
import { toWebhookView, type UpdateWebhook, type Webhook, type WebhookView } from '../../core/model/webhook.ts';
import { findUrlFault } from '../../core/webhooks/endpoint-url.ts';
import { disabledEvent, testEvent } from '../../core/webhooks/relay-events.ts';
import {
  mintWebhookSecret,
  newWebhookId,
  rotateSecrets,
  type StoredWebhook,
} from '../../core/webhooks/webhook-store.ts';
import type { AuthorizedCaller } from '../access.ts';
import { type AdminDeps, readChange, requireAdmin } from '../admin-deps.ts';
import {
  type CreatedWebhook,
  createWebhookSchema,
  rotateWebhookSecretSchema,
  updateWebhookSchema,
  type WebhookDeletion,
  type WebhookList,
  type WebhookTest,
} from '../contract.ts';

/** Concurrent changes of one endpoint by administrators are few, and deliveries rarely write to one. */
const MAX_CONFLICTS = 5;

/** `/v1/admin/webhooks`: endpoints for events, their state and their signing secrets; each change is in the audit log. */
export function webhookRoutes(deps: AdminDeps): Route[] {
  return [
    createWebhookRoute(deps),
    listWebhooksRoute(deps),
    getWebhookRoute(deps),
    updateWebhookRoute(deps),
    deleteWebhookRoute(deps),
    rotateWebhookSecretRoute(deps),
    testWebhookRoute(deps),
  ];
}

/** `POST /v1/admin/webhooks`: 201 with the endpoint and, only this once, its signing secret. */
function createWebhookRoute(deps: AdminDeps): Route {
  return {
    method: 'POST',
    path: '/v1/admin/webhooks',
    async handle(routed) {
      const { fields, caller } = await readChange(routed, createWebhookSchema, deps);
      requireEndpointUrl(fields.url, deps);
      requireReader(fields.events, caller);
      const now = deps.clock.now();
      const secret = mintWebhookSecret(now);
      const webhook: Webhook = {
        ...fields,
        id: newWebhookId(now),
        filter: fields.filter as Webhook['filter'],
        state: 'active',
        disabledReason: null,
        failingSince: null,
        createdAt: new Date(now).toISOString(),
        secrets: [secret],
      };
      const after = toWebhookView(webhook, now);
      const target = { type: 'webhook', id: webhook.id } as const;
      await audit(caller, { action: 'webhook.created', target, before: null, after }, deps);
      await deps.webhooks.create(webhook);
      const created: CreatedWebhook = { ...after, secret: secret.secret };
      return jsonResponse(201, created);
    },
  };
}

/** `GET /v1/admin/webhooks?limit&cursor`: newest first. */
function listWebhooksRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: '/v1/admin/webhooks',
    async handle(routed) {
      await requireAdmin(routed, deps);
      const { limit, cursor } = readPageQuery(routed.request.url);
      const page = await deps.webhooks.list(limit, cursor);
      const list: WebhookList = {
        object: 'list',
        data: page.webhooks.map(({ webhook }) => toWebhookView(webhook, deps.clock.now())),
        nextCursor: page.nextCursor ?? null,
      };
      return jsonResponse(200, list);
    },
  };
}

/** `GET /v1/admin/webhooks/{id}` */
function getWebhookRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: '/v1/admin/webhooks/{id}',
    async handle(routed) {
      await requireAdmin(routed, deps);
      const stored = await deps.webhooks.find(routed.params.id as string);
      if (stored === undefined) throw webhookNotFound();
      const view = toWebhookView(stored.webhook, deps.clock.now());
      return jsonResponse(200, { ...view, ...(await readPause(stored.webhook, deps)) });
    },
  };
}

async function readPause(
  { id, state, failingSince }: Webhook,
  { turns, clock }: AdminDeps,
): Promise<Pick<WebhookView, 'pausedUntil'>> {
  // The next turn ignores the pause of an endpoint whose failures an administrator cleared.
  if (state === 'disabled' || failingSince === null) return {};
  const { pausedUntilMs } = await turns.read(id);
  return pausedUntilMs > clock.now() ? { pausedUntil: new Date(pausedUntilMs).toISOString() } : {};
}

/** `PATCH /v1/admin/webhooks/{id}`: absent fields stay unchanged; `state` enables or disables. */
function updateWebhookRoute(deps: AdminDeps): Route {
  return {
    method: 'PATCH',
    path: '/v1/admin/webhooks/{id}',
    async handle(routed) {
      const { fields, caller } = await readChange(routed, updateWebhookSchema, deps);
      if (fields.url !== undefined) requireEndpointUrl(fields.url, deps);
      const change = (webhook: Webhook) => {
        const changed = withChanges(webhook, fields);
        // A disabled one that has another target may be enabled by an administrator who does not expect it.
        const sendsElsewhere = fields.url !== undefined || fields.events !== undefined || fields.filter !== undefined;
        if (changed.state === 'active' || sendsElsewhere) requireReader(changed.events, caller);
        const isDisabled = webhook.state === 'active' && changed.state === 'disabled';
        return { webhook: changed, event: isDisabled ? disabledEvent(changed, deps.clock.now()) : undefined };
      };
      const webhook = await changeWebhook(routed.params.id as string, 'webhook.updated', change, caller, deps);
      return jsonResponse(200, toWebhookView(webhook, deps.clock.now()));
    },
  };
}

function withChanges(webhook: Webhook, changes: UpdateWebhook): Webhook {
  // An absent field is not in the parsed changes, so it stays unchanged.
  const changed: Webhook = { ...webhook, ...(changes as Partial<Webhook>) };
  const moved = changed.url !== webhook.url;
  return {
    ...changed,
    // An administrator who disables a failed endpoint wants it to stay disabled.
    disabledReason: changes.state === 'disabled' ? 'admin' : changed.state === 'active' ? null : webhook.disabledReason,
    // The failure belongs to another URL, or its cause was fixed.
    failingSince: moved || changes.state === 'active' ? null : webhook.failingSince,
  };
}

/** `DELETE /v1/admin/webhooks/{id}`: deletes it permanently with its secrets; 404 if it does not exist. */
function deleteWebhookRoute(deps: AdminDeps): Route {
  return {
    method: 'DELETE',
    path: '/v1/admin/webhooks/{id}',
    async handle(routed) {
      const caller = await requireAdmin(routed, deps);
      const id = routed.params.id as string;
      await deleteWebhook(id, caller, deps);
      const deletion: WebhookDeletion = { object: 'webhook.deletion', id, deleted: true };
      return jsonResponse(200, deletion);
    },
  };
}

/** `POST /v1/admin/webhooks/{id}/rotate-secret`: 200 with, only this once, the new secret. The old one also signs for the grace period. */
function rotateWebhookSecretRoute(deps: AdminDeps): Route {
  return {
    method: 'POST',
    path: '/v1/admin/webhooks/{id}/rotate-secret',
    async handle(routed) {
      const { fields, caller } = await readChange(routed, rotateWebhookSecretSchema, deps, { isOptional: true });
      const next = mintWebhookSecret(deps.clock.now());
      const rotate = (webhook: Webhook) => ({
        webhook: {
          ...webhook,
          secrets: rotateSecrets(webhook.secrets, next, fields.graceSeconds, deps.clock.now()),
        },
      });
      const id = routed.params.id as string;
      const webhook = await changeWebhook(id, 'webhook.secret_rotated', rotate, caller, deps);
      const created: CreatedWebhook = { ...toWebhookView(webhook, deps.clock.now()), secret: next.secret };
      return jsonResponse(200, created);
    },
  };
}

/** `POST /v1/admin/webhooks/{id}/test`: 202; a `webhook.test` event for this endpoint only is scheduled. */
function testWebhookRoute(deps: AdminDeps): Route {
  return {
    method: 'POST',
    path: '/v1/admin/webhooks/{id}/test',
    async handle(routed) {
      const caller = await requireAdmin(routed, deps);
      const id = routed.params.id as string;
      const event = testEvent(id, deps.clock.now());
      const test = (webhook: Webhook) => {
        if (webhook.state === 'active') return { webhook, event };
        throw new GatewayError('conflict', 'The webhook is disabled: nothing is sent to it. Enable it first.');
      };
      await changeWebhook(id, 'webhook.tested', test, caller, deps);
      const sent: WebhookTest = { object: 'webhook.test', webhookId: id, eventId: event.id };
      return jsonResponse(202, sent);
    },
  };
}

/** The changed endpoint and its event. */
interface WebhookChange {
  readonly webhook: Webhook;
  readonly event?: GatewayEvent | undefined;
}

/**
 * Replaces an endpoint with the result of `change`; calls `change` again after a concurrent change. @throws GatewayError `not_found`, or
 * `conflict` after repeated concurrent changes
 */
async function changeWebhook(
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

/** Deletes an endpoint. @throws like changeWebhook */
async function deleteWebhook(id: string, caller: Caller, deps: AdminDeps): Promise<void> {
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

/** Events of requests show what `analytics` shows. @throws GatewayError `insufficient_permissions` */
function requireReader(events: Webhook['events'], { authority }: AuthorizedCaller): void {
  const shown = events.filter((type) => REQUEST_EVENTS.has(type));
  if (shown.length === 0 || isPermitted(authority, 'analytics')) return;
  const message = `Events of requests (${shown.join(', ')}) need the permission 'analytics'.`;
  throw new GatewayError('insufficient_permissions', message);
}

/** @throws GatewayError `invalid_value` for a URL that endpoints may not have here */
function requireEndpointUrl(url: string, { endpointUrls }: AdminDeps): void {
  const fault = findUrlFault(url, endpointUrls);
  if (fault !== undefined) throw new GatewayError('invalid_value', `'url' ${fault}.`, { param: 'url' });
}
