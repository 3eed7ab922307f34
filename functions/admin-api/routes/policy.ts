import type * as z from 'zod';
import { type EffectivePolicy, type PolicyVersionView, policyOperations } from '../../contract/index.ts';
import { countScores, readRollout } from '../../control/analytics/index.ts';
import type { DocumentVersion } from '../../control/documents/index.ts';
import { policyInForce, risePoints, withdrawnEvent } from '../../control/rollout/index.ts';
import { suggestTools } from '../../control/tool-usage/index.ts';
import { checkPolicy, checkToolTests } from '../../inspection/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import type { ApiKey, DeploymentPolicy, PolicySettings } from '../../kernel/model/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import { type DocumentKind, documentHandlers, readVersion, validContent, type Write } from '../documents.ts';
import { explainPolicy } from '../explain-policy.ts';
import type { Handlers } from '../operation-routes.ts';
import { teamPolicyOf } from '../team-keys.ts';
import { OVERRIDE_HANDLERS } from './override.ts';
import { listRange } from './query.ts';

type PolicyVersion = DocumentVersion<DeploymentPolicy>;
type Rollout = NonNullable<DeploymentPolicy['rollout']>;

const POLICY: DocumentKind<DeploymentPolicy, PolicyVersionView> = {
  name: 'policy',
  hasChanged: 'The policy has changed',
  store: ({ policies }) => policies,
  toView: ({ settings, version, createdAt, createdBy }) => ({
    ...settings,
    object: 'policy',
    version,
    createdAt,
    createdBy,
  }),
  schema: policyOperations.putPolicy.body.schema.superRefine((policy, context) =>
    checkPolicy(policy, context),
  ) as unknown as z.ZodType<DeploymentPolicy>,
};
const handlers = documentHandlers(POLICY);
const promoting = documentHandlers({ ...POLICY, action: 'policy.promoted' });
const withdrawing = documentHandlers({
  ...POLICY,
  action: 'policy.withdrawn',
  eventOf: (next, read) => withdrawnEvent(read, next, 'administrator', null),
});
const WEEK_MS = 7 * 86_400_000;

/** The deployment's policy, its versions, and the policies of keys. */
export const POLICY_HANDLERS: Handlers<typeof policyOperations, AdminDeps> = {
  ...OVERRIDE_HANDLERS,
  /** The `ETag` is the version. */
  async getPolicy({ query: { effective } }, deps) {
    return effective ? toEffective(await deps.policies.current(), {}, undefined, null) : handlers.read(deps);
  },
  /** With `If-Match` replaces only that version (otherwise 412). */
  putPolicy: {
    check(body, context) {
      checkPolicy(body, context);
      checkPolicy(body.rollout?.policy, context, ['rollout', 'policy']);
    },
    async handle({ body, ...write }, deps) {
      const { object: _o, version: _v, createdAt: _a, createdBy: _b, rollout, ...policy } = body;
      await checkToolTests(policy);
      await checkToolTests(rollout?.policy, ['rollout', 'policy']);
      const change = (current: DeploymentPolicy) =>
        rollout === undefined ? policy : withRollout(current, policy, rollout);
      return handlers.change(change, write, deps);
    },
  },
  /** Without a roll-out that ran then. */
  async rollbackPolicy({ body, ...write }, deps) {
    const old = await readVersion(POLICY, body.version, deps);
    const policy = policyInForce(validContent(POLICY, { ...old, settings: policyInForce(old.settings) }));
    await checkToolTests(policy);
    return handlers.change(() => policy, write, deps);
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
    promoting.change((current) => rolloutIn(current).policy, only(body, caller), deps),
  withdrawPolicy: ({ body, caller }, deps) =>
    withdrawing.change((current) => rolloutIn(current) && policyInForce(current), only(body, caller), deps),
  listPolicyVersions: handlers.versions,
  getPolicyVersion: handlers.version,
  async getKeyPolicy({ params, query: { effective } }, deps) {
    const key = await readKey(params.id, deps);
    const { policy } = key;
    if (effective) return toEffective(await deps.policies.current(), policy, await teamPolicyOf(key, deps), params.id);
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
    const own = as === 'key' ? (await readKey(keyId, deps)).policy : settings;
    const base = { ...own, tools: own.tools ?? settings.tools };
    const suggestion = await suggestTools({ from, to, keyId, minCalls }, base, deps);
    const policy = suggestion.proposals.length === 0 ? own : suggestion.policy;
    return { object: 'policy.tool_suggestion', from, to, ...suggestion, policy };
  },
};

/** @throws GatewayError `missing_field`, `not_found` */
async function readKey(keyId: string | undefined, deps: AdminDeps): Promise<ApiKey> {
  if (keyId === undefined)
    throw new GatewayError('missing_field', "Missing required field 'keyId'.", { param: 'keyId' });
  const stored = await deps.keys.get(keyId);
  if (stored === undefined) throw new GatewayError('not_found', 'There is no such key.');
  return stored.key;
}

function toEffective(
  { version, settings }: PolicyVersion,
  own: PolicySettings,
  team: PolicySettings | undefined,
  keyId: string | null,
): EffectivePolicy {
  return { object: 'policy.effective', keyId, version, ...explainPolicy(settings, own, team) };
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

/** A write that replaces only this version. */
function only({ version }: { readonly version: number }, caller: Write['caller']): Write {
  return { headers: { 'If-Match': `"${version}"` }, caller, versionField: 'version' };
}
