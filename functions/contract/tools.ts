import * as z from 'zod';
import { deploymentPolicySchema, policySchema, requestDetailSchema } from '../kernel/model/index.ts';
import { keyExample } from './keys.ts';

const count = z.int().min(0);
const call = requestDetailSchema.shape.toolCalls.unwrap().element.shape;
const policyTools = policySchema.shape.tools.unwrap();
const authors = z
  .object({ user: count, field: count, prose: count, none: count })
  .meta({ description: 'Values by author, as in the record of a request.' });

const argumentSchema = z.object({
  argument: z.string().meta({ description: 'Its path; `[*]` for each item of a list.' }),
  calls: count.meta({
    description: 'Calls with a value of this argument. One with several counts by the least trusted.',
  }),
  from: authors,
  sources: z
    .array(
      z.object({
        tool: z.string().nullable().meta({ description: 'The tool whose result it is; null for a document.' }),
        field: z.string().meta({ description: 'Path in the result; empty for a text without fields.' }),
        as: z.enum(['field', 'prose']),
        calls: count,
        isOnlyFlagged: z.literal(true).optional().meta({
          description: 'No such call was allowed: each was flagged, held or blocked.',
        }),
        source: policyTools.shape.sources.unwrap().valueType.optional().meta({
          description: "Who writes the tool's results, by the deployment's policy. Absent if it does not say.",
        }),
      }),
    )
    .meta({ description: 'Where values are in third-party text, the most frequent first, ten at most.' }),
});

const toolUsageSchema = z
  .object({
    object: z.literal('tool'),
    tool: z.string().meta({ description: 'Its name. Here and in paths, unusual names are `*`.' }),
    effect: call.effect.meta({ description: "What the last call does: the policy's word, or what svc derives." }),
    calls: count,
    ...{ flagged: count, asked: count, blocked: count },
    fromProse: count.meta({ description: 'Calls with a value from prose: from a part of third-party text.' }),
    from: authors,
    arguments: z.array(argumentSchema).meta({ description: 'The most frequent first, twenty at most.' }),
    keys: count.meta({ description: 'How many keys have called it.' }),
    keyIds: z.array(z.string()).meta({ description: 'Those with the most calls, twenty at most.' }),
    firstAt: z.iso.datetime().meta({ description: 'The first call in the range.' }),
    lastAt: z.iso.datetime(),
    pins: z
      .array(
        z.object({ keyId: z.string(), isChanged: z.boolean().meta({ description: 'Another definition is pending.' }) }),
      )
      .meta({ description: 'Pinned definitions. They are read for the first twenty keys of a page.' }),
    waiting: count.meta({ description: 'Calls that wait for approval now, of the newest 500 in the deployment.' }),
  })
  .meta({ id: 'ToolUsage', description: 'How the agents use a tool. Contains no value of an argument.' });

const range = {
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  requests: count.meta({ description: 'Requests that were read.' }),
  isCut: z.boolean().meta({
    description: 'The range has more: a call reads about 10,000 records or for 6 s, some of each part of the range.',
  }),
};

export const toolListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(toolUsageSchema),
    nextCursor: z.string().nullable(),
    ...range,
    unmatchedRules: z.array(z.string()).optional().meta({
      description:
        "Ids of the rules in the deployment's policy whose tool and effects fit none of the tools in the range. Empty if not all of these are known.",
    }),
    unmatchedArguments: z
      .array(z.object({ rule: z.string(), argument: z.string() }))
      .optional()
      .meta({
        description:
          'Arguments of the other rules that no recorded call of their tools had in the range. Not of tools that read or execute.',
      }),
  })
  .meta({ id: 'ToolUsageList', description: 'A page of tools, those with the most calls first.' });

const proposalSchema = z.object({
  tool: z.string().nullable().meta({ description: 'Null: for all tools.' }),
  argument: z.string().nullable(),
  adds: policyTools.meta({ description: "What it adds to the policy's `tools`." }),
  calls: count.meta({ description: 'The calls that it rests on.' }),
  reason: z.string().meta({ description: 'What was seen, in a sentence.' }),
});

export const toolSuggestionSchema = z
  .object({
    object: z.literal('policy.tool_suggestion'),
    ...range,
    minCalls: count,
    policy: deploymentPolicySchema.meta({
      description: "The deployment's policy, or that of the key, with all proposals in `tools`.",
    }),
    proposals: z.array(proposalSchema).meta({ description: 'Each alone, 100 at most.' }),
    unknown: z.array(z.string()).meta({ description: 'What the calls do not show, in sentences.' }),
  })
  .meta({ id: 'ToolSuggestion', description: 'Rules for tools that recorded tool calls suggest.' });

const RANGE = { from: '2026-11-20T09:30:00.000Z', to: '2026-11-21T09:30:00.000Z', requests: 1204, isCut: false };
const FROM = { user: 36, field: 4, prose: 1, none: 0 };

export const toolListExample = {
  object: 'list',
  data: [
    {
      object: 'tool',
      tool: 'send_email',
      effect: 'send',
      ...{ calls: 41, flagged: 1, asked: 0, blocked: 0, fromProse: 1, from: FROM },
      arguments: [
        {
          argument: 'to[*]',
          calls: 41,
          from: FROM,
          sources: [
            { tool: 'find_contact', field: 'email', as: 'field', calls: 4 },
            { tool: 'read_mail', field: 'body', as: 'prose', calls: 1 },
          ],
        },
      ],
      keys: 1,
      keyIds: [keyExample.id],
      ...{ firstAt: '2026-11-20T10:12:00.000Z', lastAt: '2026-11-21T09:30:00.000Z' },
      pins: [{ keyId: keyExample.id, isChanged: false }],
      waiting: 0,
    },
  ],
  nextCursor: null,
  ...RANGE,
  unmatchedRules: ['deletions'],
  unmatchedArguments: [{ rule: 'amount', argument: 'ammount' }],
};

const rule = {
  id: 'send_email-to',
  tool: 'send_email',
  action: 'flag',
  args: { 'to[*]': { from: ['user', 'system', 'field:find_contact.email'] } },
};

export const toolSuggestionExample = {
  object: 'policy.tool_suggestion',
  ...RANGE,
  minCalls: 20,
  policy: { preset: 'strict', tools: { effects: { send_email: 'send' }, rules: [rule] } },
  proposals: [
    {
      ...{ tool: 'send_email', argument: null, adds: { effects: { send_email: 'send' } }, calls: 41 },
      reason: 'In 41 calls svc took it for a tool that sends.',
    },
    {
      ...{ tool: 'send_email', argument: 'to[*]', adds: { rules: [rule] }, calls: 41 },
      reason: 'In 41 of 41 calls its value was from the user or the operator (36), or a whole field (5).',
    },
  ],
  unknown: [],
};
