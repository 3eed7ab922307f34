import type { GatewayEvent } from '../core/ports/event-publisher.ts';
import { type AttributeValue, type Item, text } from './dynamo-item.ts';

/**
 * What is to be told of an item stands in the item itself, so that the write that changes it is the write that says so:
 * `outbox`, a list of events as JSON, and `outboxPk`, which the stream's filter and the local index look for.
 */
const MARK = text('outbox');

/** What a new item holds besides, that is told of. */
export function outboxOf(event: GatewayEvent | undefined): Item {
  return event === undefined ? {} : { outbox: { L: [toValue(event)] }, outboxPk: MARK };
}

/** What an UpdateItem needs to add an event to those that were not relayed yet; parts that are empty without one. */
export function addingToOutbox(event: GatewayEvent | undefined): {
  /** To be put behind a SET clause that is not empty. */
  readonly set: string;
  readonly names: Record<string, string>;
  readonly values: Record<string, AttributeValue>;
} {
  if (event === undefined) return { set: '', names: {}, values: {} };
  return {
    set: ', #outbox = list_append(if_not_exists(#outbox, :none), :told), #outboxPk = :outboxPk',
    names: { '#outbox': 'outbox', '#outboxPk': 'outboxPk' },
    values: { ':none': { L: [] }, ':told': { L: [toValue(event)] }, ':outboxPk': MARK },
  };
}

/** The events of an item, oldest first, each as its JSON. */
export function outboxIn(item: Item): string[] {
  return (item.outbox?.L ?? []).flatMap(({ S }) => S ?? []);
}

/** An item as it was without what is told of it. */
export function withoutOutbox({ outbox: _, outboxPk: __, ...item }: Item): Item {
  return item;
}

function toValue(event: GatewayEvent): { S: string } {
  return text(JSON.stringify(event));
}
