import * as z from 'zod';

/** A delivery before its first attempt. */
export interface NewDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
  /** The exact text that is sent. */
  readonly body: string;
  /** Whom it names, so that it can be deleted with all else of him. */
  readonly endUserId: string | undefined;
}

/** What follows from an attempt. */
export type NextStep =
  | { readonly state: 'delivered' }
  | { readonly state: 'pending'; readonly nextAttemptAtMs: number }
  | { readonly state: 'dead'; readonly reason: DeadReason };

export interface DeliveryQuery {
  readonly webhookId: string;
  readonly state?: DeliveryState | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  readonly nextCursor: string | undefined;
}

/** Deliveries and what became of them. All throw StoreUnavailable when the store is out of reach. */
export interface DeliveryStore {
  /** Puts it on its way, due at once. @returns false where it is there already */
  create(delivery: NewDelivery): Promise<boolean>;
  get(id: string): Promise<Delivery | undefined>;
  /** Newest first; may hold fewer than asked for although more follow. */
  list(query: DeliveryQuery): Promise<DeliveryPage>;
  /** Those of an endpoint that are due, longest due first. One that was just ended may still be among them. */
  due(webhookId: string, limit: number): Promise<readonly string[]>;
  /** When the next one of an endpoint is due, milliseconds since 1970; undefined where none is pending. */
  nextDueAt(webhookId: string): Promise<number | undefined>;
  /** As they stand now; those that are gone are left out. */
  read(ids: readonly string[]): Promise<readonly Delivery[]>;
  /** Notes an attempt before it is made. @returns false where the delivery is not as it was read any more */
  begin(delivery: Delivery): Promise<boolean>;
  /** Notes what came of the attempt that `begin` noted for this delivery, and what follows. What was delivered stays so. */
  end(delivery: Delivery, attempt: DeliveryAttempt, next: NextStep): Promise<void>;
  /** Gives one up that is pending. */
  bury(delivery: Delivery, reason: DeadReason): Promise<void>;
  /** Puts one that was delivered or is dead on its way again; undefined where it is gone, under way, or was gathered. */
  redeliver(id: string): Promise<Delivery | undefined>;
}

/** Where an event of many alike stands: it is the first of its minute, or one of those that the digest tells of. */
export type Place = { readonly digest: undefined } | { readonly digest: Digest };

/** A delivery that tells of many alike. Its id is the same for all of them. */
export interface Digest {
  readonly id: string;
  /** When nothing is added to it any more, milliseconds since 1970. */
  readonly closesAtMs: number;
}

/** Gathers events that are alike. All throw StoreUnavailable when the store is out of reach. */
export interface DigestStore {
  /** The place of an event: the same again when it is asked for again while the minute lasts. */
  enter(alike: string, eventId: string): Promise<Place>;
  /**
   * Adds an event to a digest, which is made where it is the first: `event` is its delivery as it would be sent on its own.
   * @returns false where the digest was closed meanwhile and does not count it: then it is on its own way now
   */
  gather(digest: Digest, event: NewDelivery): Promise<boolean>;
  /** The same for one that was being gathered when it came before. */
  gatherAgain(gathered: Delivery, event: NewDelivery): Promise<boolean>;
  /** Ends the gathering: how many events it tells of, and the first of them as it would have been sent. */
  close(digest: Delivery): Promise<{ count: number; first: string }>;
  /** Gives a digest that was closed what is sent. */
  complete(digest: Delivery, body: string, count: number): Promise<Delivery>;
}

/** What is remembered of an endpoint from one turn to the next. */
export interface TurnState {
  /** Attempts that failed since the last one that did not. */
  readonly failures: number;
  /** Nothing is sent before, milliseconds since 1970. */
  readonly pausedUntilMs: number;
  /** When somebody looks again at the latest; in the past where nobody is told to. */
  readonly wakeAtMs: number;
}

/** The right to deliver to an endpoint, for one at a time. It ends by itself when its holder dies. */
export interface Turn {
  readonly state: TurnState;
  /** @returns whether somebody else wanted it meanwhile */
  end(state: TurnState): Promise<boolean>;
}

/** All throw StoreUnavailable when the store is out of reach. */
export interface EndpointTurns {
  /** @returns undefined where somebody has it, who is then told that it was wanted */
  take(webhookId: string): Promise<Turn | undefined>;
}

/** Has somebody look whether deliveries of an endpoint are due. At most 15 minutes from now. */
export interface EndpointWaker {
  wake(webhookId: string, delayMs: number): Promise<void>;
}

export const DELIVERY_STATES = ['pending', 'delivered', 'dead', 'gathered'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What came of an attempt that was not answered with 2xx. */
const ATTEMPT_FAILURES = [
  'address',
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'protocol',
  'status',
  'unknown',
] as const;

export const deliveryAttemptSchema = z
  .object({
    at: z.iso.datetime(),
    durationMs: z.number().nullable(),
    status: z.int().nullable().meta({ description: "The receiver's status; null where there was no answer." }),
    failure: z.enum(ATTEMPT_FAILURES).nullable().meta({
      description:
        'null: delivered. `status`: another answer than 2xx. `address`: it is none that may be sent to. `unknown`: we were interrupted; it may have arrived.',
    }),
    response: z
      .string()
      .nullable()
      .meta({ description: 'How the answer began: 1 KB at most, what may be a secret in it masked.' }),
  })
  .meta({ id: 'WebhookAttempt', description: 'One attempt to deliver.' });
export type DeliveryAttempt = z.infer<typeof deliveryAttemptSchema>;

export const DEAD_REASONS = ['exhausted', 'gone', 'disabled'] as const;
/** Why nobody tries any more: 24 hours of failing, the endpoint's own 410, or that it was disabled or deleted meanwhile. */
export type DeadReason = (typeof DEAD_REASONS)[number];

export const deliverySchema = z
  .object({
    id: z.string(),
    object: z.literal('webhook.delivery'),
    webhookId: z.string(),
    eventId: z.string(),
    type: z.string(),
    state: z.enum(DELIVERY_STATES).meta({
      description:
        '`gathered`: told with others of its kind by the delivery `digestId`. `dead`: nobody tries any more, until it is redelivered.',
    }),
    count: z
      .int()
      .nullable()
      .meta({ description: 'How many events it tells of; null while a digest still gathers them.' }),
    digestId: z.string().nullable(),
    createdAt: z.iso.datetime(),
    nextAttemptAt: z.iso.datetime().nullable(),
    deadReason: z.enum(DEAD_REASONS).nullable(),
    attempts: z.array(deliveryAttemptSchema),
  })
  .meta({
    id: 'WebhookDelivery',
    description: 'An event on its way to one endpoint, and each attempt to get it there.',
  });

/** A delivery as it is listed. */
export type DeliveryView = z.infer<typeof deliverySchema>;

/** A delivery as those see it who deliver. */
export interface Delivery extends DeliveryView {
  /** The exact text that is sent; undefined while a digest still gathers, and for what was gathered. */
  readonly body: string | undefined;
  /** ISO 8601; since when it is tried: since it came, or was put on its way again. */
  readonly since: string;
}

export function toDeliveryView({ body: _body, since: _since, ...view }: Delivery): DeliveryView {
  return view;
}
