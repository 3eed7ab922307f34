import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../kernel/errors/index.ts';
import { networkOf } from '../../kernel/http/index.ts';
import {
  type Claims,
  type IdentityDocument,
  type IdentityRule,
  matchesClaims,
  mcpServersOf,
  type TokenIssuer,
} from '../../kernel/identity/index.ts';
import type { ApiKey, DeploymentPolicy, IdentityRef } from '../../kernel/model/index.ts';
import { type Clock, NamedBudget } from '../../kernel/tasks/index.ts';
import { type TeamsDocument, teamOf } from '../../kernel/teams/index.ts';
import type { DocumentVersion } from '../documents/index.ts';
import { effectivePolicy } from '../policy/index.ts';
import type { IdentityStates } from './identity-states.ts';
import { checkTimes, digestOf, issuerOf, isTokenForm, readToken, subjectOf, type UnverifiedToken } from './token.ts';

/** Verifies signatures with the public keys of issuers, which it keeps. */
export interface TokenSignatures {
  /**
   * Returns if the signature is valid. @param isOfSettings whether the issuer may be at a private address
   * @throws GatewayError `invalid_api_key`; `unavailable` if the issuer's keys were never read
   */
  verify(token: UnverifiedToken, issuer: TokenIssuer, isOfSettings: boolean): Promise<void>;
  /** A number that changes with the issuer's keys. They are read again in the background if they are old. */
  generationOf(issuer: TokenIssuer, isOfSettings: boolean): number;
}

interface IdentitiesDeps {
  readonly document: { current(): Promise<DocumentVersion<IdentityDocument>> };
  readonly policy: { settings(): Promise<DeploymentPolicy> };
  readonly teams: { settings(): Promise<TeamsDocument> };
  readonly signatures: TokenSignatures;
  readonly states: IdentityStates;
  /** `hashes` of a text: its HMACs with the deployment's peppers. */
  readonly hasher: {
    hashes(text: string): Promise<readonly [string, ...string[]]>;
    pseudonym(text: string): Promise<string>;
  };
  readonly clock: Clock;
}

interface Verified {
  readonly issuer: TokenIssuer;
  readonly claims: Claims;
  readonly algorithm: string;
  /** Of the issuer's keys. */
  readonly generation: number;
  readonly document: DocumentVersion<IdentityDocument>;
  readonly policy: DeploymentPolicy;
  readonly teams: TeamsDocument;
  /** undefined: no rule matches. */
  readonly caller: ApiKey | undefined;
}

/** The documents that decide on a token. */
type InForce = Pick<Verified, 'document' | 'policy' | 'teams'>;

/** Characters of all tokens whose claims are kept. */
const MAX_KEPT_CHARS = 16_000_000;
/** Failed signature checks of an address: 100 at once, and 10 a second. */
const FAILURES = { atOnce: 100, perSecond: 10 };

/**
 * Callers with a token of a configured issuer in place of a key. A token is verified once: later requests with it compare its digest. The
 * caller has the form of a key, so that limits, policies and ids hold as for keys; its id is a digest of issuer and subject.
 */
export class Identities {
  private readonly deps: IdentitiesDeps;
  private readonly verified = new LRUCache<string, Verified>({ maxSize: MAX_KEPT_CHARS });
  private readonly failures: NamedBudget;

  constructor(deps: IdentitiesDeps) {
    this.deps = deps;
    this.failures = new NamedBudget(FAILURES.atOnce, FAILURES.perSecond, deps.clock);
  }

  /** Whether a secret has the form of a token. */
  accepts(secret: string): boolean {
    return isTokenForm(secret);
  }

  /**
   * The caller with a token. @param address of the client @param isRunning its request was let in before: the token may have expired since
   * @throws GatewayError `invalid_api_key`, which names the failed check; `insufficient_permissions` if no rule matches;
   * `rate_limit_exceeded` beyond what strangers may cost; StoreUnavailable
   */
  async find(text: string, address: string, isRunning = false): Promise<ApiKey> {
    const { document, policy, teams, states, clock } = this.deps;
    const all = await Promise.all([document.current(), policy.settings(), teams.settings()]);
    const [version, defaults, known] = all;
    const inForce = { document: version, policy: defaults, teams: known };
    const { caller, claims } = await this.verify(text, address, isRunning, inForce);
    const now = clock.now();
    if (!isRunning) checkTimes(claims, now);
    if (caller?.identity === undefined) throw noRule();
    const lastSeenAt = new Date(now - (now % 60_000)).toISOString();
    const { id, name: ruleId, teamId = null, identity } = caller;
    const state = await states.stateOf({ id, ...identity, ruleId, teamId, lastSeenAt });
    if (state === 'active') return caller;
    throw new GatewayError('invalid_api_key', 'An administrator has disabled this identity.');
  }

  private async verify(text: string, address: string, isRunning: boolean, inForce: InForce): Promise<Verified> {
    const { document, policy, teams } = inForce;
    const digest = digestOf(text);
    const known = this.verified.get(digest);
    const isSame = known?.document === document && known.policy === policy && known.teams === teams;
    if (known !== undefined && isSame && (isRunning || this.hasSameKeys(known))) return known;
    const { issuers } = document.settings;
    if (known !== undefined && isRunning) {
      const issuer = issuerOf(known, issuers);
      return this.keep(digest, text, { ...known, ...inForce, issuer });
    }
    const token = readToken(text);
    const issuer = issuerOf(token, issuers);
    if (!isRunning) checkTimes(token.claims, this.deps.clock.now());
    subjectOf(token.claims);
    await this.checkSignature(token, issuer, address, document.version === 0);
    const { claims, algorithm } = token;
    const generation = this.deps.signatures.generationOf(issuer, document.version === 0);
    return this.keep(digest, text, { issuer, claims, algorithm, generation, ...inForce });
  }

  private hasSameKeys({ issuer, generation, document }: Verified): boolean {
    return this.deps.signatures.generationOf(issuer, document.version === 0) === generation;
  }

  private async checkSignature(token: UnverifiedToken, issuer: TokenIssuer, address: string, isOfSettings: boolean) {
    const network = networkOf(address);
    if (!this.failures.has(network)) {
      const message = 'Too many tokens with an invalid signature came from this address. Try again shortly.';
      throw new GatewayError('rate_limit_exceeded', message, { headers: { 'retry-after': '1' } });
    }
    try {
      await this.deps.signatures.verify(token, issuer, isOfSettings);
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'invalid_api_key') this.failures.take(network);
      throw error;
    }
  }

  private async keep(digest: string, text: string, token: Omit<Verified, 'caller'>): Promise<Verified> {
    const rule = token.issuer.rules.find(({ match }) => matchesClaims(match, token.claims));
    const caller = rule && (await this.toCaller(token, rule));
    const verified = { ...token, caller };
    this.verified.set(digest, verified, { size: text.length });
    return verified;
  }

  private async toCaller(
    { claims, issuer: { issuer, audience }, policy, teams, document }: Omit<Verified, 'caller'>,
    rule: IdentityRule,
  ) {
    const { id: name, match: _, ...rights } = rule;
    const { hasher } = this.deps;
    const subject = subjectOf(claims);
    const id = identityId({ issuer, subject });
    const isHashed = effectivePolicy(policy, rule.policy).identitySubject === 'hashed';
    const [secretHash] = await hasher.hashes(`identity ${id}`);
    const ofRule = teams.teams.filter((team) => team.id === rights.teamId);
    const mcpServers = mcpServersOf([claims.aud].flat(), { audience });
    const member = teamOf(claims, rights.teamId == null ? teams.teams : ofRule);
    return {
      ...{ id, name, ...rights, secretHash },
      ...(mcpServers !== undefined && {
        mcpServers,
        permissions: rights.permissions.filter((one) => one === 'mcp'),
      }),
      teamId: rights.teamId ?? member?.team.id ?? null,
      ...(member !== undefined && { teamRole: member.role }),
      identity: { issuer, subject: isHashed ? await hasher.pseudonym(subject) : subject },
      excludePermissions: [],
      ipWhitelist: [],
      onStoreFailure: 'closed',
      credentialId: null,
      expiresAt: null,
      state: 'active',
      last4: '',
      createdAt: document.createdAt ?? new Date(0).toISOString(),
    } satisfies ApiKey;
  }
}

/** The id of a caller that an issuer names. */
export function identityId({ issuer, subject }: IdentityRef): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex');
  return `idn_${digest.slice(0, 32)}`;
}

function noRule(): GatewayError {
  const message = 'The token is valid, but no rule of its issuer matches its claims. Ask an administrator for one.';
  return new GatewayError('insufficient_permissions', message);
}
