import * as z from 'zod';
import { DEFAULT_AUDIT_RETENTION_DAYS } from '../control/audit/index.ts';
import { corsOriginsSchema } from '../kernel/http/index.ts';
import { logLevelSchema } from './telemetry/logger.ts';

/** A setting of a stage in cdk.json, documented in the settings reference. */
export interface StageSetting {
  /** One sentence for the settings reference, in Markdown. */
  readonly description: string;
  /** The default; may be text, such as `created at the first start`. */
  readonly default?: string | number;
  /** Unit of the value: `minutes`. */
  readonly unit?: string;
  /** Schema of the value in cdk.json; absent if cdk.json does not have the setting. */
  readonly inStage?: () => z.ZodType;
  /** Path in a stage of cdk.json, `retentionDays.records`; defaults to the setting's name. */
  readonly path?: string;
  /** Required in its object, or in the stage. */
  readonly isRequired?: true;
  /** An example value in cdk.json, for the settings reference and the stack tests. */
  readonly example?: unknown;
}

/**
 * A setting that a function reads from an environment variable. The function's environment schema, the schema of cdk.json, the stack's
 * environment of the function, the local run's environment and the settings reference derive from it (lib/settings).
 */
export interface Setting extends StageSetting {
  readonly variable: string;
  /** Schema of the variable's text; returns the default if it is absent. */
  readonly schema: z.ZodType<unknown, string | undefined>;
  /** The variable's text for a value of cdk.json; the variable is absent if it returns undefined. */
  readonly toText?: (value: never) => string | undefined;
  /** The local run's schema if it differs; `false` if the local run does not read the variable. */
  readonly local?: false | (() => z.ZodType) | undefined;
}

export type SettingTable = Readonly<Record<string, Setting>>;

/** The schemas of a table by variable. */
export type VariablesOf<Table extends SettingTable> = {
  [Name in keyof Table as Table[Name]['variable']]: Table[Name]['schema'];
};
export type SettingValues<Table extends SettingTable> = {
  readonly [Name in keyof Table]: z.output<Table[Name]['schema']>;
};
/** The settings that deployments and the local run both have. */
export type CommonSettings<Table extends SettingTable> = {
  readonly [Name in keyof Table as Table[Name] extends { local: false } ? never : Name]: z.output<
    Table[Name]['schema']
  >;
};

export function variablesOf<const Table extends SettingTable>(table: Table): VariablesOf<Table> {
  const fields = Object.values(table).map(({ variable, schema }) => [variable, schema]);
  return Object.fromEntries(fields) as VariablesOf<Table>;
}

/** The values by the settings' names, from an environment that the table's schemas have parsed. */
export function settingsIn<const Table extends SettingTable>(
  table: Table,
  env: z.output<z.ZodObject<VariablesOf<Table>>>,
): SettingValues<Table> {
  const values = env as Readonly<Record<string, unknown>>;
  const fields = Object.entries(table).map(([name, { variable }]) => [name, values[variable]]);
  return Object.fromEntries(fields) as SettingValues<Table>;
}

/** An integer from `min`, a power of ten, to `max`. */
export function wholeNumber({ unit, min, max, ...rest }: { unit: string; min: number; max: number; default: number }) {
  const digits = (text: string) => text.length >= String(min).length && text.length <= String(max).length;
  return {
    unit,
    default: rest.default,
    schema: z
      .string()
      .refine(
        (text) => /^[1-9]\d*$/.test(text) && digits(text),
        `must be a whole number of ${unit} from ${min} to ${max}`,
      )
      .default(String(rest.default))
      .transform(Number)
      .pipe(z.number().max(max)),
    local: () => z.coerce.number({ error: 'must be a number' }).int().min(min).max(max).default(rest.default),
    inStage: () => z.int().min(min).max(max),
    toText: (value: number) => String(value),
  };
}

/** A retention time in days. */
export function wholeDays(standard: number) {
  return wholeNumber({ unit: 'days', min: 1, max: 9_999, default: standard });
}

/** `true` or `false`; `absent` is the value if the variable is absent. */
export function flag<const Absent extends boolean | undefined>(absent: Absent) {
  return {
    schema: z
      .enum(['true', 'false'])
      .optional()
      .transform((text) => (text === undefined ? absent : text === 'true')),
    inStage: () => z.boolean(),
    toText: (value: boolean) => String(value),
  };
}

/** A comma-separated list. */
export function list<Item extends z.ZodType<string, string>>(items: z.ZodArray<Item>) {
  return {
    schema: z
      .string()
      .default('')
      .transform((text) => text.split(',').flatMap((item) => item.trim() || []))
      .pipe(items),
    inStage: () => items,
    toText: (values: readonly string[]) => values.join(),
  };
}

/** JSON, checked by its schema; `standard` is the default text. */
export function json<Schema extends z.ZodType>(schema: Schema, standard: string) {
  return {
    default: standard,
    schema: z
      .string()
      .default(standard)
      .transform((text, context) => {
        try {
          return JSON.parse(text) as unknown;
        } catch {
          context.addIssue({ code: 'custom', message: 'must be JSON' });
          return z.NEVER;
        }
      })
      .pipe(schema),
    inStage: () => schema,
    toText: (value: z.output<Schema>) => JSON.stringify(value),
  };
}

/** The ARN of a secret in Secrets Manager. The local run has the value itself in another variable. */
export function secretArn() {
  return {
    local: false,
    schema: z.string().min(1).optional(),
    inStage: () =>
      z
        .string()
        .regex(
          /^arn:aws(?:-[a-z]+)*:secretsmanager:[a-z0-9-]{1,20}:\d{12}:secret:[\w/+=.@-]{1,512}$/,
          'must be the ARN of a secret',
        ),
    toText: (arn: string) => arn,
  } as const;
}

/** The ARN of a standard SNS topic: one of first-in-first-out order has no e-mail. */
export const topicArn = z
  .string()
  .regex(/^arn:aws(?:-[a-z]+)*:sns:[a-z0-9-]{1,20}:\d{12}:[A-Za-z0-9_-]{1,256}$/, 'must be the ARN of an SNS topic');

/** Retention of request records, and of session totals after their last request. */
export const recordDays = {
  variable: 'SVC_RECORD_DAYS',
  ...wholeDays(30),
  path: 'retentionDays.records',
  example: 14,
  description: 'Retention of [request records](findings.md#analytics), and of sessions after their last request',
} as const satisfies Setting;

const recordShardsSchema = z
  .array(
    z.strictObject({
      from: z.iso.datetime(),
      count: z.int().min(1).max(256),
    }),
  )
  .max(16)
  .refine(
    (entries) => entries.every(({ from }, at) => at === 0 || from > (entries[at - 1]?.from ?? '')),
    'must be in order of time',
  );
/** The partitions of the lists of records (adapters/dynamo/sharded-list.ts). */
export const recordShards = {
  variable: 'SVC_RECORD_SHARDS',
  ...json(recordShardsSchema, '[]'),
  example: [{ from: '2026-12-24T12:00:00Z', count: 32 }],
  description:
    'Partitions of the [lists of records](scale.md#records), 1,000 records a second each, from a time that is in the future when it is deployed. Entries stay as long as records of their time; before the first there are 8',
} as const satisfies Setting;

export const captureDays = {
  variable: 'SVC_CAPTURE_DAYS',
  ...wholeDays(7),
  path: 'retentionDays.captures',
  example: 2,
  description: 'How long [captured texts](policies.md#captured-texts) are kept',
} as const satisfies Setting;

export const aggregateDays = {
  variable: 'SVC_AGGREGATE_DAYS',
  ...wholeDays(400),
  path: 'retentionDays.aggregates',
  example: 90,
  description: 'Retention of [totals by hour and day](findings.md#analytics)',
} as const satisfies Setting;

export const deliveryDays = {
  variable: 'SVC_DELIVERY_DAYS',
  ...wholeDays(30),
  path: 'retentionDays.deliveries',
  example: 12,
  description: 'Retention of [webhook deliveries](webhooks.md#deliveries) and their log',
} as const satisfies Setting;

/** Parts of the totals in which many records count (control/analytics/cells.ts). */
export const totalParts = {
  variable: 'SVC_TOTAL_PARTS',
  ...wholeNumber({ unit: 'parts', min: 1, max: 64, default: 1 }),
  example: 8,
  description:
    'Parts of each [total](scale.md#records), so that the readers of a busy stream seldom write the same one; for more than 5,000 records a second. Raised from 1 once',
} as const satisfies Setting;

/** Partitions of the due deliveries of each endpoint (adapters/dynamo/delivery-item.ts). */
export const webhookShards = {
  variable: 'SVC_WEBHOOK_SHARDS',
  ...wholeNumber({ unit: 'partitions', min: 1, max: 64, default: 1 }),
  example: 8,
  description:
    'Partitions for [deliveries that are due](scale.md#webhooks) to one webhook, each for 500 a second and with a separate worker. Not lowered while deliveries are pending',
} as const satisfies Setting;

export const auditRetentionDays = {
  variable: 'SVC_AUDIT_RETENTION_DAYS',
  ...wholeNumber({ unit: 'days', min: 1, max: 99_999, default: DEFAULT_AUDIT_RETENTION_DAYS }),
  inStage: () => z.int().min(1).max(36_500),
  local: false,
  path: 'retentionDays.audit',
  example: 3_653,
  description: 'Retention of the audit log; seven years by default',
} as const satisfies Setting;

export const corsOrigins = {
  variable: 'SVC_CORS_ORIGINS',
  ...list(corsOriginsSchema),
  default: 'none',
  example: ['https://app.example.com', 'http://localhost:5173'],
  description: '[Origins of web pages that may call the API](clients.md#call-from-a-browser)',
} as const satisfies Setting;

export const logLevel = {
  variable: 'SVC_LOG_LEVEL',
  schema: logLevelSchema,
  inStage: () => z.enum(['debug', 'info', 'warn', 'error']),
  toText: (level: string) => level,
  default: 'info',
  example: 'warn',
  description: 'The lowest [log level](operations.md#logs): `debug`, `info`, `warn` or `error`',
} as const satisfies Setting;

export const onlyThroughDistribution = {
  variable: 'SVC_ONLY_THROUGH_DISTRIBUTION',
  ...flag(false),
  // Set with the other variables of the distribution (lib/functions/function-context.ts).
  toText: () => undefined,
  local: false,
  default: '`true` with `waf` and the distribution, else `false`',
  example: true,
  description: 'Refuses requests that bypass the distribution, except `/healthz` and the REST API',
} as const satisfies Setting;
