import * as z from 'zod';
import { defineOperations } from '../../contract/index.ts';
import { effectivePolicy } from '../../control/policy/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import { guardRequestSchema, guardResultSchema } from '../../pipeline/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import type { Handlers } from '../operation-routes.ts';
import { teamPolicyOf } from '../team-keys.ts';

const REQUEST_ID = 'req_3f0c1f6e2f3f4b0f9a7c5d2e8b1a4c6d';
const example = {
  id: `guard-${REQUEST_ID.slice('req_'.length)}`,
  object: 'guard.result',
  flagged: false,
  action: 'allow',
  svc: {
    threat_score: 0,
    detected_threats: [],
    processing_time_ms: 3.214,
    action: 'allow',
    request_id: REQUEST_ID,
    session_id: null,
    coverage: { input: ['input'], output: [], skipped: [] },
  },
};

/** The guard without a record. Declared here, because the contract does not know the schemas of protocols. */
export const playgroundOperations = defineOperations({
  playgroundGuard: {
    method: 'POST',
    path: '/v1/admin/playground/guard',
    tag: 'Admin',
    summary: 'Try an inspection',
    description:
      "Inspects like `POST /v1/guard`, with the deployment's policy, that of a key, or the one in the body. Writes no record and consumes no limit. The body has at most 256 KiB.",
    access: 'security',
    scope: 'deployment',
    query: z.strictObject({
      keyId: z.string().min(1).max(128).optional().meta({ description: 'The key whose policy applies.' }),
    }),
    body: {
      schema: guardRequestSchema,
      examples: { text: { summary: 'A text', value: { input: 'Hello', as: 'user' } } },
      // Calls count toward no limit, so their length bounds the cost.
      maxBytes: 256 * 1024,
      isDocument: true,
    },
    response: { description: 'The findings.', body: guardResultSchema, example },
    errors: ['not_found'],
  },
});

/** The guard's response under the deployment's policy, or a key's. Leaves no record. */
export const PLAYGROUND_HANDLERS: Handlers<typeof playgroundOperations, AdminDeps> = {
  async playgroundGuard({ query: { keyId }, body, routed: { requestId } }, deps) {
    const [{ settings: defaults }, stored, { inspector }, { tryGuard }] = await Promise.all([
      deps.policies.current(),
      keyId === undefined ? undefined : deps.keys.get(keyId),
      deps.engine(),
      import('../../replay/index.ts'),
    ]);
    if (keyId !== undefined && stored === undefined) throw new GatewayError('not_found', 'There is no such key.');
    const settings =
      stored === undefined
        ? defaults
        : effectivePolicy(defaults, stored.key.policy, await teamPolicyOf(stored.key, deps));
    return tryGuard(body, settings, inspector, { requestId, clock: deps.clock });
  },
};
