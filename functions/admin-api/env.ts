import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';
import {
  aggregateDays,
  auditRetentionDays,
  type CommonSettings,
  captureDays,
  corsOrigins,
  deliveryDays,
  json,
  list,
  logLevel,
  onlyThroughDistribution,
  recordDays,
  recordShards,
  type SettingTable,
  secretArn,
  topicArn,
  variablesOf,
  webhookShards,
  wholeNumber,
} from '../adapters/env.ts';
import { bedrock, echo, identity, modelPrices, routes } from '../adapters/shared-settings.ts';
import { addressSchema } from '../kernel/http/index.ts';

/** Plain HTTP only on the local machine. */
const httpsUrl = addressSchema.refine(
  (text) => /^https:\/\/|^http:\/\/(?:127\.0\.0\.1|localhost)(?:[:/]|$)/.test(text),
  {
    error: 'must begin with https://',
  },
);
/** Lists are comma-separated. */
const groupName = z.string().regex(/^[^,]{1,128}$/, 'must be a name without a comma');
const groups = {
  ...list(z.array(z.string())),
  inStage: () => z.array(groupName),
  default: 'none',
};

const rolesSchema = z.partialRecord(z.enum(['admin', 'security', 'operator', 'viewer']), z.array(groupName));

/** The settings of the admin API. */
export const ADMIN_SETTINGS = {
  auditRetentionDays,
  corsOrigins,
  logLevel,
  onlyThroughDistribution,
  // What the gateway and background functions have, for the pages that show it.
  ...{
    echo,
    bedrock,
    routes,
    modelPrices,
    identity,
    recordDays,
    recordShards,
    captureDays,
    aggregateDays,
    deliveryDays,
    webhookShards,
  },
  defaultMaxConcurrent: {
    variable: 'SVC_DEFAULT_MAX_CONCURRENT',
    ...wholeNumber({ unit: 'requests', min: 1, max: 1_000_000, default: 50 }),
    example: 20,
    description: '[`maxConcurrent`](keys.md#limits) of a key that is created without it',
  },
  alertTopicArns: {
    variable: 'SVC_ALERT_TOPIC_ARNS',
    ...list(z.array(topicArn)),
    inStage: () => z.array(topicArn).max(20),
    default: 'none',
    example: ['arn:aws:sns:eu-central-1:123456789012:llm-alerts'],
    description: 'SNS topics of the same region that [alerts](alerts.md#e-mail-and-other-subscribers-of-sns) may name',
  },
  dashboardUrl: {
    variable: 'SVC_DASHBOARD_URL',
    schema: httpsUrl.optional(),
    inStage: () => addressSchema.refine((text) => text.startsWith('https:'), 'must begin with https://'),
    toText: (url: string) => url,
    default: '`http://127.0.0.1:PORT` in a local run; required with `oidc`',
    example: 'https://svc.example.com',
    description: 'The URL of the dashboard, to which the identity provider redirects',
  },
  oidcIssuer: {
    variable: 'SVC_OIDC_ISSUER',
    schema: httpsUrl.optional(),
    inStage: () => addressSchema.refine((text) => text.startsWith('https:'), 'must begin with https://'),
    path: 'oidc.issuer',
    isRequired: true,
    toText: (url: string) => url,
    default: 'none',
    example: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_example',
    description:
      'The issuer of an identity provider (OpenID Connect) for [signing in to the dashboard](keys.md#dashboard-sessions), exactly as the provider writes it',
  },
  oidcClientId: {
    variable: 'SVC_OIDC_CLIENT_ID',
    schema: z.string().min(1).optional(),
    inStage: () => z.string().min(1),
    path: 'oidc.clientId',
    isRequired: true,
    toText: (id: string) => id,
    default: 'none',
    example: 'a1b2c3',
    description: 'The client id at the provider',
  },
  oidcClientSecretArn: {
    variable: 'SVC_OIDC_CLIENT_SECRET_ARN',
    ...secretArn(),
    path: 'oidc.clientSecretArn',
    default: 'none: a public client',
    example: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:oidc-AbCdEf',
    description: 'A secret in the same region with the client secret',
  },
  oidcLabel: {
    variable: 'SVC_OIDC_LABEL',
    schema: z.string().min(1).max(64).default('single sign-on'),
    inStage: () => z.string().min(1).max(64),
    path: 'oidc.label',
    toText: (label: string) => label,
    default: 'single sign-on',
    example: 'Example Inc.',
    description: 'The text of the sign-in button',
  },
  oidcAdminGroups: {
    variable: 'SVC_OIDC_ADMIN_GROUPS',
    ...groups,
    path: 'oidc.adminGroups',
    example: ['platform', 'security'],
    description: 'Groups whose members may do everything',
  },
  oidcAnalyticsGroups: {
    variable: 'SVC_OIDC_ANALYTICS_GROUPS',
    ...groups,
    path: 'oidc.analyticsGroups',
    example: ['everybody'],
    description: 'Groups whose members may read',
  },
  oidcRoles: {
    variable: 'SVC_OIDC_ROLES',
    ...json(rolesSchema, '{}'),
    path: 'oidc.roles',
    example: { security: ['security-team'], operator: ['platform'], viewer: ['engineering'] },
    description:
      'The groups of each [role](keys.md#roles): `admin`, `security`, `operator`, `viewer`. `adminGroups` are `admin` too, and `analyticsGroups` are `viewer`',
  },
  oidcGroupsClaim: {
    variable: 'SVC_OIDC_GROUPS_CLAIM',
    schema: z.string().min(1).default('cognito:groups'),
    inStage: () => z.string().min(1),
    path: 'oidc.groupsClaim',
    toText: (claim: string) => claim,
    default: 'cognito:groups',
    example: 'groups',
    description: 'The claim of the ID token that lists groups',
  },
} as const satisfies SettingTable;

/** The admin API settings that deployments and the local run both have. */
export type AdminSettings = CommonSettings<typeof ADMIN_SETTINGS>;
type Needed = 'oidcIssuer' | 'oidcClientId' | 'dashboardUrl';
export type OidcSettings = Pick<
  AdminSettings,
  'oidcLabel' | 'oidcAdminGroups' | 'oidcAnalyticsGroups' | 'oidcRoles' | 'oidcGroupsClaim'
> &
  Readonly<Record<Needed, string>>;

/** The settings of the identity provider; undefined if there is none. Throws if one is missing. */
export function oidcSettings(settings: AdminSettings): OidcSettings | undefined {
  const { oidcIssuer, oidcClientId, dashboardUrl } = settings;
  if (oidcIssuer === undefined) return undefined;
  if (oidcClientId === undefined || dashboardUrl === undefined) {
    throw new Error('SVC_OIDC_ISSUER needs SVC_OIDC_CLIENT_ID and SVC_DASHBOARD_URL');
  }
  return { ...settings, oidcIssuer, oidcClientId, dashboardUrl };
}

/** The admin function's environment; the construct in lib/ takes exactly this type. */
export const adminEnvSchema = z.object({
  ...tableSchemas('admin-api'),
  /** SQS queue with the endpoints that may have due deliveries. */
  SVC_DELIVERIES_QUEUE_URL: z.url(),
  /** Secrets Manager: the pepper for key hashes. */
  SVC_PEPPER_SECRET_ARN: z.string().min(1),
  /** Secrets Manager: the providers' settings, for their list and for test requests. */
  SVC_PROVIDERS_SECRET_ARN: z.string().min(1),
  /** Secrets Manager: the key that seals stored credentials. */
  SVC_CREDENTIALS_SECRET_ARN: z.string().min(1),
  /** The deployment's stage. */
  SVC_STAGE: z.enum(['Production', 'Staging', 'Development']),
  /** Secrets Manager: the distribution's origin secret; absent if there is no distribution. */
  SVC_ORIGIN_SECRET_ARN: z.string().min(1).optional(),
  /** Secrets Manager: the key that seals endpoints' signing secrets and dashboard sessions. */
  SVC_SEALING_SECRET_ARN: z.string().min(1),
  ...variablesOf(ADMIN_SETTINGS),
});

/** As the construct sets it: strings; a variable with its default value is omitted. */
export type AdminEnv = z.input<typeof adminEnvSchema>;
