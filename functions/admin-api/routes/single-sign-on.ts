import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { NotOpened } from '../../adapters/aws/secret-sealer.ts';
import type { singleSignOnOperations } from '../../contract/index.ts';
import { NotVouchedFor, type Person, type SignInAttempt } from '../../control/keys/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import type { RequestHeaders } from '../../kernel/http/index.ts';
import type { Claims } from '../../kernel/identity/index.ts';
import { PERMISSIONS, type Permission } from '../../kernel/model/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import { type Handlers, ResponseWith } from '../operation-routes.ts';
import type { SingleSignOn } from '../sign-in.ts';
import { admitSignIn, openSession } from './sessions.ts';

const PLACE = 'sign-in';
/** Maximum time at the identity provider. */
const ATTEMPT_MS = 10 * 60_000;

/** A later release may add fields: a canary serves the same browsers. */
const sealedSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  startedAt: z.number(),
});

/** Signing in to the dashboard through an identity provider. */
export const SINGLE_SIGN_ON_HANDLERS: Handlers<typeof singleSignOnOperations, AdminDeps> = {
  async startSingleSignOn({ routed: { context } }, deps) {
    const sso = configured(deps);
    await admitSignIn(context.clientAddress, deps.limits);
    const { attempt, url } = await sso.provider.begin();
    const sealed = await sso.sealer.seal(JSON.stringify({ ...attempt, startedAt: deps.clock.now() }), PLACE);
    return redirect(url, [sso.cookie.set(sealed, ATTEMPT_MS / 1000)]);
  },
  /**
   * Signs in a person whom the provider authenticated and who is in one of the groups, or in a team. Others are redirected to the sign-in page with the
   * reason in the URL: `/?signIn=refused` or `/?signIn=failed`.
   */
  async finishSingleSignOn({ query: { code, state = '' }, routed }, deps) {
    const sso = configured(deps);
    const attempt = await attemptOf(routed.request.headers, state, sso, deps.clock.now());
    const clear = sso.cookie.clear();
    if (attempt === undefined || code === undefined) return redirect('/?signIn=failed', [clear]);
    // An attempt can be repeated for ten minutes, and each code is a call to the provider.
    await admitSignIn(routed.context.clientAddress, deps.limits, 'code#');
    try {
      const person = await sso.provider.finish(code, attempt);
      const session = deps.sessions.begin({
        type: 'person',
        subject: person.subject,
        email: person.email,
        permissions: permissionsOf(person, sso),
        ...(await claimsOf(person, deps)),
      });
      await openSession(session, routed, deps);
      return redirect('/', [await deps.sessions.write(session), clear]);
    } catch (error) {
      if (error instanceof NotVouchedFor) return redirect('/?signIn=failed', [clear]);
      if (error instanceof GatewayError && error.status === 403) return redirect('/?signIn=refused', [clear]);
      throw error;
    }
  },
};

function configured({ singleSignOn }: AdminDeps): SingleSignOn {
  if (singleSignOn === undefined) throw new GatewayError('not_found', 'No identity provider is configured.');
  return singleSignOn;
}

/** The sign-in attempt of this browser; undefined if it has none, or an expired one. */
async function attemptOf(
  headers: RequestHeaders,
  state: string,
  { cookie, sealer }: SingleSignOn,
  nowMs: number,
): Promise<SignInAttempt | undefined> {
  const sealed = cookie.read(headers);
  if (sealed === undefined) return undefined;
  try {
    const { startedAt, ...attempt } = sealedSchema.parse(JSON.parse(await sealer.open(sealed, PLACE)));
    return nowMs < startedAt + ATTEMPT_MS && isSame(attempt.state, state) ? attempt : undefined;
  } catch (error) {
    if (error instanceof NotOpened || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function permissionsOf({ groups }: Person, sso: SingleSignOn): Permission[] {
  return PERMISSIONS.filter((permission) => sso.groups[permission]?.some((group) => groups.includes(group)));
}

/** What a browser takes as a cookie is 4,096 bytes, sealed. */
const MAX_CLAIM_CHARS = 2_000;

/** The claims that teams name; absent if there are none: releases up to 0.3.0 refuse a session with them. @throws GatewayError `insufficient_permissions` */
async function claimsOf({ claims }: Person, { authenticator }: AdminDeps): Promise<{ readonly claims?: Claims }> {
  const deciding = await authenticator.teams.decidingClaims(claims);
  if (Object.keys(deciding).length === 0) return {};
  if (JSON.stringify(deciding).length <= MAX_CLAIM_CHARS) return { claims: deciding };
  throw new GatewayError('insufficient_permissions', 'Too many claims decide about the team.');
}

function redirect(location: string, cookies: readonly string[]): ResponseWith<''> {
  return new ResponseWith('', { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }, cookies);
}
