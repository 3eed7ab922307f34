import { utf8Length } from '../json/utf8-length.ts';
import { type ApiKey, toKeyView } from '../model/api-key.ts';
import { type GatewayEvent, type KeyEventData, newEventId } from '../ports/event-publisher.ts';

/** The event stands in the key's own item until it is relayed, and a receiver takes it in one message. */
const MAX_BYTES = 16 * 1024;

export type KeyEventType = Extract<GatewayEvent, { type: `key.${string}` }>['type'];

/** That a key was changed, or made. */
export function keyEvent(type: KeyEventType, key: ApiKey, nowMs: number): GatewayEvent {
  return { id: newEventId(), type, created: new Date(nowMs).toISOString(), data: keyEventData(key, nowMs) };
}

/** The key as events tell of it. */
export function keyEventData(key: ApiKey, nowMs: number): KeyEventData {
  const view = toKeyView(key, nowMs);
  const { id, object, name, state } = view;
  return utf8Length(JSON.stringify(view)) > MAX_BYTES ? { id, object, name, state } : view;
}
