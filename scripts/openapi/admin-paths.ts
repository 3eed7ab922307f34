import {
  auditListSchema,
  createdKeySchema,
  createKeySchema,
  deploymentPolicySchema,
  endUserDeletionSchema,
  keyListSchema,
  keySchema,
  keyUsageSchema,
  policyReplaySchema,
  policyVersionListSchema,
  policyVersionSchema,
  replayRequestSchema,
  rotateKeySchema,
  updateKeySchema,
} from '../../functions/admin-api/contract.ts';
import type { ErrorCode } from '../../functions/core/base/errors.ts';
import { ENVIRONMENTS, KEY_STATES } from '../../functions/core/model/api-key.ts';
import { guardRequestSchema, guardResultSchema } from '../../functions/core/protocols/inspection-schemas.ts';
import { type Json, schemaRef } from './components.ts';
import * as examples from './examples.ts';
import { adminOperation, BODY_ERRORS, jsonBody, KEY_ERRORS, PAGE_PARAMETERS, pathId, query } from './operations.ts';
import { errorResponses, jsonAnswer } from './responses.ts';

export const adminKeys: Json = {
  get: {
    ...adminOperation(
      'listKeys',
      'List keys',
      'Newest first, revoked ones too. With filters a page may hold less than asked for although another follows.',
    ),
    parameters: [
      ...PAGE_PARAMETERS,
      query('search', 'A part of the name in any case, the id, or how the secret ends.', {
        type: 'string',
        minLength: 1,
        maxLength: 256,
      }),
      query('environment', 'In any case.', { type: 'string', enum: ENVIRONMENTS }),
      query('state', 'As it is now.', { type: 'string', enum: KEY_STATES }),
    ],
    responses: {
      200: jsonAnswer('A page of keys.', schemaRef(keyListSchema), examples.keyList),
      ...errorResponses(['invalid_value', ...KEY_ERRORS]),
    },
  },
  post: {
    ...adminOperation('createKey', 'Make a key', 'The answer holds the secret, `key`: it is not shown again.'),
    requestBody: jsonBody(schemaRef(createKeySchema), { key: { value: examples.createKey } }),
    responses: {
      201: jsonAnswer('The new key with its secret.', schemaRef(createdKeySchema), examples.createdKey),
      ...errorResponses([...BODY_ERRORS, ...KEY_ERRORS]),
    },
  },
};

export const adminKey: Json = {
  parameters: [pathId('Id of the key.')],
  get: {
    ...adminOperation('getKey', 'Read a key'),
    responses: keyResponses(),
  },
  patch: {
    ...adminOperation(
      'updateKey',
      'Change a key',
      'What is absent stays; an object such as `policy` is replaced whole. A revoked key is not found. A change counts everywhere within 30 s.',
    ),
    requestBody: jsonBody(schemaRef(updateKeySchema), { disable: { value: { state: 'disabled' } } }),
    responses: keyResponses([...BODY_ERRORS, 'conflict']),
  },
  delete: {
    ...adminOperation(
      'revokeKey',
      'Revoke a key',
      'For good; the key stays listed. Answers the same when repeated. It counts everywhere within 30 s.',
    ),
    responses: keyResponses(['conflict']),
  },
};

export const adminKeyRotation: Json = {
  parameters: adminKey.parameters,
  post: {
    ...adminOperation(
      'rotateKey',
      'Give a key a new secret',
      'The answer holds the new secret, `key`: it is not shown again. The old one stays valid for the grace; its end counts everywhere at that time, with a grace of 0 within 30 s.',
    ),
    requestBody: {
      ...jsonBody(schemaRef(rotateKeySchema), { soon: { value: { graceSeconds: 3600 } } }),
      required: false,
    },
    responses: {
      200: jsonAnswer('The key with its new secret.', schemaRef(createdKeySchema), examples.createdKey),
      ...errorResponses([...BODY_ERRORS, ...KEY_ERRORS, 'not_found', 'conflict']),
    },
  },
};

export const adminKeyUsage: Json = {
  parameters: adminKey.parameters,
  get: {
    ...adminOperation('getKeyUsage', 'What a key has left', 'What its limits would admit now. Takes nothing of them.'),
    responses: {
      200: jsonAnswer('What is left.', schemaRef(keyUsageSchema), examples.keyUsage),
      ...errorResponses([...KEY_ERRORS, 'not_found']),
    },
  },
};

export const policy: Json = {
  get: {
    ...adminOperation(
      'getPolicy',
      "Read the deployment's policy",
      'It counts for every key, under what the key has of its own.',
    ),
    responses: {
      200: policyResponse(),
      ...errorResponses(KEY_ERRORS),
    },
  },
  put: {
    ...adminOperation(
      'putPolicy',
      "Put the deployment's policy",
      'A new version, which counts everywhere within 30 s; the old ones stay listed.',
    ),
    parameters: [
      {
        name: 'If-Match',
        in: 'header',
        description: 'The `ETag` of the version that this one is to replace; any where it is absent.',
        schema: { type: 'string' },
      },
    ],
    requestBody: jsonBody(schemaRef(deploymentPolicySchema), { policy: { value: examples.policy } }),
    responses: {
      200: policyResponse(),
      ...errorResponses([...BODY_ERRORS, ...KEY_ERRORS, 'conflict', 'version_conflict']),
    },
  },
};

export const policyVersions: Json = {
  get: {
    ...adminOperation('listPolicyVersions', "Versions of the deployment's policy", 'Newest first.'),
    parameters: PAGE_PARAMETERS,
    responses: {
      200: jsonAnswer('A page of versions.', schemaRef(policyVersionListSchema), {
        object: 'list',
        data: [examples.policyVersion],
        nextCursor: null,
      }),
      ...errorResponses(['invalid_value', ...KEY_ERRORS]),
    },
  },
};

export const endUser: Json = {
  parameters: [
    { name: 'id', in: 'path', required: true, description: 'As `X-End-User-ID` had it.', schema: { type: 'string' } },
  ],
  delete: {
    ...adminOperation(
      'deleteEndUser',
      "Delete an end user's data",
      'All that is kept of requests on his behalf, whichever key they came by. Answers the same where there is nothing.',
    ),
    responses: {
      200: jsonAnswer('What was deleted.', schemaRef(endUserDeletionSchema), {
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
      'Try a policy on past requests',
      'Decides anew about requests by the findings of their records, or by their text where it was kept. Changes nothing.',
    ),
    requestBody: jsonBody(schemaRef(replayRequestSchema), { strict: { value: examples.replayRequest } }),
    responses: {
      200: jsonAnswer('What the policy would have changed.', schemaRef(policyReplaySchema), examples.policyReplay),
      ...errorResponses([...BODY_ERRORS, ...KEY_ERRORS]),
    },
  },
};

export const playgroundGuard: Json = {
  post: {
    ...adminOperation(
      'playgroundGuard',
      'Try an inspection',
      "Answers as the guard, by the deployment's policy or the one in the body. Leaves no record and counts for no limit; 256 KiB at most.",
    ),
    requestBody: jsonBody(schemaRef(guardRequestSchema), {
      text: { summary: 'A text', value: examples.guardRequest },
    }),
    responses: {
      200: jsonAnswer('What was found.', schemaRef(guardResultSchema), examples.guardResult),
      ...errorResponses([...BODY_ERRORS, ...KEY_ERRORS]),
    },
  },
};

export const audit: Json = {
  get: {
    ...adminOperation(
      'listAudit',
      'What administrators did',
      'Newest first. Each entry holds the hash of the one before.',
    ),
    parameters: PAGE_PARAMETERS,
    responses: {
      200: jsonAnswer('A page of the audit log.', schemaRef(auditListSchema), examples.auditList),
      ...errorResponses(['invalid_value', ...KEY_ERRORS]),
    },
  },
};

function keyResponses(errors: readonly ErrorCode[] = []): Json {
  return {
    200: jsonAnswer('The key.', schemaRef(keySchema), examples.key),
    ...errorResponses([...errors, ...KEY_ERRORS, 'not_found']),
  };
}

function policyResponse(): Json {
  const whole = jsonAnswer('The policy.', schemaRef(policyVersionSchema), examples.policyVersion);
  return { ...whole, headers: { ...(whole.headers as Json), ETag: { $ref: '#/components/headers/ETag' } } };
}
