import type { CreateKey, Environment, KeyView, Permission } from '../../api/client.ts';
import { fromLocalInput, toLocalInput } from '../../components/format.ts';

export type Period = KeyView['rateLimit']['period'];
export const PERIODS: readonly Period[] = ['second', 'minute', 'hour', 'day', 'month'];

/** Values of the form's fields; an empty text if not set. */
export interface KeyForm {
  readonly name: string;
  readonly environment: Environment;
  readonly permissions: readonly Permission[];
  readonly excludePermissions: readonly Permission[];
  readonly requests: number | '';
  readonly requestsPeriod: Period;
  readonly burst: number | '';
  readonly tokens: number | '';
  readonly tokensPeriod: Period;
  readonly usd: number | '';
  readonly usdPeriod: Period;
  /** Absent in a new key: the deployment's default. */
  readonly maxConcurrent?: number | '' | undefined;
  readonly onStoreFailure: KeyView['onStoreFailure'];
  readonly ipWhitelist: readonly string[];
  readonly allowedModels: readonly string[];
  /** JSON. */
  readonly policy: string;
  /** Each in the form `name=value`. */
  readonly tags: readonly string[];
  /** In the form of `<input type="datetime-local">`, in the user's time zone. */
  readonly expiresAt: string;
}

export const NEW_KEY: KeyForm = {
  name: '',
  environment: 'Development',
  permissions: ['chat_completions'],
  excludePermissions: [],
  requests: 1000,
  requestsPeriod: 'hour',
  burst: '',
  tokens: '',
  tokensPeriod: 'day',
  usd: '',
  usdPeriod: 'month',
  onStoreFailure: 'closed',
  ipWhitelist: [],
  allowedModels: [],
  policy: '{}',
  tags: [],
  expiresAt: '',
};

/** The form's values for an existing key. */
export function toKeyForm(key: KeyView): KeyForm {
  return {
    name: key.name,
    environment: key.environment,
    permissions: key.permissions,
    excludePermissions: key.excludePermissions,
    requests: key.rateLimit.requests,
    requestsPeriod: key.rateLimit.period,
    burst: key.rateLimit.burst ?? '',
    tokens: key.tokenLimit?.tokens ?? '',
    tokensPeriod: key.tokenLimit?.period ?? NEW_KEY.tokensPeriod,
    usd: key.budget?.usd ?? '',
    usdPeriod: key.budget?.period ?? NEW_KEY.usdPeriod,
    maxConcurrent: key.maxConcurrent ?? '',
    onStoreFailure: key.onStoreFailure,
    ipWhitelist: key.ipWhitelist,
    allowedModels: key.allowedModels,
    policy: JSON.stringify(key.policy, null, 2),
    tags: Object.entries(key.tags).map(([name, value]) => `${name}=${value}`),
    expiresAt: key.expiresAt === null ? '' : toLocalInput(key.expiresAt),
  };
}

export type FormFault = { readonly param: string; readonly message: string };

/** The body of `POST` or `PATCH`, or the first invalid field; the server validates everything else. */
export function toKeyBody(form: KeyForm): { readonly body: CreateKey } | { readonly fault: FormFault } {
  const policy = parseObject(form.policy);
  if (policy === undefined) return { fault: { param: 'policy', message: 'This is not a JSON object.' } };
  if (form.name.trim() === '') return { fault: { param: 'name', message: 'Enter a name.' } };
  if (form.requests === '') return { fault: { param: 'rateLimit', message: 'A key needs a rate limit.' } };
  const untagged = form.tags.find((tag) => tag.indexOf('=') < 1);
  if (untagged !== undefined) return { fault: { param: 'tags', message: `“${untagged}” is not name=value.` } };
  return {
    body: {
      name: form.name,
      environment: form.environment,
      permissions: [...form.permissions],
      excludePermissions: [...form.excludePermissions],
      rateLimit: {
        requests: form.requests,
        period: form.requestsPeriod,
        ...(form.burst === '' ? {} : { burst: form.burst }),
      },
      tokenLimit: form.tokens === '' ? null : { tokens: form.tokens, period: form.tokensPeriod },
      budget: form.usd === '' ? null : { usd: form.usd, period: form.usdPeriod },
      ...(form.maxConcurrent !== undefined && { maxConcurrent: form.maxConcurrent === '' ? null : form.maxConcurrent }),
      onStoreFailure: form.onStoreFailure,
      ipWhitelist: [...form.ipWhitelist],
      allowedModels: [...form.allowedModels],
      policy: policy as CreateKey['policy'],
      tags: Object.fromEntries(form.tags.map(splitTag)),
      expiresAt: fromLocalInput(form.expiresAt) ?? null,
    },
  };
}

/** The fields that differ between two bodies, so that a PATCH does not overwrite concurrent changes. */
export function changedFields(before: CreateKey, after: CreateKey): Partial<CreateKey> {
  const names = Object.keys(after) as (keyof CreateKey)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function splitTag(tag: string): [string, string] {
  const at = tag.indexOf('=');
  return [tag.slice(0, at), tag.slice(at + 1)];
}
