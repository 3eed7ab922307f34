import * as z from 'zod';
import { createTeamSchema, teamSchema, updateTeamSchema } from '../kernel/teams/index.ts';
import { idOf, listOf } from './fields.ts';
import { teamUsageSchema } from './keys.ts';
import { defineOperations } from './operation.ts';

const listSchema = listOf(teamSchema).meta({ id: 'TeamList', description: 'All teams, oldest first.' });

const deletionSchema = z
  .object({ object: z.literal('team.deletion'), id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'TeamDeletion', description: 'Confirms that a team was deleted.' });

const createExample = {
  name: 'Shop',
  members: [
    { match: { email: ['lead@example.com'] }, role: 'owner' },
    { match: { groups: ['shop-*'] }, role: 'member' },
  ],
  tags: { team: 'shop' },
  rateLimit: { requests: 6_000, period: 'minute' },
  budget: { usd: 500, period: 'month' },
  allowedModels: ['gpt-*'],
  policy: { preset: 'strict' },
} as const;
const example = {
  id: 'team_1f0e2d3c4b5a69788796a5b4c3d2e1f0',
  object: 'team',
  ...createExample,
  state: 'active',
  tokenLimit: null,
  maxConcurrent: null,
  maxKeys: null,
  credentials: [],
  createdAt: '2026-11-30T09:00:00.000Z',
};
const params = idOf('Id of the team.');
const oneTeam = { description: 'The team.', body: teamSchema, example } as const;

/** Teams, whose limits, models and policy bound their keys; each change is in the audit log. */
export const teamOperations = defineOperations({
  listTeams: {
    method: 'GET',
    path: '/v1/admin/teams',
    tag: 'Admin',
    summary: 'List teams',
    description: 'Oldest first.',
    access: 'admin',
    scope: 'member',
    response: {
      description: 'All teams.',
      body: listSchema,
      example: { object: 'list', data: [example], nextCursor: null },
    },
  },
  createTeam: {
    method: 'POST',
    path: '/v1/admin/teams',
    tag: 'Admin',
    summary: 'Create a team',
    description: 'Every process of the gateway knows it within 10 s.',
    access: 'admin',
    scope: 'deployment',
    body: { schema: createTeamSchema, examples: { limits: { value: createExample } } },
    response: { ...oneTeam, status: 201 },
    errors: ['conflict'],
  },
  getTeam: {
    method: 'GET',
    path: '/v1/admin/teams/{id}',
    tag: 'Admin',
    summary: 'Read a team',
    access: 'admin',
    scope: 'member',
    params,
    response: oneTeam,
    errors: ['not_found'],
  },
  getTeamUsage: {
    method: 'GET',
    path: '/v1/admin/teams/{id}/usage',
    tag: 'Admin',
    summary: 'Read the remaining limits of a team',
    description: 'What the limits of all its keys and identities together would admit now. The call consumes nothing.',
    access: 'admin',
    scope: 'member',
    params,
    response: {
      description: 'The remaining limits.',
      body: teamUsageSchema,
      example: {
        ...{ object: 'team.usage', teamId: example.id, at: '2026-11-21T09:00:00.000Z' },
        requests: { limit: 6_000, remaining: 5_988, fullAt: '2026-11-21T09:00:00.120Z' },
        tokens: null,
        budget: {
          ...{ usd: 500, remainingUsd: 411.5 },
          startAt: '2026-11-20T00:00:00.000Z',
          resetAt: '2026-12-20T00:00:00.000Z',
        },
        concurrent: null,
      },
    },
    errors: ['not_found'],
  },
  updateTeam: {
    method: 'PATCH',
    path: '/v1/admin/teams/{id}',
    tag: 'Admin',
    summary: 'Change a team',
    description: 'Absent fields keep their values. In force within 10 s; requests of a disabled team end within 30 s.',
    access: 'admin',
    scope: 'deployment',
    params,
    body: { schema: updateTeamSchema, examples: { disable: { value: { state: 'disabled' } } } },
    response: oneTeam,
    errors: ['not_found', 'conflict'],
  },
  deleteTeam: {
    method: 'DELETE',
    path: '/v1/admin/teams/{id}',
    tag: 'Admin',
    summary: 'Delete a team',
    description: 'One with keys that are not revoked, or with credentials, is a 409.',
    access: 'admin',
    scope: 'deployment',
    params,
    response: {
      description: 'The team is deleted.',
      body: deletionSchema,
      example: { object: 'team.deletion', id: example.id, deleted: true },
    },
    errors: ['not_found', 'conflict'],
  },
});
