import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { createSecretSealer, NotOpened, type SecretSealer } from '../adapters/aws/secret-sealer.ts';
import { OidcIdentityProvider } from '../adapters/http/oidc-identity-provider.ts';
import { UndiciHttpClient } from '../adapters/http/undici-http-client.ts';
import type { IdentityProvider } from '../control/keys/index.ts';
import type { RequestHeaders } from '../kernel/http/index.ts';
import { PERMISSIONS, type Permission } from '../kernel/model/index.ts';
import type { Clock } from '../kernel/tasks/index.ts';
import type { OidcSettings } from './env.ts';

/** A cookie that only the dashboard's pages receive, and that their scripts cannot read. */
class OwnCookie {
  private readonly name: string;
  private readonly attributes: string;

  /**
   * `isSecure`: only over https and from exactly this host, which browsers enforce by the name prefix
   * (https://www.rfc-editor.org/rfc/rfc6265#section-4.1, draft rfc6265bis 4.1.3.2). A local run has no https. `sameSite`: `Lax` is also
   * sent when another site redirects here.
   */
  constructor(name: string, isSecure: boolean, sameSite: 'Strict' | 'Lax') {
    this.name = isSecure ? `__Host-${name}` : name;
    this.attributes = `Path=/; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
  }

  /** Its value in a request; undefined if it is absent or occurs several times. */
  read(headers: RequestHeaders): string | undefined {
    const begin = `${this.name}=`;
    const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
    const found = pairs.filter((pair) => pair.startsWith(begin));
    return found.length === 1 ? found[0]?.slice(begin.length) : undefined;
  }

  /** `Set-Cookie` that sets it. */
  set(value: string, maxAgeSeconds: number): string {
    return `${this.name}=${value}; Max-Age=${maxAgeSeconds}; ${this.attributes}`;
  }

  /** `Set-Cookie` that removes it. */
  clear(): string {
    return this.set('', 0);
  }
}

const LONGEST_MS = 12 * 3_600_000;
const IDLE_MS = 3_600_000;
/** Limits how often a busy page gets a new cookie. */
const RENEWED_AFTER_MS = 5 * 60_000;
/** Maximum clock difference between two functions. */
const SKEW_MS = 5_000;
const PLACE = 'session';

/** Who signed in: a key at the time of sign-in, or a person whom an identity provider authenticated. */
const holderSchema = z.union([
  z.object({ type: z.literal('key'), id: z.string(), fingerprint: z.string() }),
  z.object({
    type: z.literal('person'),
    subject: z.string(),
    email: z.string().nullable(),
    permissions: z.array(z.enum(PERMISSIONS)),
    /** By which teams find their members. Cookies of earlier releases have none. */
    claims: z.record(z.string(), z.unknown()).optional(),
  }),
]);
type Holder = z.infer<typeof holderSchema>;

/** A later release may add fields: a canary serves the same browsers. */
const sessionSchema = z.object({
  holder: holderSchema,
  /** Random; only in the sealed cookie. */
  secret: z.string(),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
  seenAt: z.number(),
});
export type Session = z.infer<typeof sessionSchema>;

/**
 * Dashboard sessions. A session is stored only in its sealed cookie. It ends after twelve hours, after one hour without a request, and with
 * its key (access.ts).
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

  /** The session of a request's cookie; undefined if there is no valid one. @throws StoreUnavailable without a sealing key */
  async read(headers: RequestHeaders): Promise<Session | undefined> {
    const sealed = this.cookie.read(headers);
    const session = sealed === undefined ? undefined : await this.open(sealed);
    return session && this.isRunning(session) ? session : undefined;
  }

  /** `Set-Cookie` for a session that was just used. */
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

/** The latest end of a session, ISO 8601. */
export function sessionEnd({ startedAt }: Session): string {
  return new Date(startedAt + LONGEST_MS).toISOString();
}

/** Sent by the dashboard with each change; other sites cannot know it. */
export function csrfToken({ secret }: Session): string {
  return createHmac('sha256', secret).update('csrf').digest('base64url');
}

/** Whether a text is the session's token, compared in constant time. */
export function isCsrfToken(session: Session, text: string): boolean {
  const given = Buffer.from(text);
  const wanted = Buffer.from(csrfToken(session));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Sign-in through an identity provider. */
export interface SingleSignOn {
  readonly provider: IdentityProvider;
  /** The groups of each role, whose name is a permission. */
  readonly groups: Readonly<Partial<Record<Permission, readonly string[]>>>;
  /** Holds an attempt while the visitor is at the provider; they must return with it. */
  readonly cookie: OwnCookie;
  readonly sealer: SecretSealer;
}

/** Sign-in through the identity provider of the settings; undefined if there is none. */
export function singleSignOn(
  oidc: OidcSettings | undefined,
  clientSecret: (() => Promise<string>) | undefined,
  sealingKey: () => Promise<string>,
  isSecure: boolean,
  clock: Clock,
): SingleSignOn | undefined {
  if (oidc === undefined) return undefined;
  const { oidcRoles: roles } = oidc;
  const settings = {
    issuer: oidc.oidcIssuer,
    clientId: oidc.oidcClientId,
    clientSecret,
    label: oidc.oidcLabel,
    redirectUri: new URL('/v1/admin/session/oidc/callback', oidc.dashboardUrl).href,
    groupsClaim: oidc.oidcGroupsClaim,
  };
  return {
    provider: new OidcIdentityProvider(settings, new UndiciHttpClient(), clock),
    groups: {
      admin: [...oidc.oidcAdminGroups, ...(roles.admin ?? [])],
      security: roles.security ?? [],
      operator: roles.operator ?? [],
      analytics: [...oidc.oidcAnalyticsGroups, ...(roles.viewer ?? [])],
    },
    cookie: new OwnCookie('svc_sign_in', isSecure, 'Lax'),
    sealer: createSecretSealer(sealingKey, 'svc dashboard sign-in'),
  };
}
