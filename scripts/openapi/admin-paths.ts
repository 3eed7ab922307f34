import {
  auditListSchema,
  effectivePolicySchema,
  endUserDeletionSchema,
  keyPolicySchema,
  policyReplaySchema,
  policyScoresSchema,
  policyVersionListSchema,
  policyVersionSchema,
  providerListSchema,
  providerTestSchema,
  putPolicySchema,
  replayRequestSchema,
  rollbackPolicySchema,
  routeListSchema,
  settingsSchema,
  testProviderSchema,
} from '../../functions/admin-api/contract.ts';
import { guardRequestSchema, guardResultSchema } from '../../functions/core/protocols/inspection-schemas.ts';
import { type Json, schemaRef } from './components.ts';
import * as examples from './examples.ts';
import { adminOperation, BODY_ERRORS, jsonBody, KEY_ERRORS, PAGE_PARAMETERS, pathId, query } from './operations.ts';
import { errorResponses, jsonResponse } from './responses.ts';

const EFFECTIVE = query('effective', '`true`: every value in force, with its source, instead of what is set.', {
  type: 'string',
  enum: ['true', 'false'],
  default: 'false',
});

export const adminKeyPolicy: Json = {
  parameters: [pathId('Id of the key.')],
  get: {
    ...adminOperation(
      'getKeyPolicy',
      'Read the policy of a key',
      "What the key sets itself, or with `effective=true` every value that is in force for its requests, with the value's source.",
    ),
    parameters: [EFFECTIVE],
    responses: {
      200: eitherPolicy('The policy.', keyPolicySchema, examples.keyPolicy),
      ...errorResponses(['invalid_value', ...KEY_ERRORS, 'not_found']),
    },
  },
};

export const policyScores: Json = {
  get: {
    ...adminOperation(
      'getPolicyScores',
      'Count the scores of recorded findings',
      'Reads at most 10,000 records or for 6 s, the newest first; `isCut` says whether older ones were left out. Findings below the thresholds of their time are not recorded.',
    ),
    parameters: [
      query('from', 'Default: seven days ago.', { type: 'string', format: 'date-time' }),
      query('to', 'Default: now.', { type: 'string', format: 'date-time' }),
      query('keyId', 'Only requests of this key.', { type: 'string' }),
    ],
    responses: {
      200: jsonResponse('The counts.', schemaRef(policyScoresSchema), examples.policyScores),
      ...errorResponses(['invalid_value', ...KEY_ERRORS]),
    },
  },
};

export const providers: Json = {
  get: {
    ...adminOperation(
      'listProviders',
      'List providers',
      'Configured ones first, with their health by the request records of the last 15 minutes, of which at most 1,500 are read. The response has no credential.',
    ),
    responses: {
      200: jsonResponse('The providers.', schemaRef(providerListSchema), examples.providerList),
      ...errorResponses(KEY_ERRORS),
    },
  },
};

export const providerTest: Json = {
  parameters: [
    { name: 'name', in: 'path', required: true, description: 'Name of the provider.', schema: { type: 'string' } },
  ],
  post: {
    ...adminOperation(
      'testProvider',
      'Send a test request to a provider',
      'The admin API sends one short text itself, with at most 16 tokens of response and a deadline of 15 s. The request is not inspected, counts toward no limit and leaves no record; the provider bills it. It is in the audit log.',
    ),
    requestBody: {
      ...jsonBody(schemaRef(testProviderSchema), { model: { value: { model: 'gpt-6-luna' } } }),
      required: false,
    },
    responses: {
      200: jsonResponse('The result, also of a failed test.', schemaRef(providerTestSchema), examples.providerTest),
      ...errorResponses([...BODY_ERRORS, ...KEY_ERRORS, 'not_found', 'conflict']),
    },
  },
};

export const routes: Json = {
  get: {
    ...adminOperation(
      'listRoutes',
      'List routes of models',
      "The deployment's routes, then the standard ones. The first that matches a model's name decides.",
    ),
    responses: {
      200: jsonResponse('The routes.', schemaRef(routeListSchema), examples.routeList),
      ...errorResponses(KEY_ERRORS),
    },
  },
};

export const settings: Json = {
  get: {
    ...adminOperation('getSettings', 'Read how the deployment is set up', 'Without any secret.'),
    responses: {
      200: jsonResponse('The settings.', schemaRef(settingsSchema), examples.settings),
      ...errorResponses(KEY_ERRORS),
    },
  },
};

const IF_MATCH: Json = {
  name: 'If-Match',
  in: 'header',
  description: 'The `ETag` of the version to replace. Without it, any version is replaced.',
  schema: { type: 'string' },
};

export const policy: Json = {
  get: {
    ...adminOperation(
      'getPolicy',
      "Read the deployment's policy",
      'It applies to every key. The policy of a key takes precedence. With `effective=true` the response has every value in force and its source.',
    ),
    parameters: [EFFECTIVE],
    responses: {
      200: withETag(eitherPolicy('The policy.', policyVersionSchema, examples.policyVersion)),
      ...errorResponses(['invalid_value', ...KEY_ERRORS]),
    },
  },
  put: {
    ...adminOperation(
      'putPolicy',
      "Replace the deployment's policy",
      'Creates a new version, which the gateway applies within 10 s. Old versions stay in the list. A policy that was read can be written back: `object`, `version`, `createdAt` and `createdBy` are ignored.',
    ),
    parameters: [IF_MATCH],
    requestBody: jsonBody(schemaRef(putPolicySchema), { policy: { value: examples.policy } }),
    responses: {
      200: policyResponse(),
      ...errorResponses([...BODY_ERRORS, ...KEY_ERRORS, 'conflict', 'version_conflict']),
    },
  },
};

export const policyVersions: Json = {
  get: {
    ...adminOperation('listPolicyVersions', "List versions of the deployment's policy", 'Newest first.'),
    parameters: PAGE_PARAMETERS,
    responses: {
      200: jsonResponse('A page of versions.', schemaRef(policyVersionListSchema), {
        object: 'list',
        data: [examples.policyVersion],
        nextCursor: null,
      }),
      ...errorResponses(['invalid_value', ...KEY_ERRORS]),
    },
  },
};

export const policyVersion: Json = {
  parameters: [
    {
      name: 'version',
      in: 'path',
      required: true,
      description: 'The number of the version.',
      schema: { type: 'integer', minimum: 0 },
    },
  ],
  get: {
    ...adminOperation(
      'getPolicyVersion',
      "Read a version of the deployment's policy",
      'Version 0 is the initial policy.',
    ),
    responses: {
      200: jsonResponse('The version.', schemaRef(policyVersionSchema), examples.policyVersion),
      ...errorResponses([...KEY_ERRORS, 'not_found']),
    },
  },
};

export const policyRollback: Json = {
  post: {
    ...adminOperation(
      'rollbackPolicy',
      "Roll the deployment's policy back",
      'Creates a new version with the settings of an old one. A version that is no longer a valid policy is a 400: correct it and save it with `PUT`.',
    ),
    parameters: [IF_MATCH],
    requestBody: jsonBody(schemaRef(rollbackPolicySchema), { rollback: { value: { version: 3 } } }),
    responses: {
      200: policyResponse(),
      ...errorResponses([...BODY_ERRORS, ...KEY_ERRORS, 'not_found', 'conflict', 'version_conflict']),
    },
  },
};

export const endUser: Json = {
  parameters: [
    {
      name: 'id',
      in: 'path',
      required: true,
      description: 'The value of `X-End-User-ID`.',
      schema: { type: 'string' },
    },
  ],
  delete: {
    ...adminOperation(
      'deleteEndUser',
      "Delete an end user's data",
      'Deletes all stored data of requests on behalf of this end user, of all keys. Deleting an unknown end user succeeds too.',
    ),
    responses: {
      200: jsonResponse('Counts of deleted items.', schemaRef(endUserDeletionSchema), {
        object: 'end_user.deletion',
        deleted: { answers: 2 },
      }),
      ...errorResponses(['invalid_value', ...KEY_ERRORS]),
    },
  },
};

export const policyReplay: Json = {
  post: {
    ...adminOperation(
      'replayPolicy',
      'Replay past requests with a policy',
      'Decides about past requests again, by the findings of their records, or by their captured text. Changes nothing.',
    ),
    requestBody: jsonBody(schemaRef(replayRequestSchema), { strict: { value: examples.replayRequest } }),
    responses: {
      200: jsonResponse(
        'The decisions that the policy would change.',
        schemaRef(policyReplaySchema),
        examples.policyReplay,
      ),
      ...errorResponses([...BODY_ERRORS, ...KEY_ERRORS]),
    },
  },
};

export const playgroundGuard: Json = {
  post: {
    ...adminOperation(
      'playgroundGuard',
      'Try an inspection',
      "Inspects like `POST /v1/guard`, with the deployment's policy, that of a key, or the one in the body. Writes no record and consumes no limit. The body has at most 256 KiB.",
    ),
    parameters: [query('keyId', 'The key whose policy applies.', { type: 'string', minLength: 1, maxLength: 128 })],
    requestBody: jsonBody(schemaRef(guardRequestSchema), {
      text: { summary: 'A text', value: examples.guardRequest },
    }),
    responses: {
      200: jsonResponse('The findings.', schemaRef(guardResultSchema), examples.guardResult),
      ...errorResponses([...BODY_ERRORS, ...KEY_ERRORS, 'not_found']),
    },
  },
};

export const audit: Json = {
  get: {
    ...adminOperation('listAudit', 'List the audit log', 'Newest first. Each entry has the hash of the previous one.'),
    parameters: PAGE_PARAMETERS,
    responses: {
      200: jsonResponse('A page of the audit log.', schemaRef(auditListSchema), examples.auditList),
      ...errorResponses(['invalid_value', ...KEY_ERRORS]),
    },
  },
};

/** What is set, or with `effective=true` what is in force. */
function eitherPolicy(description: string, schema: Parameters<typeof schemaRef>[0], example: object): Json {
  const either = { oneOf: [schemaRef(schema), schemaRef(effectivePolicySchema)] };
  return jsonResponse(description, either, example);
}

function policyResponse(): Json {
  return withETag(jsonResponse('The policy.', schemaRef(policyVersionSchema), examples.policyVersion));
}

function withETag(response: Json): Json {
  return { ...response, headers: { ...(response.headers as Json), ETag: { $ref: '#/components/headers/ETag' } } };
}
