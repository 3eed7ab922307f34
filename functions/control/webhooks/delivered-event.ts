import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Webhook } from '../../kernel/model/index.ts';

/** An event from the queue, of any type, so that new types are sent as well. */
export const deliveredEventSchema = z.looseObject({
  id: z.string().regex(/^evt_[A-Za-z0-9_-]{1,100}$/),
  type: z.string().min(1).max(100),
  created: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type DeliveredEvent = z.infer<typeof deliveredEventSchema>;

/** The same for the same event and endpoint, so that an event that arrives twice makes one delivery. */
export function deliveryIdOf(eventId: string, webhookId: string): string {
  return `delivery_${digestOf(eventId, webhookId)}`;
}

/** 32 hexadecimal digits that identify these texts. */
export function digestOf(...texts: string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 32);
}

/** The types of the event's findings, each once, in order. */
export function threatTypesOf({ data }: DeliveredEvent): string[] {
  const threats = Array.isArray(data.detectedThreats) ? (data.detectedThreats as { type?: unknown }[]) : [];
  return [...new Set(threats.flatMap(({ type }) => (typeof type === 'string' ? [type] : [])))].sort();
}

/** A body stays below 64 KB. */
export const MAX_EVENT_BYTES = 64 * 1024 - 1;

/**
 * The exact text that is sent for an event: `{id, type, created, data}`. Where it would be too long, the largest fields
 * of `data` are left out, and `data.omitted` names them.
 */
export function eventBody({ id, type, created, data }: DeliveredEvent): string {
  const kept = { ...data };
  const omitted: string[] = [];
  for (;;) {
    const text = JSON.stringify({ id, type, created, data: { ...kept, ...(omitted.length > 0 && { omitted }) } });
    if (Buffer.byteLength(text) <= MAX_EVENT_BYTES) return text;
    const [largest] = Object.keys(kept).sort((a, b) => lengthOf(kept[b]) - lengthOf(kept[a]));
    if (largest === undefined) throw new Error(`event ${id} is too large without any data`);
    delete kept[largest];
    omitted.push(largest);
  }
}

function lengthOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/** Types that an attack repeats. Refusals by limits are counted where they occur. */
const GATHERED = ['threat.detected', 'request.blocked'];

/**
 * The name of similar events for an endpoint: the same type, key and threat types. undefined for types that are never
 * combined.
 */
export function alikeName(webhookId: string, event: DeliveredEvent): string | undefined {
  if (!GATHERED.includes(event.type)) return undefined;
  return digestOf(webhookId, event.type, String(event.data.keyId), ...threatTypesOf(event));
}

/** The event of a digest: the first of its events, as an example of `count`, with its own id. */
export function digestEvent(digestId: string, first: DeliveredEvent, count: number): DeliveredEvent {
  return { ...first, id: `evt_${digestOf(digestId)}`, data: { ...first.data, count } };
}

/** Events with findings, to which filters by findings apply. */
const OF_FINDINGS = ['threat.detected', 'request.blocked'];

/** Whether an active endpoint receives an event. A test event is for the endpoint that it names, despite filters. */
export function wants(webhook: Webhook, event: DeliveredEvent): boolean {
  if (event.type === 'webhook.test') return event.data.webhookId === webhook.id;
  const types: readonly string[] = webhook.events;
  return (types.includes(event.type) || isTarget(webhook, event)) && fits(webhook.filter, event);
}

/** Whether an alert names the endpoint. */
function isTarget({ id }: Webhook, { type, data: { webhookIds } }: DeliveredEvent): boolean {
  return type.startsWith('alert.') && Array.isArray(webhookIds) && webhookIds.includes(id);
}

function fits({ minThreatScore, threatTypes, environments }: Webhook['filter'], event: DeliveredEvent): boolean {
  const { environment, threatScore } = event.data;
  // Events without an environment, such as those of webhooks, pass the filter.
  if (environments !== undefined && typeof environment === 'string' && !has(environments, environment)) return false;
  if (!OF_FINDINGS.includes(event.type)) return true;
  if (minThreatScore !== undefined && !(typeof threatScore === 'number' && threatScore >= minThreatScore)) return false;
  return threatTypes === undefined || threatTypesOf(event).some((type) => threatTypes.includes(type));
}

/** Environments are written as `Production` and compared in any case. */
function has(environments: readonly string[], asked: string): boolean {
  return environments.some((environment) => environment.toLowerCase() === asked.toLowerCase());
}
