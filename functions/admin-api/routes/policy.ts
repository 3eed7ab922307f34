import { type EffectivePolicy, type PolicyVersionView, policyOperations } from '../../contract/index.ts';
import { countScores, readRollout } from '../../control/analytics/index.ts';
import type { Caller } from '../../control/audit/index.ts';
import type { DocumentVersion } from '../../control/documents/index.ts';
import { policyInForce, risePoints, withdrawnEvent } from '../../control/rollout/index.ts';
import { suggestTools } from '../../control/tool-usage/index.ts';
import { checkPolicy, checkToolTests } from '../../inspection/index.ts';
import { GatewayError, toValidationError } from '../../kernel/errors/index.ts';
import type { DeploymentPolicy, PolicySettings } from '../../kernel/model/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import { changeDocument, type DocumentKind, readVersion, withETag } from '../documents.ts';
import { explainPolicy } from '../explain-policy.ts';
import type { Handlers } from '../operation-routes.ts';
import { OVERRIDE_HANDLERS } from './override.ts';
import { listRange } from './query.ts';

type PolicyVersion = DocumentVersion<DeploymentPolicy>;
type Rollout = NonNullable<DeploymentPolicy['rollout']>;

const POLICY: DocumentKind<DeploymentPolicy> = {
  name: 'policy',
  hasChanged: 'The policy has changed',
  target: 'policy',
  updated: 'policy.updated',
  store: ({ policies }) => policies,
};
const PROMOTED: DocumentKind<DeploymentPolicy> = { ...POLICY, updated: 'policy.promoted' };
const WITHDRAWN: DocumentKind<DeploymentPolicy> = {
  ...POLICY,
  updated: 'policy.withdrawn',
  eventOf: (next, read) => withdrawnEvent(read, next, 'administrator', null),
};
const storedSchema = policyOperations.putPolicy.body.schema.superRefine((policy, context) =>
  checkPolicy(policy, context),
);
const WEEK_MS = 7 * 86_400_000;

/** The deployment's policy, its versions, and the policies of keys. */
export const POLICY_HANDLERS: Handlers<typeof policyOperations, AdminDeps> = {
  ...OVERRIDE_HANDLERS,
  /** The `ETag` is the version. */
  async getPolicy({ query: { effective } }, deps) {
    const current = await deps.policies.current();
    return effective ? toEffective(current, {}, null) : withETag(toView(current), current);
  },
  /** With `If-Match` replaces only that version (otherwise 412). */
  putPolicy: {
    check(body, context) {
      checkPolicy(body, context);
      checkPolicy(body.rollout?.policy, context, ['rollout', 'policy']);
    },
    async handle({ headers, body, caller }, deps) {
      const { object: _o, version: _v, createdAt: _a, createdBy: _b, rollout, ...policy } = body;
      await checkToolTests(policy);
      await checkToolTests(rollout?.policy, ['rollout', 'policy']);
      const change = (current: DeploymentPolicy) =>
        rollout === undefined ? policy : withRollout(current, policy, rollout);
      return changePolicy(POLICY, change, headers['If-Match'], caller, deps);
    },
  },
  /** Without a roll-out that ran then. */
  async rollbackPolicy({ headers, body, caller }, deps) {
    const settings = validSettings(await readVersion(POLICY, body.version, deps));
    await checkToolTests(settings);
    return changePolicy(POLICY, () => settings, headers['If-Match'], caller, deps);
  },
  async getRollout(_, deps) {
    const { version, settings, createdAt } = await deps.policies.current();
    const shared = { object: 'policy.rollout', version } as const;
    if (settings.rollout === undefined) return { ...shared, rollout: null, since: null, total: null, watched: null };
    const { policy: _policy, ...rollout } = settings.rollout;
    const { minutes } = rollout.watch;
    const { total, watched } = await readRollout({ version, minutes, nowMs: deps.clock.now() }, deps.aggregates);
    return { ...shared, rollout, since: createdAt, total: withRise(total), watched: withRise(watched) };
  },
  promotePolicy: ({ body, caller }, deps) =>
    changePolicy(PROMOTED, (current) => rolloutIn(current).policy, `"${body.version}"`, caller, deps),
  withdrawPolicy: ({ body, caller }, deps) =>
    changePolicy(
      WITHDRAWN,
      (current) => rolloutIn(current) && policyInForce(current),
      `"${body.version}"`,
      caller,
      deps,
    ),
  /** The current one included. */
  async listPolicyVersions({ query: { limit, cursor } }, deps) {
    const page = await deps.policies.list(limit, cursor);
    return { object: 'list', data: page.versions.map(toView), nextCursor: page.nextCursor ?? null };
  },
  async getPolicyVersion({ params: { version } }, deps) {
    return toView(await readVersion(POLICY, version, deps));
  },
  async getKeyPolicy({ params, query: { effective } }, deps) {
    const policy = await readKeyPolicy(params.id, deps);
    if (effective) return toEffective(await deps.policies.current(), policy, params.id);
    return { object: 'key.policy', keyId: params.id, policy };
  },
  /** By default of the last week. */
  async getPolicyScores({ query: { keyId, ...range } }, deps) {
    const now = deps.clock.now();
    const { from, to } = listRange({ from: range.from ?? now - WEEK_MS, to: range.to ?? now });
    const counts = await countScores({ from, to, keyId }, deps);
    return { object: 'policy.scores', from: from as string, to: to as string, ...counts };
  },
  /** By default of the last week. */
  async suggestTools({ query: { keyId, minCalls, as, ...range } }, deps) {
    const toMs = range.to ?? deps.clock.now();
    const { from, to } = listRange({ from: range.from ?? toMs - WEEK_MS, to: toMs }) as { from: string; to: string };
    const settings = policyInForce((await deps.policies.current()).settings);
    const own = as === 'key' ? await readKeyPolicy(keyId, deps) : settings;
    const base = { ...own, tools: own.tools ?? settings.tools };
    const suggestion = await suggestTools({ from, to, keyId, minCalls }, base, deps);
    const policy = suggestion.proposals.length === 0 ? own : suggestion.policy;
    return { object: 'policy.tool_suggestion', from, to, ...suggestion, policy };
  },
};

/** @throws GatewayError `missing_field`, `not_found` */
async function readKeyPolicy(keyId: string | undefined, deps: AdminDeps): Promise<PolicySettings> {
  if (keyId === undefined)
    throw new GatewayError('missing_field', "Missing required field 'keyId'.", { param: 'keyId' });
  const stored = await deps.keys.get(keyId);
  if (stored === undefined) throw new GatewayError('not_found', 'There is no such key.');
  return stored.key.policy;
}

function toEffective({ version, settings }: PolicyVersion, own: PolicySettings, keyId: string | null): EffectivePolicy {
  return { object: 'policy.effective', keyId, version, ...explainPolicy(settings, own) };
}

/** The policy of the body as candidate over the policy in force, or both from the body. */
function withRollout(
  current: DeploymentPolicy,
  body: DeploymentPolicy,
  { policy, ...rollout }: Omit<Rollout, 'policy'> & { readonly policy?: DeploymentPolicy | undefined },
): DeploymentPolicy {
  return policy === undefined
    ? { ...policyInForce(current), rollout: { ...rollout, policy: body } }
    : { ...body, rollout: { ...rollout, policy } };
}

/** @throws GatewayError `conflict` */
function rolloutIn({ rollout }: DeploymentPolicy): Rollout {
  if (rollout !== undefined) return rollout;
  throw new GatewayError('conflict', 'No roll-out of the policy runs.', { param: 'version' });
}

function withRise(counts: Parameters<typeof risePoints>[0]) {
  return { ...counts, risePoints: Math.round(risePoints(counts) * 100) / 100 };
}

/**
 * The policy that was in force in a version, which an earlier release may have checked by other rules.
 * @throws GatewayError `invalid_value`
 */
function validSettings({ version, settings }: PolicyVersion): DeploymentPolicy {
  const checked = storedSchema.safeParse(policyInForce(settings));
  if (checked.success) return policyInForce(checked.data as DeploymentPolicy);
  const { message } = toValidationError(checked.error, settings);
  throw new GatewayError(
    'invalid_value',
    `Version ${version} is no longer a valid policy: ${message} Read it, correct it, and save it with PUT.`,
    { param: 'version' },
  );
}

async function changePolicy(
  kind: DocumentKind<DeploymentPolicy>,
  change: (current: DeploymentPolicy) => DeploymentPolicy,
  ifMatch: string | undefined,
  caller: Caller,
  deps: AdminDeps,
) {
  const version = await changeDocument(kind, change, { ifMatch, caller }, deps);
  return withETag(toView(version), version);
}

function toView({ settings, version, createdAt, createdBy }: PolicyVersion): PolicyVersionView {
  return { ...settings, object: 'policy', version, createdAt, createdBy };
}
