import * as z from 'zod';
import { type Claims, matchesClaims } from '../identity/index.ts';
import { createKeySchema, policySchema } from '../model/index.ts';

const TEAM_STATES = ['active', 'disabled'] as const;
const TEAM_ROLES = ['owner', 'member', 'viewer'] as const;
type TeamRole = (typeof TEAM_ROLES)[number];

/** All teams are one item of DynamoDB, which has at most 400 KB, and in the memory of each process. */
export const MAX_TEAMS = 500;
const MAX_MEMBERS = 200;
const MAX_CLAIMS = 16;
const MAX_GLOBS = 64;
const MAX_KEYS = 1_000_000;

const globs = z.array(z.string().min(1).max(256)).min(1).max(MAX_GLOBS);
const memberSchema = z.strictObject({
  match: z
    .record(z.string().min(1).max(256), globs)
    .refine((match) => Object.keys(match).length >= 1 && Object.keys(match).length <= MAX_CLAIMS, {
      error: `must have 1 to ${MAX_CLAIMS} claims`,
    })
    .meta({
      description:
        'Globs by the path of a claim (`email`, `realm_access.roles`). All claims must match, each by one glob; of an array one element. `email` counts only with `email_verified: true`.',
    }),
  role: z.enum(TEAM_ROLES),
});

const { rateLimit, tokenLimit, budget, maxConcurrent, allowedModels, allowedTools, tags } = createKeySchema.shape;

/** The fields of a team that an administrator sets. */
const settings = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(128)
    .meta({ label: 'Name', option: { name: 'name', format: 'text', value: 'TEXT', help: 'A name for people.' } }),
  state: z.enum(TEAM_STATES).meta({
    description: 'The keys and members of a disabled team are refused.',
    label: 'State',
    option: { name: 'state', format: 'text', value: 'WORD', help: 'active or disabled.' },
  }),
  members: z
    .array(memberSchema)
    .max(MAX_MEMBERS)
    .meta({
      description: 'The first entry that matches gives the role. A person has the oldest team that matches.',
      label: 'Members as JSON',
      option: {
        name: 'members',
        format: 'JSON file',
        value: 'FILE',
        help: 'Who belongs to the team, as a JSON list; - reads standard input.',
      },
    }),
  tags: tags.unwrap().meta({
    ...tags.unwrap().meta(),
    description: 'At most 32 names with values, of all its keys. They replace tags of the same name that a key has.',
  }),
  rateLimit: rateLimit
    .unwrap()
    .nullable()
    .meta({
      description: 'Requests of all its keys together; null: no limit.',
      label: 'Requests',
      section: 'Limits',
      hint: 'No limit',
      option: {
        name: 'rate',
        format: 'amount/period',
        value: 'N/PERIOD',
        help: 'Requests of all its keys together in a period, such as 6000/minute, or none.',
        none: true,
      },
    }),
  tokenLimit: tokenLimit.unwrap().meta({
    ...tokenLimit.unwrap().meta(),
    description: 'Tokens of all its keys together; null: no limit.',
  }),
  budget: budget.unwrap().meta({
    ...budget.unwrap().meta(),
    description: 'US dollars of all its keys together; null: no limit.',
  }),
  maxConcurrent: maxConcurrent.unwrap().meta({
    ...maxConcurrent.unwrap().meta(),
    description: 'Requests of all its keys at the same time; null: no limit.',
  }),
  allowedModels: allowedModels.unwrap().meta({
    ...allowedModels.unwrap().meta(),
    description: 'A model must match here and at the key. Empty: all.',
  }),
  allowedTools: allowedTools.unwrap().meta({
    ...allowedTools.unwrap().meta(),
    description: 'A tool of an MCP server must match here and at the key. Empty: all.',
  }),
  policy: policySchema.meta({
    description: "Takes precedence over the deployment's policy. Keys cannot weaken what it sets.",
    label: 'Full policy as JSON',
    section: 'Policy',
    option: {
      name: 'policy',
      format: 'JSON file',
      value: 'FILE',
      help: "The team's policy as JSON; - reads standard input.",
    },
  }),
  maxKeys: z
    .int()
    .min(1)
    .max(MAX_KEYS)
    .nullable()
    .meta({
      description: 'The most keys that are not revoked; null: no limit.',
      label: 'Keys',
      section: 'Limits',
      hint: 'No limit',
      option: {
        name: 'max-keys',
        format: 'count',
        value: 'N',
        help: 'The most keys that are not revoked, or none.',
        none: true,
      },
    }),
};

/** Body of `POST /admin/teams`. */
export const createTeamSchema = z
  .strictObject({
    ...settings,
    state: settings.state.default('active'),
    members: settings.members.default([]),
    tags: settings.tags.default({}),
    rateLimit: settings.rateLimit.default(null),
    tokenLimit: settings.tokenLimit.default(null),
    budget: settings.budget.default(null),
    maxConcurrent: settings.maxConcurrent.default(null),
    allowedModels: settings.allowedModels.default([]),
    allowedTools: settings.allowedTools.default([]),
    policy: settings.policy.default({}),
    maxKeys: settings.maxKeys.default(null),
  })
  .meta({ id: 'CreateTeam', description: 'A new team.' });

/** Body of `PATCH /admin/teams/{id}`: absent fields stay unchanged. */
export const updateTeamSchema = z
  .strictObject(settings)
  .partial()
  .meta({ id: 'UpdateTeam', description: 'Changes to a team.' });

/** A team: what bounds its keys and members together. */
export interface Team extends z.infer<typeof createTeamSchema> {
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** All teams, oldest first. Only this version is stored. */
export interface TeamsDocument {
  readonly teams: readonly Team[];
}

/** A team as the admin API returns it. */
export const teamSchema = z
  .object({
    id: z.string(),
    object: z.literal('team'),
    ...settings,
    allowedTools: settings.allowedTools.optional(),
    credentials: z
      .array(z.string())
      .meta({ description: 'Ids of the credentials that belong to the team. Only its keys may name them.' }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Team', description: 'A team, whose limits, models and policy bound its keys.' });

/** The team of a person or program with these claims, and their role: the oldest that matches, in any state; undefined if none does. */
export function teamOf<Candidate extends Pick<Team, 'members'>>(
  claims: Claims,
  teams: readonly Candidate[],
): { readonly team: Candidate; readonly role: TeamRole } | undefined {
  for (const team of teams) {
    const member = team.members.find(({ match }) => matchesClaims(match, claims));
    if (member !== undefined) return { team, role: member.role };
  }
  return undefined;
}
