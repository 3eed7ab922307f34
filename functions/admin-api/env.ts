import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';
import { logLevelSchema } from '../adapters/telemetry/log-level.ts';
import { auditDaysVariable } from '../core/audit/retention.ts';
import { corsVariable } from '../core/http/cors.ts';
import { frontDoorVariables } from '../core/http/front-door.ts';

const names = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((name) => name.trim() || []));
/** In clear only on this machine. */
const httpsUrl = z.url().refine((text) => /^https:\/\/|^http:\/\/(?:127\.0\.0\.1|localhost)(?:[:/]|$)/.test(text), {
  error: 'must begin with https://',
});

/** Sign-in through an identity provider, by OpenID Connect; none where no issuer is named. */
export const oidcEnvSchema = z.object({
  /** The provider as it writes itself, `https://cognito-idp.REGION.amazonaws.com/POOL`. */
  SVC_OIDC_ISSUER: httpsUrl.optional(),
  SVC_OIDC_CLIENT_ID: z.string().min(1).optional(),
  /** What the button says. */
  SVC_OIDC_LABEL: z.string().min(1).max(64).default('single sign-on'),
  /** Groups whose members may do everything, with commas between them. */
  SVC_OIDC_ADMIN_GROUPS: names,
  /** Groups whose members may look. */
  SVC_OIDC_ANALYTICS_GROUPS: names,
  /** The claim of the ID token that lists groups. */
  SVC_OIDC_GROUPS_CLAIM: z.string().min(1).default('cognito:groups'),
  /** Where people see the dashboard: the provider sends them back there. */
  SVC_DASHBOARD_URL: httpsUrl.optional(),
});
type OidcVariables = z.infer<typeof oidcEnvSchema>;
type Needed = 'SVC_OIDC_ISSUER' | 'SVC_OIDC_CLIENT_ID' | 'SVC_DASHBOARD_URL';
export type OidcEnv = Omit<OidcVariables, Needed> & Readonly<Record<Needed, string>>;

/** The settings of an identity provider; undefined where there is none. Throws where they are not whole. */
export function readOidcEnv(env: OidcVariables): OidcEnv | undefined {
  const { SVC_OIDC_ISSUER, SVC_OIDC_CLIENT_ID, SVC_DASHBOARD_URL, ...rest } = env;
  if (SVC_OIDC_ISSUER === undefined) return undefined;
  if (SVC_OIDC_CLIENT_ID === undefined || SVC_DASHBOARD_URL === undefined) {
    throw new Error('SVC_OIDC_ISSUER needs SVC_OIDC_CLIENT_ID and SVC_DASHBOARD_URL');
  }
  return { ...rest, SVC_OIDC_ISSUER, SVC_OIDC_CLIENT_ID, SVC_DASHBOARD_URL };
}

/** What the admin function reads from its environment; the construct in lib/ takes exactly this type. */
export const adminEnvSchema = z.object({
  ...tableSchemas('admin-api'),
  /** How long audit records are kept, days. */
  SVC_AUDIT_RETENTION_DAYS: auditDaysVariable,
  /** SQS queue that names endpoints for which something is due. */
  SVC_DELIVERIES_QUEUE_URL: z.url(),
  /** Secrets Manager: the pepper that keys are hashed with. */
  SVC_PEPPER_SECRET_ARN: z.string().min(1),
  /** Origins whose pages may call from a browser, with commas between them. */
  SVC_CORS_ORIGINS: corsVariable,
  ...frontDoorVariables,
  /** Secrets Manager: what the endpoints' signing secrets and the dashboard's sessions are sealed with. */
  SVC_SEALING_SECRET_ARN: z.string().min(1),
  /** The least that is logged: `debug`, `info`, `warn` or `error`. */
  SVC_LOG_LEVEL: logLevelSchema,
  ...oidcEnvSchema.shape,
  /** Secrets Manager: this client's secret at the identity provider; none for a public client. */
  SVC_OIDC_CLIENT_SECRET_ARN: z.string().min(1).optional(),
});

/** As the construct sets it: texts, those with a default left out where it stands. */
export type AdminEnv = z.input<typeof adminEnvSchema>;
