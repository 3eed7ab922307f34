import type * as z from 'zod';
import { type callerIdentityOperations, identityOperations, type ResponseOf } from '../../contract/index.ts';
import { audit } from '../../control/audit/index.ts';
import type { StoredIdentity } from '../../control/identities/index.ts';
import { findUrlFault } from '../../control/webhooks/index.ts';
import { checkPolicy, checkToolTests } from '../../inspection/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import type { IdentityDocument } from '../../kernel/identity/index.ts';
import type { AuthorizedCaller } from '../access.ts';
import type { AdminDeps } from '../admin-deps.ts';
import { requireAuthority } from '../authority.ts';
import { type DocumentKind, documentHandlers } from '../documents.ts';
import { usageOf } from '../key-usage.ts';
import type { Handlers } from '../operation-routes.ts';

const IDENTITY: DocumentKind<IdentityDocument, ResponseOf<'putIdentity'>> = {
  name: 'identity',
  hasChanged: 'The issuers have changed',
  store: ({ identity }) => identity,
  toView: ({ settings: { issuers }, ...version }) =>
    ({ object: 'identity', ...version, issuers }) as ResponseOf<'putIdentity'>,
  schema: identityOperations.putIdentity.body.schema.superRefine(checkPolicies),
  check: checkWrite,
};
const handlers = documentHandlers(IDENTITY);

/** The issuers of tokens and their versions. */
export const IDENTITY_HANDLERS: Handlers<typeof identityOperations, AdminDeps> = {
  getIdentity: (_, deps) => handlers.read(deps),
  putIdentity: {
    check: checkPolicies,
    handle: ({ body: { issuers }, ...write }, deps) => handlers.change(() => ({ issuers }), write, deps),
  },
  rollbackIdentity: handlers.rollback,
  listIdentityVersions: handlers.versions,
  getIdentityVersion: handlers.version,
};

/** Callers that issuers name: the list, their states, and what their limits leave. */
export const CALLER_IDENTITY_HANDLERS: Handlers<typeof callerIdentityOperations, AdminDeps> = {
  async listIdentities({ query: { limit, cursor } }, deps) {
    const { identities, nextCursor = null } = await deps.identities.list(limit, cursor);
    return { object: 'list', data: identities.map(toView), nextCursor };
  },
  async updateIdentity({ params: { id }, body: { state }, caller }, deps) {
    const before = await findIdentity(id, deps);
    // Also what an administrator has disabled.
    if (state === 'active' && caller.teamId !== undefined)
      throw new GatewayError('insufficient_permissions', 'Only an administrator can enable an identity.');
    const action = state === 'active' ? 'identity.enabled' : 'identity.disabled';
    const change = { before: { state: before.state }, after: { state } };
    await audit(caller, { action, target: { type: 'identity', id }, teams: [before.teamId], ...change }, deps);
    return toView((await deps.identities.setState(id, state)) ?? before);
  },
  async getIdentityUsage({ params: { id } }, deps) {
    const { ruleId, teamId } = await findIdentity(id, deps);
    const { issuers } = (await deps.identity.current()).settings;
    const rule = issuers.flatMap(({ rules }) => rules).find((one) => one.id === ruleId);
    if (rule === undefined) throw new GatewayError('not_found', 'The rule of this identity does not exist any more.');
    return usageOf({ ...rule, id, teamId }, deps);
  },
};

async function findIdentity(id: string, { identities }: AdminDeps): Promise<StoredIdentity> {
  const found = /^idn_[0-9a-f]{32}$/.test(id) ? await identities.get(id) : undefined;
  if (found !== undefined) return found;
  throw new GatewayError('not_found', 'There is no such identity.');
}

function toView({ ruleId: rule, ...identity }: StoredIdentity): ResponseOf<'updateIdentity'> {
  return { object: 'identity', ...identity, rule };
}

function checkPolicies({ issuers }: IdentityDocument, context: z.RefinementCtx): void {
  for (const [at, { rules }] of issuers.entries()) {
    for (const [place, { policy }] of rules.entries())
      checkPolicy(policy, context, ['issuers', at, 'rules', place, 'policy']);
  }
}

/** Rules are in order, so that any change may give another caller other rights: the writer must have those of all rules. */
async function checkWrite(
  { issuers }: IdentityDocument,
  { authority }: AuthorizedCaller,
  { endpointUrls }: AdminDeps,
): Promise<void> {
  for (const [at, { issuer, jwksUrl, rules }] of issuers.entries()) {
    for (const [field, address] of Object.entries({ issuer, jwksUrl })) {
      const fault = address && findUrlFault(address, endpointUrls);
      const param = `issuers[${at}].${field}`;
      if (fault) throw new GatewayError('invalid_value', `'${param}' ${fault}.`, { param });
    }
    for (const [place, rule] of rules.entries()) {
      const rights = { ...rule, excludePermissions: [], ipWhitelist: [], expiresAt: null };
      requireAuthority(authority, undefined, rights, `Callers of the rule '${rule.id}'`);
      await checkToolTests(rule.policy, ['issuers', at, 'rules', place, 'policy']);
    }
  }
}
