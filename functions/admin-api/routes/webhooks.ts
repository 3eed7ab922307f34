import type { webhookOperations } from '../../contract/index.ts';
import { audit, auditVoid, type Caller, changedFields } from '../../control/audit/index.ts';
import {
  disabledEvent,
  findUrlFault,
  mintWebhookSecret,
  newWebhookId,
  rotateSecrets,
  type StoredWebhook,
  testEvent,
} from '../../control/webhooks/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import {
  type GatewayEvent,
  isPermitted,
  REQUEST_EVENTS,
  toWebhookView,
  type UpdateWebhook,
  type Webhook,
  type WebhookView,
} from '../../kernel/model/index.ts';
import type { AuthorizedCaller } from '../access.ts';
import type { AdminDeps } from '../admin-deps.ts';
import type { Handlers } from '../operation-routes.ts';
import { refuseAlertTarget } from './alerts.ts';

/** Concurrent changes of one endpoint by administrators are few, and deliveries rarely write to one. */
const MAX_CONFLICTS = 5;

/** Endpoints for events, their state and their signing secrets; each change is in the audit log. */
export const WEBHOOK_HANDLERS: Handlers<typeof webhookOperations, AdminDeps> = {
  async listWebhooks({ query: { limit, cursor } }, deps) {
    const page = await deps.webhooks.list(limit, cursor);
    return {
      object: 'list',
      data: page.webhooks.map(({ webhook }) => toWebhookView(webhook, deps.clock.now())),
      nextCursor: page.nextCursor ?? null,
    };
  },
  async createWebhook({ body, caller }, deps) {
    requireEndpointUrl(body.url, deps);
    requireFormat(body);
    requireReader(body.events, caller);
    const now = deps.clock.now();
    const secret = mintWebhookSecret(now);
    const webhook: Webhook = {
      ...body,
      id: newWebhookId(now),
      filter: body.filter as Webhook['filter'],
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
    return body.format === 'svc' ? { ...after, secret: secret.secret } : after;
  },
  async getWebhook({ params }, deps) {
    const stored = await deps.webhooks.find(params.id);
    if (stored === undefined) throw webhookNotFound();
    const view = toWebhookView(stored.webhook, deps.clock.now());
    return { ...view, ...(await readPause(stored.webhook, deps)) };
  },
  /** Absent fields stay unchanged; `state` enables or disables. */
  async updateWebhook({ params, body, caller }, deps) {
    if (body.url !== undefined) requireEndpointUrl(body.url, deps);
    const change = (webhook: Webhook) => {
      const changed = withChanges(webhook, body);
      requireFormat(changed);
      // A disabled one that has another target may be enabled by an administrator who does not expect it.
      const sendsElsewhere = body.url !== undefined || body.events !== undefined || body.filter !== undefined;
      if (changed.state === 'active' || sendsElsewhere) requireReader(changed.events, caller);
      const isDisabled = webhook.state === 'active' && changed.state === 'disabled';
      return { webhook: changed, event: isDisabled ? disabledEvent(changed, deps.clock.now()) : undefined };
    };
    const webhook = await changeWebhook(params.id, 'webhook.updated', change, caller, deps);
    return toWebhookView(webhook, deps.clock.now());
  },
  /** Deletes it permanently with its secrets. */
  async deleteWebhook({ params: { id }, caller }, deps) {
    await refuseAlertTarget(id, deps);
    await deleteWebhook(id, caller, deps);
    return { object: 'webhook.deletion', id, deleted: true };
  },
  async rotateWebhookSecret({ params, body, caller }, deps) {
    const next = mintWebhookSecret(deps.clock.now());
    const rotate = (webhook: Webhook) => {
      const { format = 'svc', secrets } = webhook;
      if (format !== 'svc')
        throw new GatewayError('conflict', `A webhook of the format '${format}' has no signing secret.`);
      return { webhook: { ...webhook, secrets: rotateSecrets(secrets, next, body.graceSeconds, deps.clock.now()) } };
    };
    const webhook = await changeWebhook(params.id, 'webhook.secret_rotated', rotate, caller, deps);
    return { ...toWebhookView(webhook, deps.clock.now()), secret: next.secret };
  },
  async testWebhook({ params: { id }, caller }, deps) {
    const event = testEvent(id, deps.clock.now());
    const test = (webhook: Webhook) => {
      if (webhook.state === 'active') return { webhook, event };
      throw new GatewayError('conflict', 'The webhook is disabled: nothing is sent to it. Enable it first.');
    };
    await changeWebhook(id, 'webhook.tested', test, caller, deps);
    return { object: 'webhook.test', webhookId: id, eventId: event.id };
  },
};

async function readPause(
  { id, state, failingSince }: Webhook,
  { turns, clock }: AdminDeps,
): Promise<Pick<WebhookView, 'pausedUntil'>> {
  // The next turn ignores the pause of an endpoint whose failures an administrator cleared.
  if (state === 'disabled' || failingSince === null) return {};
  const { pausedUntilMs } = await turns.read(id);
  return pausedUntilMs > clock.now() ? { pausedUntil: new Date(pausedUntilMs).toISOString() } : {};
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

/** Events of requests, and of their totals, show what `analytics` shows. @throws GatewayError `insufficient_permissions` */
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

/** The only events that pagers show, and chats. */
const ALERT_EVENTS: Webhook['events'] = ['alert.fired', 'alert.resolved'];
const CHAT_EVENTS: Webhook['events'] = [...ALERT_EVENTS, 'spend.report'];

/** @throws GatewayError `invalid_value` for events or a routing key that the format has not, `missing_field` */
function requireFormat({
  format = 'svc',
  events,
  routingKey,
}: Pick<Webhook, 'format' | 'events' | 'routingKey'>): void {
  const invalid = (param: string, message: string) => new GatewayError('invalid_value', message, { param });
  const shown = format === 'pagerduty' ? ALERT_EVENTS : CHAT_EVENTS;
  const other = events.find((type) => !shown.includes(type));
  if (format === 'svc' && events.length === 0) throw invalid('events', "'events' must have at least one type.");
  if (format !== 'svc' && other !== undefined) {
    throw invalid('events', `'events' of the format '${format}' may be ${shown.join(', ')}, not '${other}'.`);
  }
  if (format !== 'pagerduty' && routingKey !== undefined)
    throw invalid('routingKey', "'routingKey' is only for 'pagerduty'.");
  if (format !== 'pagerduty' || routingKey !== undefined) return;
  throw new GatewayError('missing_field', "'routingKey' is needed by 'pagerduty'.", { param: 'routingKey' });
}
