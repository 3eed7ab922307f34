import type { Held, Ledger } from '../../core/limits/ledger.ts';
import type { Item } from './dynamo-item.ts';

/** The attributes of a key's item; those of slots and periods have their number in the name. */
export const FULL_AT = 'fullAt';
export const TOKENS_AT = 'tokensAt';
export const TOKENS_HELD = 'tokensHeld';
/** Always the sum of the two: a condition compares one attribute, and can add nothing up. */
export const TOKENS_TOP = 'tokensTop';
export const OPEN = 'open';
export const EXPIRES_AT = 'expiresAt';

export function openIn(slot: number): string {
  return `open_${slot.toString(36)}`;
}

export function tokensIn(slot: number): string {
  return `tokens_${slot.toString(36)}`;
}

export function spentIn(window: string): string {
  return `usd_${window}`;
}

/** What is reserved of a budget's period in a slot. */
export function heldIn(window: string, slot: number): string {
  return `usd_${window}_${slot.toString(36)}`;
}

/** Reads an item; one that is not there is an empty ledger. */
export function toLedger(item: Item): Ledger {
  const spent = new Map<string, number>();
  const slots = new Map<number, Held>();
  const slotAt = (text: string): Held & { nanoUsd: Map<string, number> } => {
    const slot = Number.parseInt(text, 36);
    const held = slots.get(slot) ?? { open: 0, tokenPicos: 0n, nanoUsd: new Map() };
    slots.set(slot, held);
    return held as Held & { nanoUsd: Map<string, number> };
  };
  for (const [name, value] of Object.entries(item)) {
    const [kind, first, second] = name.split('_');
    if (first === undefined) continue;
    const amount = value as number | bigint;
    if (kind === 'usd' && second === undefined) spent.set(first, Number(amount));
    else if (kind === 'usd' && second !== undefined) slotAt(second).nanoUsd.set(first, Number(amount));
    else if (kind === 'open') Object.assign(slotAt(first), { open: Number(amount) });
    else if (kind === 'tokens') Object.assign(slotAt(first), { tokenPicos: BigInt(amount) });
  }
  const amountOf = (attribute: string) => (item[attribute] ?? 0) as number | bigint;
  return {
    fullAtMicros: Number(amountOf(FULL_AT)),
    tokensFullAt: BigInt(amountOf(TOKENS_AT)),
    tokensHeld: BigInt(amountOf(TOKENS_HELD)),
    open: Number(amountOf(OPEN)),
    spent,
    slots,
  };
}
