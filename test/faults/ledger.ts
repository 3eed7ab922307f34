import type { FaultName } from './provider-faults.ts';

/** What traffic is made of. */
export const KINDS = [
  'chat',
  'stream',
  'tools',
  'messages',
  'blocked',
  'flagged',
  'limited',
  'cancelled',
  'ended',
] as const;
export type Kind = (typeof KINDS)[number];

/** Purposes of keys, which set their limits and requests. */
export const PURPOSES = ['exact', 'rough', 'busy', 'narrow', 'limited', 'poor'] as const;
export type Purpose = (typeof PURPOSES)[number];

export interface SoakKey {
  readonly id: string;
  readonly secret: string;
  readonly purpose: Purpose;
  /** Requests that a full bucket admits; practically nothing refills while the soak runs. */
  readonly requests: number;
  /** Tokens a month, where it has such a limit. */
  readonly tokens?: number;
  /** Billionths of a US dollar a month, where it has a budget. */
  readonly nanoUsd?: number;
  readonly maxConcurrent?: number;
}

/** One request as its caller saw it; times are milliseconds of the soak's clock. */
export interface Asked {
  readonly id: number;
  readonly kind: Kind;
  readonly fault: FaultName;
  readonly keyId: string;
  readonly instance: number;
  readonly stream: boolean;
  readonly sessionId: string | undefined;
  /** Of the texts that were sent. */
  readonly inputChars: number;
  readonly startedAt: number;
  endedAt: number;
  requestId?: string;
  status?: number;
  /** Of the error, in a body or as a stream's last event. */
  code?: string;
  /** `X-Svc-Route`: what was tried. */
  route?: string;
  /** The response's text, all pieces joined. */
  text?: string;
  /** The expected text of a complete response. */
  readonly expected: string;
  /** How it ended for its caller. */
  ending: 'whole' | 'error' | 'broken' | 'left';
}

/** One call that a provider got, as it saw it. */
export interface ProviderCall {
  readonly caseId: number;
  readonly keyId: string;
  readonly startedAt: number;
  /** undefined while it runs. */
  endedAt?: number;
  /** The usage that a complete response reported. */
  readonly usage: Usage | undefined;
  /** Characters of the complete response's text. */
  readonly textChars: number;
}

export interface Usage {
  readonly input: number;
  readonly output: number;
}

/** Something that was done to the service. */
export interface Disturbance {
  readonly what: string;
  /** The instance that it was done to; all where undefined. */
  readonly instance?: number;
  readonly from: number;
  to: number;
  /** What it can excuse. */
  readonly excuses:
    | 'broken requests'
    | 'refused connections'
    | 'stores'
    | 'deadlines'
    | 'queues'
    | 'clocks'
    | 'nothing';
}

/** What an endpoint took. */
export interface Delivered {
  readonly endpoint: string;
  readonly eventId: string;
  readonly deliveryId: string;
  readonly type: string;
  readonly keyId: string;
  readonly requestId: string | undefined;
  readonly count: number;
  readonly signed: boolean;
}

/** A key's item in the limits table, when everything that was reserved had to be settled or given back. */
export interface LimitItem {
  readonly keyId: string;
  /** Billionths of a US dollar, all periods together. */
  readonly spent: number;
  readonly open: number;
  readonly tokensHeld: bigint;
  /** Reserved by requests that were not settled, by attribute. */
  readonly held: number;
  /** Picoseconds since 1970: how far the bucket of tokens is from full. */
  readonly tokensAt: bigint;
  /** Microseconds since 1970: when the bucket of requests is full again. */
  readonly fullAt: number;
}

/** The part of a record that is compared. */
export interface StoredRecord {
  readonly id: string;
  readonly keyId: string;
  readonly state: string;
  readonly status: number | null;
  readonly errorCode: string | null;
  readonly sessionId: string | null;
  readonly tokens: { readonly input: number | null; readonly output: number | null };
}

/** Everything that the soak wrote down itself, and what it then found in the stores. */
export interface Ledger {
  readonly keys: readonly SoakKey[];
  readonly asked: readonly Asked[];
  readonly calls: readonly ProviderCall[];
  readonly disturbances: readonly Disturbance[];
  readonly delivered: readonly Delivered[];
  /** The endpoints that every event is due at. */
  readonly endpoints: readonly string[];
  readonly found: {
    readonly records: readonly StoredRecord[];
    readonly limits: readonly LimitItem[];
    /** Ids of requests of which the log says that their record was lost. */
    readonly lost: readonly string[];
    /** Ids of keys of which the log says that a use was not counted, one for each time. */
    readonly uncounted: readonly string[];
    /** Ways in which analytics were compared with the records, and what differed. */
    readonly analytics: {
      readonly compared: number;
      readonly differences: readonly string[];
      readonly requests: number;
      readonly sessions: ReadonlyMap<string, number>;
    };
    /** When a key's bucket of tokens was taken from first, picoseconds since 1970 by the clock of who did; of those where it is known. */
    readonly tokensFrom: ReadonlyMap<string, bigint>;
    /** Held places that a key could use at once when all was over: how many it ran. */
    readonly together: readonly { readonly keyId: string; readonly ran: number }[];
    /** Everything that any process printed, by process. */
    readonly logs: readonly string[];
    /** Other places where no text or secret may be: name and content. */
    readonly stored: readonly { readonly name: string; readonly text: string }[];
    readonly secrets: readonly { readonly name: string; readonly text: string }[];
  };
}

/** Prices of the soak's models, in billionths of a US dollar a token. */
export const NANO_USD = { input: 1_000, output: 3_000 } as const;

export function costOf({ input, output }: Usage): number {
  return input * NANO_USD.input + output * NANO_USD.output;
}

/** Records and settlements are written within this time after a response, if the stores work. */
export const BEHIND_MS = 3_000;
/** So long where the machine is slow. */
const BEHIND_SLOW_MS = 6_000;
/** So long where they do not: an attempt of a second together, then nine alone with their pauses. */
const BEHIND_AWAY_MS = 16_000;

/** Whether the stores failed, or the deadlines of who called them, while the request ran, or what follows it. */
export function metStores(
  { startedAt, endedAt, instance }: Pick<Asked, 'startedAt' | 'endedAt' | 'instance'>,
  disturbances: readonly Disturbance[],
): boolean {
  return disturbances.some(
    (one) =>
      (one.excuses === 'stores' || one.excuses === 'deadlines') &&
      (one.instance === undefined || one.instance === instance) &&
      one.from <= endedAt + BEHIND_MS &&
      one.to >= startedAt,
  );
}

/** Whether the machine was too slow for deadlines while the request ran. */
export function metStandstill(asked: Asked, disturbances: readonly Disturbance[]): boolean {
  return metStores(
    asked,
    disturbances.filter(({ excuses }) => excuses === 'deadlines'),
  );
}

/** Whether its process was killed while the request ran, or before what follows it had to be done. */
export function metKill(asked: Asked, disturbances: readonly Disturbance[]): boolean {
  const behindMs = behindOf(asked, disturbances);
  return disturbances.some(
    ({ excuses, instance, from, to }) =>
      excuses === 'broken requests' &&
      (instance === undefined || instance === asked.instance) &&
      from <= asked.endedAt + behindMs &&
      to >= asked.startedAt,
  );
}

function behindOf(asked: Asked, disturbances: readonly Disturbance[]): number {
  if (!metStores(asked, disturbances)) return BEHIND_MS;
  const away = disturbances.filter(({ excuses }) => excuses === 'stores');
  return metStores(asked, away) ? BEHIND_AWAY_MS : BEHIND_SLOW_MS;
}

/** Whether its process was stopped in good order while the request was on its way to it. */
export function metStop({ startedAt, endedAt, instance }: Asked, disturbances: readonly Disturbance[]): boolean {
  return disturbances.some(
    (one) =>
      one.excuses === 'refused connections' && one.instance === instance && one.from <= endedAt && one.to >= startedAt,
  );
}
