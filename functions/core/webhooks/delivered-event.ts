import { createHash } from 'node:crypto';
import * as z from 'zod';

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
