import type { GatewayEvent } from '../../core/model/events.ts';
import type { Item } from './dynamo-item.ts';

/**
 * Events of an item are stored in the item itself, so that one write changes it and emits them. `outbox` is a list of events as JSON;
 * the stream's filter and the local index look for `outboxPk`.
 */
interface OutboxMembers {
  readonly outbox?: readonly string[];
  readonly outboxPk?: string;
}

const MARK = 'outbox';

/** What a new item with an event holds besides. */
export function outboxOf(event: GatewayEvent | undefined): OutboxMembers {
  return event === undefined ? {} : { outbox: [JSON.stringify(event)], outboxPk: MARK };
}

/** What an UpdateItem needs to add an event to those not relayed yet; parts that are empty without one. */
export function addingToOutbox(event: GatewayEvent | undefined): {
  /** To be put behind a SET clause that is not empty. */
  readonly set: string;
  readonly names: Record<string, string>;
  readonly values: Item;
} {
  if (event === undefined) return { set: '', names: {}, values: {} };
  return {
    set: ', #outbox = list_append(if_not_exists(#outbox, :none), :told), #outboxPk = :outboxPk',
    names: { '#outbox': 'outbox', '#outboxPk': 'outboxPk' },
    values: { ':none': [], ':told': [JSON.stringify(event)], ':outboxPk': MARK },
  };
}

/** The events of an item, oldest first, each as its JSON. */
export function outboxIn(item: Item): readonly string[] {
  return (item as OutboxMembers).outbox ?? [];
}

/** An item without its outbox. */
export function withoutOutbox({ outbox: _, outboxPk: __, ...item }: Item): Item {
  return item;
}
