import type { Webhook } from '../model/webhook.ts';
import { type DeliveredEvent, threatTypesOf } from './delivered-event.ts';

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
