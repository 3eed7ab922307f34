import {
  addReserved,
  type Expired,
  expiredIn,
  expiredMoney,
  fromPicos,
  isLongOver,
  type Ledger,
  type Limits,
  latestAdmittingMicros,
  type Need,
  outlivesReservations,
  RESERVATION_MS,
  type Reserved,
  reservedFor,
  reservesWhileRunning,
  type Settlement,
  SKEW_MS,
  SLOT_MS,
  slotOf,
  toPicos,
  windowEndMs,
  windowOf,
} from '../../control/limits/index.ts';
import type { Item } from './dynamo-calls.ts';
import { UpdateParts } from './update-parts.ts';

/**
 * The conditional writes of a key's item. No writer reads first: each condition compares one attribute with a number, and each change adds, so
 * any number of functions may write at once. For 10 requests a second, a dollar a day and 3 at once, a request that may cost 2 cents at time t:
 *
 *     admit    fullAt is in t..t+0.9 s, and 0.1 s is added     (or it is before t: the bucket is full, and it becomes t+0.1 s)
 *              open is at most 2, and 1 is added
 *              usd_<day> is at most 0.98, and 0.02 is added
 *              open_<slot> and usd_<day>_<slot>: the same is added, since a slot's reservations expire together
 *              mark is not this write's: it may be a retry of one that was made, whose response was lost
 *     settle   open_<slot> and usd_<day>_<slot> still exist, and lose 1 and 0.02; so does open
 *              usd_<day> loses 0.015: the request cost 0.005
 *
 * Tokens are like money, but as time: `tokensAt` is when the bucket would be full without reservations. Names end with the slot (2.5 minutes) or
 * the period. 15 minutes after its end, an admission releases a slot, if its sums are unchanged.
 *
 * Must never happen: a change without the condition that keeps it within the limit; a reservation that is released twice (by settlement and as
 * expired). If a condition fails, nothing changes. Why: docs/decisions/0002-exact-admission.md, proof: bench/notes/admission.md
 */

/** Attributes of a key's item. */
const FULL_AT = 'fullAt';
const TOKENS_AT = 'tokensAt';
const TOKENS_HELD = 'tokensHeld';
/** Always the sum of the two: a condition compares one attribute and cannot add. */
const TOKENS_TOP = 'tokensTop';
const OPEN = 'open';
const EXPIRES_AT = 'expiresAt';
/** The mark of the last admission. */
const MARK = 'mark';
/** How many writes there were; from it processes know how many share the key. */
const WRITES = 'n';

/**
 * A bucket in use and a full one need different writes. For a key that many processes write, both fit where the bucket is nearly full, so that a process
 * seldom chooses the wrong one: a full bucket then counts as if it had been full this much later, which admits less.
 */
export interface Margins {
  readonly requestsMicros: number;
  readonly tokenPicos: bigint;
}
export const NO_MARGINS: Margins = { requestsMicros: 0, tokenPicos: 0n };
/** At most this long, and this part of the time in which the bucket fills. */
const MARGIN_MS = 100;
const MARGIN_SHARE = 200;

/** The margins of a key that many processes share. */
export function marginsOf({ requests, tokens }: Limits): Margins {
  const fillPicos = tokens === undefined ? 0n : BigInt(tokens.capacity) * tokens.intervalPicos;
  const sharePicos = fillPicos / BigInt(MARGIN_SHARE);
  return {
    requestsMicros: Math.floor(
      Math.min(MARGIN_MS * 1_000, (requests.capacity * requests.intervalMicros) / MARGIN_SHARE),
    ),
    tokenPicos: sharePicos < toPicos(MARGIN_MS) ? sharePicos : toPicos(MARGIN_MS),
  };
}

function openIn(slot: number): string {
  return `open_${slot.toString(36)}`;
}

function tokensIn(slot: number): string {
  return `tokens_${slot.toString(36)}`;
}

function spentIn(window: string): string {
  return `usd_${window}`;
}

/** The attribute of the amount reserved in a slot for a budget period. */
function heldIn(window: string, slot: number): string {
  return `usd_${window}_${slot.toString(36)}`;
}

/** Parses an item; a missing item is an empty ledger. */
export function toLedger(item: Item): Ledger {
  const spent = new Map<string, number>();
  const slots = new Map<number, Reserved>();
  const slotAt = (text: string): Reserved & { nanoUsd: Map<string, number> } => {
    const slot = Number.parseInt(text, 36);
    const held = slots.get(slot) ?? { open: 0, tokenPicos: 0n, nanoUsd: new Map() };
    slots.set(slot, held);
    return held as Reserved & { nanoUsd: Map<string, number> };
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

/** What one write reserves. */
interface Take {
  readonly needs: readonly Need[];
  readonly leased: number;
  readonly leasedNeed: Need;
  /** How long leased requests may be handed out: the request bucket is charged as if that time had passed. */
  readonly leaseMs: number;
  readonly nowMs: number;
  /** Any number that no other recent write of the key has. */
  readonly mark: number;
  readonly margins?: Margins;
}

/**
 * The write that admits a request. `seen` only decides which of two forms fits (a bucket in use or a full one) and which expired reservations
 * are released. If it is outdated, the condition fails and nothing changes.
 */
export function takeUpdate(seen: Ledger, limits: Limits, take: Take): UpdateParts {
  const parts = new UpdateParts();
  const expired = expiredIn(seen, take.nowMs);
  forget(parts, expired);
  takeRequests(parts, seen, limits, take);
  takeHeld(parts, expired, limits, take);
  const [name, value] = [parts.name(MARK), parts.value(take.mark)];
  parts.require(`(attribute_not_exists(${name}) OR ${name} <> ${value})`);
  parts.set(MARK, value);
  parts.set(EXPIRES_AT, parts.value(forgettableAt(limits, take.nowMs)));
  parts.add(WRITES, 1);
  return parts;
}

/** How many writes of an item there were; 0 where earlier releases wrote it. */
export function writesOf(item: Item): number {
  return Number(item[WRITES] ?? 0);
}

/** Whether the last admission of an item is the write with this mark. */
export function isMarked(item: Item, mark: number): boolean {
  return item[MARK] === mark;
}

function takeRequests(parts: UpdateParts, seen: Ledger, { requests }: Limits, take: Take): void {
  const count = take.needs.length + take.leased;
  const now = take.nowMs * 1000;
  // Requests of a lease come later than now: the time until then refills nothing for other processes.
  const from = now + take.leaseMs * 1000;
  const { requestsMicros } = take.margins ?? NO_MARGINS;
  const until = from + requestsMicros;
  const fullAt = parts.name(FULL_AT);
  const taken = count * requests.intervalMicros;
  if (seen.fullAtMicros >= (from + until) / 2) {
    parts.require(
      `${fullAt} BETWEEN ${parts.value(from)} AND ${parts.value(latestAdmittingMicros(requests, now, count))}`,
    );
    parts.set(FULL_AT, `${fullAt} + ${parts.value(taken)}`);
  } else {
    parts.require(`(attribute_not_exists(${fullAt}) OR ${fullAt} < ${parts.value(until)})`);
    parts.set(FULL_AT, parts.value(until + taken));
  }
}

function takeHeld(parts: UpdateParts, expired: Expired, limits: Limits, take: Take): void {
  const { needs, leased, leasedNeed, nowMs } = take;
  const slot = slotOf(nowMs);
  const held = needs
    .map((need) => reservedFor(need, 1, limits, nowMs))
    .reduce(addReserved, reservedFor(leasedNeed, leased, limits, nowMs));
  const { tokens, budget, maxConcurrent } = limits;
  if (maxConcurrent !== undefined) {
    parts.requireAtMost(OPEN, maxConcurrent - held.open + expired.open);
    parts.add(OPEN, held.open);
    parts.add(openIn(slot), held.open);
  }
  const window = budget && windowOf(budget.period, nowMs);
  const amount = held.nanoUsd.get(window ?? '') ?? 0;
  if (budget !== undefined && window !== undefined && amount > 0) {
    parts.requireAtMost(spentIn(window), budget.nanoUsd - amount + expiredMoney(expired, window));
    parts.add(spentIn(window), amount);
    if (outlivesReservations(window)) parts.add(heldIn(window, slot), amount);
  }
  if (tokens !== undefined && held.tokenPicos > 0n) {
    const most = BigInt(tokens.capacity) * tokens.intervalPicos - held.tokenPicos + expired.tokenPicos;
    requireTokens(parts, most, toPicos(nowMs));
    addTokens(parts, held.tokenPicos);
    parts.add(tokensIn(slot), held.tokenPicos);
  }
}

/** Requires room in the token bucket: its debt plus its reservations leave this much. */
function requireTokens(parts: UpdateParts, most: bigint, now: bigint): void {
  const [at, held, top] = [parts.name(TOKENS_AT), parts.name(TOKENS_HELD), parts.name(TOKENS_TOP)];
  const time = parts.value(now);
  const inUse = `(${at} >= ${time} AND ${top} <= ${parts.value(now + most)})`;
  const full = `(attribute_not_exists(${at}) OR ${at} < ${time})`;
  const room = `(attribute_not_exists(${held}) OR ${held} <= ${parts.value(most)})`;
  parts.require(`(${inUse} OR (${full} AND ${room}))`);
}

function addTokens(parts: UpdateParts, picos: bigint): void {
  parts.add(TOKENS_HELD, picos);
  parts.add(TOKENS_TOP, picos);
}

/** Releases expired reservations if no other process has. */
function forget(parts: UpdateParts, { slots, windows }: Expired): void {
  for (const [slot, held] of slots) {
    takeAway(parts, openIn(slot), held.open);
    takeAway(parts, tokensIn(slot), held.tokenPicos);
    parts.add(OPEN, -held.open);
    addTokens(parts, -held.tokenPicos);
    for (const [window, amount] of held.nanoUsd) {
      takeAway(parts, heldIn(window, slot), amount);
      if (!windows.includes(window)) parts.add(spentIn(window), -amount);
    }
  }
  for (const window of windows) parts.remove(spentIn(window));
}

function takeAway(parts: UpdateParts, attribute: string, amount: number | bigint): void {
  parts.remove(attribute);
  if (BigInt(amount) === 0n) {
    // Another function may have reserved since: removing an unseen amount would never release it.
    const name = parts.name(attribute);
    parts.require(`(attribute_not_exists(${name}) OR ${name} = ${parts.value(0)})`);
  } else parts.requireEqual(attribute, amount);
}

/** The settling write: releases reservations and counts actual usage. If one of the reservations no longer exists, nothing changes. */
export function settleUpdate(
  seen: Ledger,
  { release, used, countsFromMs }: Settlement,
  nowMs: number,
  margins = NO_MARGINS,
): UpdateParts {
  const parts = new UpdateParts();
  for (const [slot, held] of release) {
    giveBack(parts, openIn(slot), held.open);
    parts.add(OPEN, -held.open);
    giveBack(parts, tokensIn(slot), held.tokenPicos);
    for (const [window, amount] of held.nanoUsd) {
      if (outlivesReservations(window)) giveBack(parts, heldIn(window, slot), amount);
      spend(parts, window, -amount, nowMs);
    }
  }
  for (const [window, amount] of used.nanoUsd) spend(parts, window, amount, nowMs);
  const released = [...release.values()].reduce((sum, held) => sum + held.tokenPicos, 0n);
  useTokens(parts, seen, used.tokenPicos, released, toPicos(countsFromMs ?? nowMs), margins);
  if (!parts.isEmpty) parts.add(WRITES, 1);
  return parts;
}

function spend(parts: UpdateParts, window: string, amount: number, nowMs: number): void {
  // The count of a past period is deleted, or soon will be.
  if (!isLongOver(window, nowMs)) parts.add(spentIn(window), amount);
}

function giveBack(parts: UpdateParts, attribute: string, amount: number | bigint): void {
  if (BigInt(amount) === 0n) return;
  parts.requireExists(attribute);
  parts.add(attribute, -amount);
}

function useTokens(
  parts: UpdateParts,
  seen: Ledger,
  used: bigint,
  released: bigint,
  now: bigint,
  margins: Margins,
): void {
  parts.add(TOKENS_HELD, -released);
  if (used === 0n) {
    parts.add(TOKENS_TOP, -released);
    return;
  }
  const at = parts.name(TOKENS_AT);
  const until = now + margins.tokenPicos;
  if (seen.tokensFullAt >= (now + until) / 2n) {
    parts.require(`${at} >= ${parts.value(now)}`);
    parts.add(TOKENS_AT, used);
    parts.add(TOKENS_TOP, used - released);
  } else {
    parts.require(`(attribute_not_exists(${at}) OR ${at} < ${parts.value(until)})`);
    parts.set(TOKENS_AT, parts.value(until + used));
    const held = parts.name(TOKENS_HELD);
    parts.set(TOKENS_TOP, `if_not_exists(${held}, ${parts.value(0)}) + ${parts.value(until + used - released)}`);
  }
}

/** The settlement without reservations that were released as expired. Usage still counts. */
export function withoutExpired({ release, ...rest }: Settlement, ledger: Ledger): Settlement {
  const left = [...release].map(([slot, held]) => {
    const there = ledger.slots.get(slot);
    const money = [...held.nanoUsd].filter(([window]) => !outlivesReservations(window) || there?.nanoUsd.get(window));
    const kept: Reserved = {
      open: there?.open ? held.open : 0,
      tokenPicos: there?.tokenPicos ? held.tokenPicos : 0n,
      nanoUsd: new Map(money),
    };
    return [slot, kept] as const;
  });
  return { ...rest, release: new Map(left) };
}

/** Longer than the longest period that ends: a month in which clocks go back. */
const LONGEST_KEPT_MS = 32 * 86_400_000;

/** Seconds since 1970 after which the item has no more effect than no item. */
function forgettableAt(limits: Limits, nowMs: number): number {
  const { requests, tokens, budget } = limits;
  const full = nowMs + (requests.capacity * requests.intervalMicros) / 1000;
  const settled = reservesWhileRunning(limits) ? nowMs + RESERVATION_MS + SLOT_MS : 0;
  const tokensFull = tokens ? settled + fromPicos(BigInt(tokens.capacity) * tokens.intervalPicos) : 0;
  const periodOver = budget
    ? Math.min(windowEndMs(windowOf(budget.period, nowMs)), nowMs + LONGEST_KEPT_MS) + SKEW_MS
    : 0;
  return Math.ceil(Math.max(full, settled, tokensFull, periodOver) / 1000) + 1;
}
