import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { NotOpened, type SecretSealer } from '../../adapters/aws/secret-sealer.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { RequestHeaders } from '../../core/base/request-headers.ts';
import { PERMISSIONS } from '../../core/model/permissions.ts';
import { OwnCookie } from './own-cookie.ts';

const LONGEST_MS = 12 * 3_600_000;
const IDLE_MS = 3_600_000;
/** A busy page does not get a new cookie with each answer. */
const RENEWED_AFTER_MS = 5 * 60_000;
/** By so much the clocks of two functions may differ. */
const SKEW_MS = 5_000;
const PLACE = 'session';

/** Whom a session stands for: a key as it was when somebody signed in with it, or a person whom an identity provider vouched for. */
const holderSchema = z.union([
  z.strictObject({ type: z.literal('key'), id: z.string(), fingerprint: z.string() }),
  z.strictObject({
    type: z.literal('person'),
    subject: z.string(),
    email: z.string().nullable(),
    permissions: z.array(z.enum(PERMISSIONS)),
  }),
]);
export type Holder = z.infer<typeof holderSchema>;

const sessionSchema = z.strictObject({
  holder: holderSchema,
  /** Random; known to nobody outside of the sealed cookie. */
  secret: z.string(),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
  seenAt: z.number(),
});
export type Session = z.infer<typeof sessionSchema>;

/**
 * Signed-in visitors of the dashboard. A session is kept nowhere but in its cookie, sealed: it ends after twelve hours, after one
 * without a request, and with the key that it stands for (access.ts).
 */
export class Sessions {
  private readonly sealer: SecretSealer;
  private readonly clock: Clock;
  private readonly cookie: OwnCookie;

  constructor(sealer: SecretSealer, clock: Clock, isSecure: boolean) {
    this.sealer = sealer;
    this.clock = clock;
    this.cookie = new OwnCookie('svc_session', isSecure, 'Strict');
  }

  begin(holder: Holder): Session {
    const now = this.clock.now();
    return { holder, secret: randomBytes(32).toString('base64url'), startedAt: now, seenAt: now };
  }

  /** The session of a request's cookie; undefined where it has none that counts. Throws StoreUnavailable without a sealing key. */
  async read(headers: RequestHeaders): Promise<Session | undefined> {
    const sealed = this.cookie.read(headers);
    const session = sealed === undefined ? undefined : await this.open(sealed);
    return session && this.isRunning(session) ? session : undefined;
  }

  /** `Set-Cookie` for a session of which a request was just seen. */
  async write(session: Session): Promise<string> {
    const now = this.clock.now();
    const leftMs = Math.min(IDLE_MS, session.startedAt + LONGEST_MS - now);
    const sealed = await this.sealer.seal(JSON.stringify({ ...session, seenAt: now }), PLACE);
    return this.cookie.set(sealed, Math.max(0, Math.floor(leftMs / 1000)));
  }

  /** `Set-Cookie` that ends the session of this browser. */
  clear(): string {
    return this.cookie.clear();
  }

  isDueForRenewal({ seenAt }: Session): boolean {
    return this.clock.now() - seenAt >= RENEWED_AFTER_MS;
  }

  private async open(sealed: string): Promise<Session | undefined> {
    try {
      return sessionSchema.parse(JSON.parse(await this.sealer.open(sealed, PLACE)));
    } catch (error) {
      if (error instanceof NotOpened || error instanceof z.ZodError) return undefined;
      throw error;
    }
  }

  private isRunning({ startedAt, seenAt }: Session): boolean {
    const now = this.clock.now();
    return seenAt - SKEW_MS <= now && now < startedAt + LONGEST_MS && now < seenAt + IDLE_MS;
  }
}

/** When a session ends at the latest, ISO 8601. */
export function sessionEnd({ startedAt }: Session): string {
  return new Date(startedAt + LONGEST_MS).toISOString();
}

/** What the page shows with each change, and no other site can know. */
export function csrfToken({ secret }: Session): string {
  return createHmac('sha256', secret).update('csrf').digest('base64url');
}

/** Whether a text is the session's token, in a time that says nothing. */
export function isCsrfToken(session: Session, text: string): boolean {
  const given = Buffer.from(text);
  const wanted = Buffer.from(csrfToken(session));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
