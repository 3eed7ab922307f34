import type * as z from 'zod';
import {
  type BodyOf,
  type credentialOperations,
  type ResponseOf,
  readServiceAccountKey,
} from '../../contract/index.ts';
import { audit, changedFields } from '../../control/audit/index.ts';
import {
  type CredentialsDocument,
  memberOf,
  newCredentialId,
  rotated,
  type StoredCredential,
  sealName,
  sealValue,
  toCredentialView,
  withoutExpired,
} from '../../control/credentials/index.ts';
import {
  completeFederation,
  ExchangeFailure,
  findFederationFaults,
  isHostOf,
  serviceAccountOf,
} from '../../control/federation/index.ts';
import { GatewayError, StoreUnavailable } from '../../kernel/errors/index.ts';
import type { AuditFact } from '../../kernel/model/index.ts';
import { describeProviders } from '../../translation/index.ts';
import type { AuthorizedCaller } from '../access.ts';
import type { AdminDeps } from '../admin-deps.ts';
import { changeDocument, type DocumentKind } from '../documents.ts';
import type { Handlers } from '../operation-routes.ts';
import { teamOfKey } from '../team-keys.ts';
import type { CredentialResult, TestedValue } from '../test-credential.ts';

const CREDENTIALS: Omit<DocumentKind<CredentialsDocument, never>, 'toView' | 'schema'> = {
  name: 'credentials',
  hasChanged: 'The credentials have changed',
  store: ({ credentials }) => credentials,
};
/** The filter of responses holds each value in all its spellings. */
const MAX_CREDENTIALS = 100;
const KEYS_AT_ONCE = 100;

type View = ResponseOf<'getCredential'>;
type Place = Pick<StoredCredential, 'provider' | 'hosts'>;

/** Credentials that the gateway keeps for providers; each change is in the audit log, without a value. */
export const CREDENTIAL_HANDLERS: Handlers<typeof credentialOperations, AdminDeps> = {
  async listCredentials(_, deps) {
    const { credentials } = await readAll(deps);
    const uses = await deps.credentialUses.lastUses(credentials.map(({ id }) => id));
    const now = deps.clock.now();
    return {
      object: 'list',
      data: credentials.map((one) => toCredentialView(one, uses.get(one.id), now)),
      nextCursor: null,
    };
  },
  createCredential: {
    check: checkType,
    async handle({ body, caller }, deps) {
      const { value, secretArn, secretField, federation: given, skipTest, ...fields } = body;
      const hosts = await hostsFor(body.provider, body.hosts, deps);
      const place = { id: newCredentialId(), provider: body.provider, hosts };
      const federation = given && completeFederation(given);
      if (federation !== undefined) refuseFederation(federation.kind, hosts, deps);
      if (value !== undefined) refuseHostsOf(value, hosts);
      const source = {
        ...place,
        ...(secretArn && { secretArn }),
        ...(secretField && { secretField }),
        ...(federation && { federation }),
      };
      await teamOfKey(body, deps);
      const isTested = body.state === 'active' && !skipTest;
      if (isTested) await requireAccepted(PLACES[body.type], source, value, deps);
      const created: StoredCredential = {
        ...fields,
        ...source,
        createdAt: new Date(deps.clock.now()).toISOString(),
        ...(value !== undefined && { value: await sealValue(value, place, deps.valueSealer) }),
      };
      const add = ({ credentials }: CredentialsDocument) => {
        if (credentials.length < MAX_CREDENTIALS) return { credentials: [...credentials, created] };
        throw new GatewayError('conflict', `There are ${MAX_CREDENTIALS} credentials already. Delete one first.`);
      };
      await change(created.id, 'credential.created', add, caller, deps);
      return toCredentialView(created, undefined, deps.clock.now());
    },
  },
  getCredential: async ({ params: { id } }, deps) => viewOf(find(await readAll(deps), id), deps),
  async updateCredential({ params: { id }, body: { provider, hosts, skipTest, ...fields }, caller }, deps) {
    const stored = find(await readAll(deps), id);
    refuseMoved(stored, { provider, hosts });
    const isEnabled = fields.state === 'active' && stored.state === 'disabled';
    if (isEnabled && !skipTest) await requireAccepted('state', stored, undefined, deps);
    // An absent field is not in the parsed changes, so it stays unchanged.
    const update = (one: StoredCredential) => ({ ...one, ...(fields as Partial<StoredCredential>) });
    return changeOne(id, 'credential.updated', update, caller, deps);
  },
  /** Deletes it permanently with its values. */
  async deleteCredential({ params: { id }, caller }, deps) {
    find(await readAll(deps), id);
    await refuseUsed(id, deps);
    const remove = (document: CredentialsDocument) => {
      find(document, id);
      return { credentials: document.credentials.filter((one) => one.id !== id) };
    };
    await change(id, 'credential.deleted', remove, caller, deps);
    await deps.credentialUses.deleteUse(id);
    return { object: 'credential.deletion', id, deleted: true };
  },
  async rotateCredential({ params: { id }, body: { value, graceSeconds, skipTest }, caller }, deps) {
    const stored = find(await readAll(deps), id);
    if (stored.type !== 'sealed') {
      const message =
        stored.type === 'secret'
          ? 'The value of this credential is in AWS Secrets Manager: change it there.'
          : 'This credential has no value: its access tokens are renewed before they expire. To change its identity, create another credential.';
      throw new GatewayError('invalid_value', message, { param: 'value' });
    }
    refuseHostsOf(value, stored.hosts);
    if (!skipTest) await requireAccepted('value', stored, value, deps);
    const sealed = await sealValue(value, stored, deps.valueSealer);
    const rotate = (one: StoredCredential) => rotated(one, sealed, graceSeconds, deps.clock.now());
    return changeOne(id, 'credential.rotated', rotate, caller, deps);
  },
  async testCredential({ params: { id }, caller }, deps) {
    const stored = find(await readAll(deps), id);
    const target = { type: 'credential', id } as const;
    await audit(caller, { action: 'credential.tested', target, before: null, after: null }, deps);
    const result = await testStored(stored, undefined, deps);
    return { object: 'credential.test', id, provider: stored.provider, ...result };
  },
};

/** The fields that only one type has; the first is required for it. */
const FIELDS = {
  sealed: ['value'],
  secret: ['secretArn', 'secretField'],
  federation: ['federation'],
} as const;
/** Where a test reports that the provider refuses. */
const PLACES = { sealed: 'value', secret: 'secretArn', federation: 'federation' } as const;

/** Adds what a credential of its type lacks, or has of another type. */
function checkType(body: BodyOf<'createCredential'>, context: z.RefinementCtx): void {
  const report = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
  for (const [type, names] of Object.entries(FIELDS)) {
    for (const [at, name] of names.entries()) {
      if (type !== body.type && body[name] !== undefined) report([name], `is only for the type ${type}`);
      if (type === body.type && at === 0 && body[name] === undefined)
        report([name], `is required for the type ${type}`);
    }
  }
  if (body.type !== 'federation' || body.federation === undefined) return;
  for (const { name, message } of findFederationFaults(body.federation)) report(['federation', name], message);
}

/** All credentials, after values were deleted whose grace period is over. */
async function readAll({ credentials: store, clock }: AdminDeps): Promise<CredentialsDocument> {
  const read = await store.current();
  const kept = withoutExpired(read.settings, clock.now());
  if (kept !== read.settings) {
    const createdAt = new Date(clock.now()).toISOString();
    // After another change in between the next read deletes them.
    await store.replace(read, { version: read.version + 1, settings: kept, createdAt, createdBy: null });
  }
  return kept;
}

function find({ credentials }: CredentialsDocument, id: string): StoredCredential {
  const found = credentials.find((one) => one.id === id);
  if (found === undefined) throw new GatewayError('not_found', 'There is no such credential.');
  return found;
}

async function viewOf(credential: StoredCredential, { credentialUses, clock }: AdminDeps): Promise<View> {
  const uses = await credentialUses.lastUses([credential.id]);
  return toCredentialView(credential, uses.get(credential.id), clock.now());
}

/** Writes a new version, from which values are deleted whose grace period is over. */
async function change(
  id: string,
  action: AuditFact['action'],
  make: (document: CredentialsDocument) => CredentialsDocument,
  caller: AuthorizedCaller,
  deps: AdminDeps,
): Promise<CredentialsDocument> {
  const now = deps.clock.now();
  const shown = ({ credentials }: CredentialsDocument) => {
    const found = credentials.find((one) => one.id === id);
    return found === undefined ? undefined : toCredentialView(found, undefined, now);
  };
  const factOf = (before: CredentialsDocument, after: CredentialsDocument) => {
    const [was, is] = [shown(before), shown(after)];
    const target = { type: 'credential', id } as const;
    if (was === undefined || is === undefined) return { action, target, before: was ?? null, after: is ?? null };
    return { action, target, ...changedFields(was, is) };
  };
  const written = await changeDocument(
    CREDENTIALS,
    (document) => make(withoutExpired(document, now)),
    { headers: {}, caller, factOf },
    deps,
  );
  return written.settings;
}

async function changeOne(
  id: string,
  action: AuditFact['action'],
  make: (credential: StoredCredential) => StoredCredential,
  caller: AuthorizedCaller,
  deps: AdminDeps,
): Promise<View> {
  const replace = (document: CredentialsDocument) => {
    find(document, id);
    return { credentials: document.credentials.map((one) => (one.id === id ? make(one) : one)) };
  };
  return viewOf(find(await change(id, action, replace, caller, deps), id), deps);
}

/** The hosts of a new credential: those of the request, else the host of the provider's base URL. @throws GatewayError if that is not among them */
async function hostsFor(provider: string, given: readonly string[] | undefined, deps: AdminDeps): Promise<string[]> {
  const { upstreamNow } = await import('../upstream.ts');
  const upstream = await upstreamNow(deps);
  const known = describeProviders(await upstream.settings(), false, upstream.bedrock, upstream.stored);
  const host = known.find(({ name }) => name === provider)?.host ?? null;
  if (given === undefined && host === null) {
    const message = "The provider has no base URL here: name the hosts to which the value may be sent in 'hosts'.";
    throw new GatewayError('missing_field', message, { param: 'hosts' });
  }
  const hosts = [...new Set(given ?? [host as string])];
  if (host === null || hosts.includes(host)) return hosts;
  const message = `'hosts' must contain ${host}, the host of the provider's base URL.`;
  throw new GatewayError('invalid_value', message, { param: 'hosts' });
}

/** @throws GatewayError `invalid_value` if there are no AWS credentials, or a host is not the provider's: its owner could use the tokens */
function refuseFederation(
  kind: Parameters<typeof isHostOf>[0],
  hosts: readonly string[],
  { hasAwsIdentity }: AdminDeps,
): void {
  if (!hasAwsIdentity) {
    const message = "The type 'federation' needs AWS credentials, which this process does not have.";
    throw new GatewayError('invalid_value', message, { param: 'type' });
  }
  refuseOtherHosts(kind, hosts);
}

/** @throws GatewayError `invalid_value` if the value is the key of a service account, and a host is not Google's */
function refuseHostsOf(value: string, hosts: readonly string[]): void {
  if (readServiceAccountKey(value) !== undefined) refuseOtherHosts('google', hosts);
}

function refuseOtherHosts(kind: Parameters<typeof isHostOf>[0], hosts: readonly string[]): void {
  const other = hosts.find((host) => !isHostOf(kind, host));
  if (other === undefined) return;
  const message = `'hosts' has ${other}, which is no host of an API of the kind ${kind}: it may not get access tokens.`;
  throw new GatewayError('invalid_value', message, { param: 'hosts' });
}

function refuseMoved(stored: Place, { provider, hosts }: Pick<BodyOf<'updateCredential'>, keyof Place>): void {
  const param =
    provider !== undefined && provider !== stored.provider
      ? 'provider'
      : hosts !== undefined && hosts.join() !== stored.hosts.join()
        ? 'hosts'
        : undefined;
  if (param === undefined) return;
  const message = `'${param}' of a credential never changes: create another credential.`;
  throw new GatewayError('invalid_value', message, { param });
}

/** @throws GatewayError `invalid_value` if the provider refuses the value. A test without a result is no obstacle */
async function requireAccepted(
  param: string,
  credential: Source,
  value: string | undefined,
  deps: AdminDeps,
): Promise<void> {
  const { result, code, message } = await testStored(credential, value, deps);
  if (result !== 'refused' && code !== UNREADABLE) return;
  const skip = result === 'refused' ? " 'skipTest' stores it untested." : '';
  throw new GatewayError('invalid_value', `${message} Nothing was changed.${skip}`, { param });
}

type Source = Pick<
  StoredCredential,
  'id' | 'provider' | 'hosts' | 'value' | 'secretArn' | 'secretField' | 'federation'
>;
const UNREADABLE = 'secret_unreadable';

/** @param value a value that is not stored yet; undefined: that of the credential */
async function testStored(credential: Source, value: string | undefined, deps: AdminDeps): Promise<CredentialResult> {
  const startedAt = deps.clock.monotonic();
  const { testValue } = await import('../test-credential.ts');
  const { upstreamNow } = await import('../upstream.ts');
  const { provider, hosts } = credential;
  let tested: TestedValue;
  try {
    const read = value === undefined ? await readValue(credential, deps) : { value };
    const account = serviceAccountOf(read.value, hosts);
    tested = { provider, hosts, ...(account === undefined ? read : await deps.exchange(account)) };
  } catch (error) {
    const fault = faultOf(error, credential);
    if (fault === undefined) throw error;
    return { ...fault, durationMs: Math.round(deps.clock.monotonic() - startedAt) };
  }
  return testValue(tested, await upstreamNow(deps), deps.clock);
}

/** Why a credential has no value to test; undefined for a failure of the gateway itself. */
function faultOf(error: unknown, { secretArn }: Source): Omit<CredentialResult, 'durationMs'> | undefined {
  if (error instanceof ExchangeFailure) {
    const { message, isRefused } = error;
    return isRefused
      ? { result: 'refused', code: 'exchange_refused', message }
      : { result: 'failed', code: 'exchange_failed', message };
  }
  if (!(error instanceof StoreUnavailable) || secretArn === undefined) return undefined;
  const message = `The secret cannot be used (${error.message}). The stage setting credentialSecretArns must allow it.`;
  return { result: 'failed', code: UNREADABLE, message };
}

async function readValue(
  { provider, secretArn, secretField, value, federation, ...place }: Source,
  { valueSealer, outsideSecret, exchange }: AdminDeps,
): Promise<Pick<TestedValue, 'value' | 'expiresAt'>> {
  // A new token: the test shows whether the exchange works now.
  if (federation !== undefined) return exchange(federation);
  if (secretArn !== undefined) {
    return { value: memberOf(await outsideSecret(secretArn).read(), secretField, provider) };
  }
  if (value === undefined) throw new StoreUnavailable('the credential has no value');
  return { value: await valueSealer.open(value.sealed, sealName({ ...place, provider })) };
}

/** @throws GatewayError `conflict` if an MCP server, a provider or a key names the credential */
async function refuseUsed(id: string, { keys, providers, mcpServers }: AdminDeps): Promise<void> {
  const named = (await mcpServers.current()).settings.servers.find(
    ({ auth }) => auth.type !== 'none' && auth.credentialId === id,
  );
  if (named !== undefined)
    throw new GatewayError('conflict', `The MCP server ${named.name} names this credential. Change the server first.`);
  const provider = (await providers.current()).settings.providers.find(({ credentialId }) => credentialId === id);
  if (provider !== undefined) {
    const message = `The provider ${provider.name} names this credential. Change the provider first.`;
    throw new GatewayError('conflict', message);
  }
  let cursor: string | undefined;
  do {
    const page = await keys.list(KEYS_AT_ONCE, cursor);
    const user = page.keys.find(({ key }) => key.credentialId === id && key.state !== 'revoked');
    if (user !== undefined) {
      const message = `The key ${user.key.id} names this credential. Change the key first.`;
      throw new GatewayError('conflict', message);
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}
