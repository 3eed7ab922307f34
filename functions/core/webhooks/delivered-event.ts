import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Webhook } from '../model/webhook.ts';

/** An event as it comes from the queue: of whatever type, so that one which is new goes out as well. */
export const deliveredEventSchema = z.looseObject({
  id: z.string().regex(/^evt_[A-Za-z0-9_-]{1,100}$/),
  type: z.string().min(1).max(100),
  created: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type DeliveredEvent = z.infer<typeof deliveredEventSchema>;

/** The same for the same event and endpoint, so that an event which comes twice makes no second delivery. */
export function deliveryIdOf(eventId: string, webhookId: string): string {
  return `delivery_${digestOf(eventId, webhookId)}`;
}

/** 32 hexadecimal digits that tell these texts from all others. */
export function digestOf(...texts: string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 32);
}

/** The types of what was found, each once, in order. */
export function threatTypesOf({ data }: DeliveredEvent): string[] {
  const threats = Array.isArray(data.detectedThreats) ? (data.detectedThreats as { type?: unknown }[]) : [];
  return [...new Set(threats.flatMap(({ type }) => (typeof type === 'string' ? [type] : [])))].sort();
}

/** A body stays below 64 KB. */
export const MAX_EVENT_BYTES = 64 * 1024 - 1;

/**
 * The exact text that is sent of an event: `{id, type, created, data}`. Where that is too long the largest fields of `data`
 * are left out, and `data.omitted` names them.
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

/** What an attack makes many of. Refusals by limits are counted where they are made. */
const GATHERED = ['threat.detected', 'request.blocked'];

/**
 * The name of all events that are alike for an endpoint: of the same type, by the same key, of the same types of threats.
 * undefined for those that are never gathered.
 */
export function alikeName(webhookId: string, event: DeliveredEvent): string | undefined {
  if (!GATHERED.includes(event.type)) return undefined;
  return digestOf(webhookId, event.type, String(event.data.keyId), ...threatTypesOf(event));
}

/** What a digest tells: the first of its events, as an example of `count`, under an id of its own. */
export function digestEvent(digestId: string, first: DeliveredEvent, count: number): DeliveredEvent {
  return { ...first, id: `evt_${digestOf(digestId)}`, data: { ...first.data, count } };
}

/** Those that tell what inspection found: what is filtered by it. */
const OF_FINDINGS = ['threat.detected', 'request.blocked'];

/** Whether an active endpoint is told of an event. A test event is for the one that it names, whatever that one filters. */
export function wants(webhook: Webhook, event: DeliveredEvent): boolean {
  if (event.type === 'webhook.test') return event.data.webhookId === webhook.id;
  const types: readonly string[] = webhook.events;
  return types.includes(event.type) && fits(webhook.filter, event);
}

function fits({ minThreatScore, threatTypes, environments }: Webhook['filter'], event: DeliveredEvent): boolean {
  const { environment, threatScore } = event.data;
  // What belongs to no environment, such as an endpoint, is told to all.
  if (environments !== undefined && typeof environment === 'string' && !has(environments, environment)) return false;
  if (!OF_FINDINGS.includes(event.type)) return true;
  if (minThreatScore !== undefined && !(typeof threatScore === 'number' && threatScore >= minThreatScore)) return false;
  return threatTypes === undefined || threatTypesOf(event).some((type) => threatTypes.includes(type));
}

/** Environments are told as `Production` and read in any case. */
function has(environments: readonly string[], asked: string): boolean {
  return environments.some((environment) => environment.toLowerCase() === asked.toLowerCase());
}
