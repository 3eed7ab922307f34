import { type BodyOf, readServiceAccountKey, type ServiceAccountKey } from '../../contract/index.ts';

type Given = NonNullable<BodyOf<'createCredential'>['federation']>;
type Scope = NonNullable<Given['scope']>;

/** How a provider trusts the gateway's AWS role. `audience`: of the identity token. */
export type Federation = { readonly audience: string } & (
  | { readonly kind: 'openai'; readonly identityProviderId: string; readonly serviceAccountId: string }
  | { readonly kind: 'google'; readonly workloadProvider: string; readonly serviceAccount?: string }
  | { readonly kind: 'azure'; readonly tenantId: string; readonly clientId: string; readonly scope: Scope }
);

/** What access tokens are given for. */
export type TokenSource = Federation | ServiceAccountKey;

/** What a provider gives for an identity token, or for a service account's signature. */
export interface AccessToken {
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Gets an identity token of AWS, or signs one for a service account, and exchanges it at the provider. Each of its calls has a deadline. Throws
 * ExchangeFailure.
 */
export type TokenExchange = (source: TokenSource) => Promise<AccessToken>;

/** Why there is no access token. The message is a sentence for an administrator, without any text of a provider or a token. */
export class ExchangeFailure extends Error {
  /** Whether it fails until someone changes the configuration: AWS or the provider refuses. */
  readonly isRefused: boolean;

  constructor(message: string, isRefused: boolean) {
    super(message);
    this.name = 'ExchangeFailure';
    this.isRefused = isRefused;
  }
}

interface KindRules {
  readonly needed: readonly (keyof Given)[];
  readonly optional: readonly (keyof Given)[];
  /** The hosts of the provider's API: a token that another host receives could be used by its owner. */
  readonly hosts: RegExp;
}

const KINDS: Readonly<Record<Federation['kind'], KindRules>> = {
  openai: {
    needed: ['identityProviderId', 'serviceAccountId'],
    optional: [],
    hosts: /^(?:[a-z0-9-]{1,63}\.)?api\.openai\.com$/,
  },
  google: {
    needed: ['workloadProvider'],
    optional: ['serviceAccount'],
    hosts: /^(?:generativelanguage|(?:[a-z0-9-]{1,63}-)?aiplatform|aiplatform\.[a-z0-9-]{1,63}\.rep)\.googleapis\.com$/,
  },
  azure: {
    needed: ['tenantId', 'clientId'],
    optional: ['scope'],
    hosts: /^[a-z0-9-]{1,63}\.(?:openai|services\.ai|cognitiveservices)\.azure\.com$/,
  },
};
/** The scope of models in Foundry: https://learn.microsoft.com/azure/foundry/foundry-models/how-to/configure-entra-id */
const AZURE_SCOPE: Scope = 'https://ai.azure.com/.default';

/** The fields that its kind lacks or does not have, each with a message. */
export function findFederationFaults(given: Given): { readonly name: string; readonly message: string }[] {
  const { needed, optional } = KINDS[given.kind];
  const known: readonly string[] = ['kind', 'audience', ...needed, ...optional];
  const missing = needed.filter((name) => given[name] === undefined);
  const others = Object.keys(given).filter((name) => !known.includes(name));
  return [
    ...missing.map((name) => ({ name, message: `is required for the kind ${given.kind}` })),
    ...others.map((name) => ({ name, message: `is not for the kind ${given.kind}` })),
  ];
}

/** The federation with the defaults of its kind; it must have no faults. */
export function completeFederation(given: Given): Federation {
  const scope = given.kind === 'azure' ? { scope: given.scope ?? AZURE_SCOPE } : {};
  return { ...given, ...scope, audience: given.audience ?? defaultAudience(given) } as Federation;
}

/** What the provider expects where its administrator sets no other audience. */
function defaultAudience({ kind, workloadProvider }: Given): string {
  switch (kind) {
    case 'openai':
      return 'https://api.openai.com/v1';
    case 'google':
      return `https://iam.googleapis.com/${workloadProvider}`;
    case 'azure':
      return 'api://AzureADTokenExchange';
  }
}

/** Whether a host is of the provider's API, so that it may get access tokens. */
export function isHostOf(kind: Federation['kind'], host: string): boolean {
  return KINDS[kind].hosts.test(host);
}

/**
 * The service account whose key a value is; undefined for a value of another form.
 * @throws ExchangeFailure for JSON that is no such key, which must not be sent, and for a key whose tokens would go to a host that is not Google's
 */
export function serviceAccountOf(value: string, hosts: readonly string[]): ServiceAccountKey | undefined {
  if (!value.startsWith('{')) return undefined;
  const key = readServiceAccountKey(value);
  if (key === undefined)
    throw new ExchangeFailure('The value is JSON, and not the key of a Google service account.', true);
  if (hosts.every((host) => isHostOf('google', host))) return key;
  throw new ExchangeFailure(
    'The value is the key of a Google service account, and a host is not of an API of Google.',
    true,
  );
}
