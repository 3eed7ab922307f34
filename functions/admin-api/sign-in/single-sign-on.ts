import { createSecretSealer, type SecretSealer } from '../../adapters/aws/secret-sealer.ts';
import { OidcIdentityProvider } from '../../adapters/http/oidc-identity-provider.ts';
import { UndiciHttpClient } from '../../adapters/http/undici-http-client.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { IdentityProvider } from '../../core/keys/identity-provider.ts';
import type { OidcEnv } from '../env.ts';
import { OwnCookie } from './own-cookie.ts';

/** How people sign in without a key of ours. */
export interface SingleSignOn {
  readonly provider: IdentityProvider;
  /** Those in one of these may do everything, */
  readonly adminGroups: readonly string[];
  /** those in one of these look. */
  readonly analyticsGroups: readonly string[];
  /** Holds an attempt while its visitor is away: it must come along when he is sent back. */
  readonly cookie: OwnCookie;
  readonly sealer: SecretSealer;
}

/** By the variables of the environment; undefined where no issuer is named. */
export function singleSignOn(
  env: OidcEnv | undefined,
  clientSecret: (() => Promise<string>) | undefined,
  sealingKey: () => Promise<string>,
  isSecure: boolean,
  clock: Clock,
): SingleSignOn | undefined {
  if (env === undefined) return undefined;
  const settings = {
    issuer: env.SVC_OIDC_ISSUER,
    clientId: env.SVC_OIDC_CLIENT_ID,
    clientSecret,
    label: env.SVC_OIDC_LABEL,
    redirectUri: new URL('/v1/admin/session/oidc/callback', env.SVC_DASHBOARD_URL).href,
    groupsClaim: env.SVC_OIDC_GROUPS_CLAIM,
  };
  return {
    provider: new OidcIdentityProvider(settings, new UndiciHttpClient(), clock),
    adminGroups: env.SVC_OIDC_ADMIN_GROUPS,
    analyticsGroups: env.SVC_OIDC_ANALYTICS_GROUPS,
    cookie: new OwnCookie('svc_sign_in', isSecure, 'Lax'),
    sealer: createSecretSealer(sealingKey, 'svc dashboard sign-in'),
  };
}
