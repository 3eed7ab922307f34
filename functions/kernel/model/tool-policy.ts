import * as z from 'zod';
import { THREAT_TYPES } from './threat.ts';

/** What a call of a tool does, the weakest first. */
export const TOOL_EFFECTS = ['read', 'write', 'send', 'execute', 'remove'] as const;
export type ToolEffect = (typeof TOOL_EFFECTS)[number];

/** Who writes the results of a tool. */
export const TOOL_SOURCES = ['trusted', 'public', 'private'] as const;
export type ToolSource = (typeof TOOL_SOURCES)[number];

/** What happens to a call that violates a rule, the weakest first. */
export const TOOL_ACTIONS = ['flag', 'ask', 'block'] as const;

/** What a value of an argument looks like. */
export const VALUE_KINDS = ['email', 'url', 'account', 'phone', 'path'] as const;
export type ComparedKind = (typeof VALUE_KINDS)[number];

export const MAX_TOOL_RULES = 200;
const MAX_GLOBS = 200;
const MAX_LISTS = 20;
const MAX_LIST_VALUES = 1000;
const MAX_ARGUMENTS = 20;
const MAX_CHOICES = 50;
const MAX_EXAMPLES = 20;
const MAX_MESSAGES = 20;

const name = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, {
  error: 'must be 1 to 64 lower-case letters, digits, - and _, starting with a letter or digit',
});
const toolGlob = z
  .string()
  .max(128)
  .regex(/^[^\s\p{Cc}?[\]{}](?:[^\p{Cc}?[\]{}]*[^\s\p{Cc}?[\]{}])?$/u, {
    error: "must be the name of a tool, with '*' for any characters and no other wildcard",
  });
const PATH = /^[^.[\]]+(?:\[\*\])*(?:\.[^.[\]]+(?:\[\*\])*)*$/;
const argumentPath = z
  .string()
  .max(200)
  .refine((path) => !/(?:^|\.)\*\*[.[]/.test(path), { error: "has '**', which can only be the end of a path" })
  .regex(PATH, {
    error: "must be the path of an argument, such as 'to', 'items[*].price', 'payment.account' or '**' for all",
  });
const valueGlob = z.string().min(1).max(300);
const amount = z.number().min(-1e15).max(1e15);

const SOURCE = /^(?:user|system|list:[a-z0-9][a-z0-9_-]*|field:[^.?[\]{}\s]+\..+)$/;
const source = z
  .string()
  .max(400)
  .regex(SOURCE, { error: "must be 'user', 'system', 'list:NAME' or 'field:TOOL.PATH'" })
  .refine(hasPath, { error: "must have a path after 'field:TOOL.', such as 'bank.iban' or '[*].email'" });

/** Whether what follows the tool of a `field:` source is a path; it may begin with a list. */
function hasPath(written: string): boolean {
  if (!written.startsWith('field:')) return true;
  const path = written.slice(written.indexOf('.') + 1);
  return PATH.test(path.startsWith('[*]') ? `items${path}` : path);
}

const conditionSchema = z
  .strictObject({
    from: z.array(source).min(1).max(MAX_CHOICES).optional().meta({
      description:
        'The whole value must occur in one of them: `user` (what the user wrote), `system`, `list:NAME`, `field:TOOL.PATH` (a whole field of a result).',
    }),
    match: z
      .array(valueGlob)
      .min(1)
      .max(MAX_CHOICES)
      .optional()
      .meta({ description: 'One of these globs must match the whole value.' }),
    max: amount.optional().meta({ description: 'Largest number. Another value than a number violates the rule.' }),
    min: amount.optional().meta({ description: 'Smallest number.' }),
    without: z
      .array(z.enum(THREAT_TYPES))
      .min(1)
      .max(THREAT_TYPES.length)
      .optional()
      .meta({ description: 'Types of findings that the value must not contain.' }),
    kinds: z
      .array(z.enum(VALUE_KINDS))
      .min(1)
      .max(VALUE_KINDS.length)
      .optional()
      .meta({ description: 'Only values that look like one of these. Default: all.' }),
    required: z.literal(true).optional().meta({ description: 'A call without a value violates the rule.' }),
  })
  .superRefine(({ from, match, max, min, without, required }, context) => {
    if ([from, match, max, min, without, required].every((one) => one === undefined)) {
      context.addIssue({
        code: 'custom',
        message: "has none of 'from', 'match', 'max', 'min', 'without' and 'required'",
      });
    }
    if (min !== undefined && max !== undefined && min > max) {
      context.addIssue({ code: 'custom', path: ['min'], message: "is above 'max'" });
    }
  })
  .meta({ id: 'ArgumentCondition', description: 'What an argument must be. All members must hold.' });

const exampleCall = z.strictObject({
  name: z.string().min(1).max(128),
  arguments: z.union([z.record(z.string(), z.unknown()), z.string().max(4000)]),
});
const exampleMessage = z.strictObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.string().max(4000).optional(),
  name: z.string().min(1).max(128).optional().meta({ description: 'The tool of a result.' }),
  calls: z.array(exampleCall).min(1).max(MAX_MESSAGES).optional().meta({ description: 'Calls by the assistant.' }),
});
const exampleSchema = z
  .strictObject({ messages: z.array(exampleMessage).max(MAX_MESSAGES), call: exampleCall })
  .meta({ id: 'ToolRuleExample', description: 'A conversation, and a call after it.' });
export type ToolRuleExample = z.infer<typeof exampleSchema>;
const examples = z.array(exampleSchema).max(MAX_EXAMPLES);

const after = z
  .strictObject({ source: z.enum(TOOL_SOURCES).optional(), tool: toolGlob.optional() })
  .refine(({ source, tool }) => (source === undefined) !== (tool === undefined), {
    error: "has either 'source' or 'tool'",
  });

export const toolRuleSchema = z
  .strictObject({
    id: name.meta({ description: 'Unique in the policy.' }),
    tool: toolGlob.meta({ description: 'The tools whose calls the rule limits.' }),
    action: z.enum(TOOL_ACTIONS),
    effects: z
      .array(z.enum(TOOL_EFFECTS))
      .min(1)
      .max(TOOL_EFFECTS.length)
      .optional()
      .meta({ description: 'Only calls of tools with one of these effects. Default: all.' }),
    args: z
      .record(argumentPath, conditionSchema)
      .refine((args) => Object.keys(args).length > 0, { error: 'has no argument' })
      .refine((args) => Object.keys(args).length <= MAX_ARGUMENTS, {
        error: `has more than ${MAX_ARGUMENTS} arguments`,
      })
      .optional()
      .meta({
        description: 'Conditions by the path of an argument. One that is absent in a call violates only `required`.',
      }),
    needs: z
      .literal('asked')
      .optional()
      .meta({ description: "The user's latest message must name what the tool does, or a value of `args`." }),
    after: after
      .optional()
      .meta({ description: 'The rule holds once such a result, or a call of such a tool, is in the session.' }),
    total: z
      .strictObject({ arg: argumentPath.optional(), max: amount.min(0), per: z.enum(['session', 'day']) })
      .optional()
      .meta({
        description:
          'The largest sum of an argument, for each key and session or UTC day; without `arg` the most calls.',
      }),
    tests: z
      .strictObject({ match: examples.optional(), noMatch: examples.optional() })
      .optional()
      .meta({ description: 'Calls that violate the rule, and calls that do not. Run whenever the policy is saved.' }),
  })
  .meta({ id: 'ToolRule', description: 'Without `args`, `needs` and `total` every call of the tool violates it.' });
export type ToolRule = z.infer<typeof toolRuleSchema>;

function byGlob<T extends z.ZodType>(value: T) {
  return z.record(toolGlob, value).refine((globs) => Object.keys(globs).length <= MAX_GLOBS, {
    error: `has more than ${MAX_GLOBS} entries`,
  });
}

/** What agents may do: the calls that a model may make. */
export const toolPolicySchema = z
  .strictObject({
    unlisted: z.enum(['allow', 'flag', 'block']).optional().meta({
      description:
        'Calls of tools that no glob of `effects` matches. `block` also removes such tools from requests if the provider runs them. Default `allow`.',
    }),
    pin: z
      .enum(['off', 'flag', 'block'])
      .optional()
      .meta({ description: 'When the definition of a tool differs from the first one of this key. Default `off`.' }),
    effects: byGlob(z.enum(TOOL_EFFECTS)).optional().meta({ description: 'What tools do. The closest glob counts.' }),
    sources: byGlob(z.enum(TOOL_SOURCES))
      .optional()
      .meta({ description: "Who writes the tools' results. The closest glob counts." }),
    lists: z
      .record(name, z.array(z.string().min(1).max(500)).max(MAX_LIST_VALUES))
      .refine((lists) => Object.keys(lists).length <= MAX_LISTS, { error: `has more than ${MAX_LISTS} lists` })
      .optional()
      .meta({ description: 'Named values for `from`.' }),
    rules: z.array(toolRuleSchema).max(MAX_TOOL_RULES).optional(),
  })
  .superRefine(({ lists = {}, sources = {}, rules = [] }, context) => {
    const ids = rules.map(({ id }) => id);
    const named = new Set(Object.values(sources));
    for (const [at, { id, args = {}, after: { source: afterSource } = {} }] of rules.entries()) {
      if (ids.indexOf(id) < at) {
        context.addIssue({ code: 'custom', path: ['rules', at, 'id'], message: 'is there twice' });
      }
      if (afterSource !== undefined && !named.has(afterSource)) {
        const message = `never holds: no tool in 'sources' is ${afterSource}`;
        context.addIssue({ code: 'custom', path: ['rules', at, 'after', 'source'], message });
      }
      for (const [argument, { from = [] }] of Object.entries(args)) {
        for (const [place, one] of from.entries()) {
          if (!one.startsWith('list:') || Object.hasOwn(lists, one.slice('list:'.length))) continue;
          const path = ['rules', at, 'args', argument, 'from', place];
          context.addIssue({ code: 'custom', path, message: "names a list that is not in 'lists'" });
        }
      }
    }
  })
  .meta({ id: 'ToolPolicy', description: 'What agents may do: rules for tool calls.' });
export type ToolPolicy = z.infer<typeof toolPolicySchema>;
