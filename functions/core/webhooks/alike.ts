import { type DeliveredEvent, digestOf, threatTypesOf } from './delivered-event.ts';

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
