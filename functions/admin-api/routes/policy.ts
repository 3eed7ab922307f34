import { type EffectivePolicy, type PolicyVersionView, policyOperations } from '../../contract/index.ts';
import { countScores } from '../../control/analytics/index.ts';
import type { DocumentVersion } from '../../control/documents/index.ts';
import { suggestTools } from '../../control/tool-usage/index.ts';
import { checkPolicy, checkToolTests } from '../../inspection/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import type { DeploymentPolicy, PolicySettings } from '../../kernel/model/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import { type DocumentKind, documentHandlers, validContent } from '../documents.ts';
import { explainPolicy } from '../explain-policy.ts';
import type { Handlers } from '../operation-routes.ts';
import { listRange } from './query.ts';

type PolicyVersion = DocumentVersion<DeploymentPolicy>;

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
  schema: policyOperations.putPolicy.body.schema.superRefine(checkPolicy),
};
const handlers = documentHandlers(POLICY);
const WEEK_MS = 7 * 86_400_000;

/** The deployment's policy, its versions, and the policies of keys. */
export const POLICY_HANDLERS: Handlers<typeof policyOperations, AdminDeps> = {
  /** The `ETag` is the version. */
  async getPolicy({ query: { effective } }, deps) {
    return effective ? toEffective(await deps.policies.current(), {}, null) : handlers.read(deps);
  },
  /** With `If-Match` replaces only that version (otherwise 412). */
  putPolicy: {
    check: checkPolicy,
    async handle({ body, ...write }, deps) {
      const { object: _o, version: _v, createdAt: _a, createdBy: _b, ...policy } = body;
      await checkToolTests(policy);
      return handlers.change(() => policy, write, deps);
    },
  },
  async rollbackPolicy(input, deps) {
    const old = await deps.policies.get(input.body.version);
    if (old !== undefined) await checkToolTests(validContent(POLICY, old));
    return handlers.rollback(input, deps);
  },
  listPolicyVersions: handlers.versions,
  getPolicyVersion: handlers.version,
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
    const { settings } = await deps.policies.current();
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
