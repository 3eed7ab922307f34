import { randomBytes } from 'node:crypto';
import type { DisabledReason, Webhook } from '../../kernel/model/index.ts';
import type { WebhookStore } from './webhook-store.ts';

export function aWebhook(change: Partial<Webhook> = {}): Webhook {
  return {
    id: `wh_${randomBytes(8).toString('hex')}`,
    url: 'https://example.com/hook',
    events: ['threat.detected', 'request.blocked', 'key.created'],
    filter: {},
    description: null,
    state: 'active',
    disabledReason: null,
    failingSince: null,
    createdAt: '2026-11-01T00:00:00.000Z',
    secrets: [{ secret: `whsec_${randomBytes(32).toString('base64')}`, createdAt: '2026-11-01T00:00:00.000Z' }],
    ...change,
  };
}

/** Endpoints in memory; `disabled` lists which were disabled, in order. */
export class MemoryWebhooks implements WebhookStore {
  readonly all = new Map<string, Webhook>();
  readonly disabled: [id: string, reason: DisabledReason][] = [];

  constructor(...webhooks: Webhook[]) {
    for (const webhook of webhooks) this.all.set(webhook.id, webhook);
  }

  async get(id: string): Promise<Webhook | undefined> {
    return this.all.get(id);
  }

  async listActive(): Promise<readonly Webhook[]> {
    return [...this.all.values()].filter(({ state }) => state === 'active');
  }

  async disable({ id, url }: Webhook, disabledReason: DisabledReason): Promise<boolean> {
    const now = this.all.get(id);
    if (now?.state !== 'active' || now.url !== url) return false;
    this.all.set(id, { ...now, state: 'disabled', disabledReason });
    this.disabled.push([id, disabledReason]);
    return true;
  }

  async noteFailing(id: string, since: string | null): Promise<void> {
    const now = this.all.get(id);
    if (now === undefined || (now.failingSince === null) === (since === null)) return;
    this.all.set(id, { ...now, failingSince: since });
  }
}
