import * as z from 'zod';
import { CAPTURE_MODES } from './capture.ts';
import { THREAT_TYPES, type ThreatType } from './threat.ts';
import { toolPolicySchema } from './tool-policy.ts';
import { TOPIC_FAMILIES } from './topic-families.ts';

/** Where a custom rule applies; `input` is the text of users and tools. */
const PLACES = ['input', 'user', 'tool', 'system', 'output'] as const;
export type Place = (typeof PLACES)[number];

export const MAX_RULES = 50;
export const MAX_ALLOWED = 100;
export const MAX_TOPICS = 20;
const MAX_LITERALS = 200;
const MAX_EXAMPLES = 20;

const name = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, {
  error: 'must be 1 to 64 lower-case letters, digits, - and _, starting with a letter or digit',
});
const places = z.array(z.enum(PLACES)).min(1).max(PLACES.length);
const bannedPlaces = places.meta({
  description: 'Default `input`, which covers users and tools, and `output`.',
});
const pattern = z
  .string()
  .min(1)
  .max(1000)
  .meta({ description: 'RE2 syntax without lazy quantifiers; the longest match.' });
const literal = z.string().min(1).max(200);
const ignoreCase = z.boolean();
const examples = z.array(z.string().min(1).max(2000)).max(MAX_EXAMPLES);

/** A custom rule, with exactly one of `pattern` and `literals`. */
export const customRuleSchema = z
  .strictObject({
    id: name.meta({ description: 'Unique in the policy; findings have the rule `custom/<id>`.' }),
    type: z
      .enum(THREAT_TYPES)
      .optional()
      .meta({ description: 'Default `secret`, which does not change `threat_score`.' }),
    category: name.optional().meta({ description: 'Default `custom`; part of the text that replaces a redaction.' }),
    pattern: pattern.optional(),
    literals: z.array(literal).min(1).max(MAX_LITERALS).optional(),
    ignoreCase: ignoreCase.optional(),
    wholeWord: z.boolean().optional().meta({ description: 'Literals only: no match within a longer word.' }),
    action: z.enum(['flag', 'redact', 'block']),
    surfaces: bannedPlaces.optional(),
    severity: z.enum(['low', 'medium', 'high', 'critical']).optional(),
    message: z.string().trim().min(1).max(200).optional(),
    tests: z
      .strictObject({ match: examples.optional(), noMatch: examples.optional() })
      .optional()
      .meta({ description: 'Run whenever a request contains the policy.' }),
  })
  .meta({ id: 'CustomRule', description: 'Exactly one of `pattern` and `literals`.' });
export type CustomRule = z.infer<typeof customRuleSchema>;

/** Findings to drop: those within its matches, or all of the listed rules. */
export const allowSchema = z
  .strictObject({
    literal: literal.optional(),
    pattern: pattern.optional(),
    ignoreCase: ignoreCase.optional(),
    rules: z
      .array(z.string().regex(/^[a-z0-9_-]{1,64}(?:\/[a-z0-9_-]{1,64})?$/, { error: 'must be a rule id or a type' }))
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'Ids of rules or types. Default: all.' }),
    surfaces: places.optional().meta({ description: 'Default: everywhere.' }),
  })
  .meta({ id: 'Allowed', description: 'At most one of `literal` and `pattern`; without both, `rules`.' });
export type Allowed = z.infer<typeof allowSchema>;

const FAMILY_NAMES = Object.keys(TOPIC_FAMILIES) as [keyof typeof TOPIC_FAMILIES, ...(keyof typeof TOPIC_FAMILIES)[]];

/** A banned topic: enough different keywords close together. */
export const bannedTopicSchema = z
  .strictObject({
    name,
    families: z.array(z.enum(FAMILY_NAMES)).min(1).max(FAMILY_NAMES.length).optional(),
    keywords: z
      .array(z.string().trim().min(2).max(100))
      .min(1)
      .max(MAX_LITERALS)
      .optional()
      .meta({ description: 'Words or phrases, case-insensitive; a final `*` matches any ending.' }),
    action: z.enum(['flag', 'block']),
    threshold: z.int().min(1).max(10).optional().meta({
      description: 'Points within 300 characters, default 2. A keyword has 1 point, an unambiguous one of a family 2.',
    }),
    surfaces: bannedPlaces.optional(),
  })
  .meta({ id: 'BannedTopic', description: '`keywords`, `families` or both; neither where `name` is a family.' });
export type BannedTopic = z.infer<typeof bannedTopicSchema>;

/** The parts of a policy with custom patterns. */
export interface CustomSettings {
  readonly rules?: readonly CustomRule[] | undefined;
  readonly allow?: readonly Allowed[] | undefined;
  readonly bannedTopics?: readonly BannedTopic[] | undefined;
}

export const PRESETS = ['monitor', 'balanced', 'strict'] as const;
export type Preset = (typeof PRESETS)[number];

/** Actions of a policy for a type. `off` ignores the type; `ask` is for tool calls. */
export const TYPE_ACTIONS = ['off', 'flag', 'redact', 'ask', 'block'] as const;
export type TypeAction = (typeof TYPE_ACTIONS)[number];

/** 0..1; the preset's if absent. */
const threshold = z.number().min(0).max(1).optional();
/** The action from the threshold on. */
const typeRule = z.strictObject({ action: z.enum(TYPE_ACTIONS).exclude(['ask']), threshold });
/** A call is never redacted: the client would execute what is left of it. */
const callRule = z.strictObject({ action: z.enum(TYPE_ACTIONS).exclude(['redact']), threshold });
const inRequests = z.partialRecord(z.enum(THREAT_TYPES), typeRule);
const inTexts = Object.fromEntries(THREAT_TYPES.map((type) => [type, typeRule.optional()])) as Record<
  Exclude<ThreatType, 'tool_misuse'>,
  z.ZodOptional<typeof typeRule>
>;
const inResponses = z
  .strictObject({ ...inTexts, tool_misuse: callRule.optional() })
  .meta({ id: 'ResponsePolicy', description: 'Action and threshold by type of finding, in responses.' });

const fields = {
  preset: z
    .enum(PRESETS)
    .optional()
    .meta({ description: 'The base that the other fields change. Default `balanced`.' }),
  input: inRequests.optional().meta({ description: 'Action and threshold by type of threat, in requests.' }),
  output: inResponses
    .optional()
    .meta({ description: 'The same, in responses. `ask`: for `tool_misuse` only, the call waits for approval.' }),
  onBlock: z
    .enum(['error', 'refusal'])
    .optional()
    .meta({ description: 'Response to a blocked request: a 400, or a 200 with a refusal of the model.' }),
  rules: z.array(customRuleSchema).max(MAX_RULES).optional(),
  allow: z.array(allowSchema).max(MAX_ALLOWED).optional(),
  bannedTopics: z.array(bannedTopicSchema).max(MAX_TOPICS).optional(),
  tools: toolPolicySchema.optional(),
};

const shadowSchema = z
  .strictObject(fields)
  .meta({ id: 'ShadowPolicy', description: 'A policy whose actions are only recorded.' });

/** What a request does about a model or a charge without a price, if money is limited. */
const UNKNOWN_PRICE_MODES = ['refuse', 'tokensOnly', 'alias'] as const;

/** JSON characters of a whole policy: it is stored with its key, and its compiled rules are cached. */
const MAX_POLICY_CHARS = 65_536;

/** A key's policy: a preset and overrides. */
export const policySchema = z
  .strictObject({
    ...fields,
    evidence: z
      .boolean()
      .optional()
      .meta({ description: 'Adds a masked excerpt of at most four characters to each finding of the response.' }),
    onDetectorFailure: z.enum(['pass', 'block']).optional().meta({
      description:
        'When inspection or an outside detector does not finish, or the session of a tool call is not read. Default: of the preset.',
    }),
    unreadable: z.enum(['allow', 'flag', 'block']).optional().meta({
      description:
        'When a request has content that cannot be read: images, audio, encrypted or broken documents, files by id or URL. Default `allow`.',
    }),
    canary: z
      .boolean()
      .optional()
      .meta({ description: 'Adds a marker to the system prompt, which detects a leak of the prompt.' }),
    maxOutputTokens: z
      .int()
      .min(1)
      .max(10_000_000)
      .optional()
      .meta({ description: 'Most output tokens of a request, and the value for requests without a bound.' }),
    unknownPrice: z.enum(UNKNOWN_PRICE_MODES).optional().meta({
      description:
        'When money is limited and a price is unknown: `refuse` (default), `tokensOnly` serves the request and counts the known part of its cost, `alias` uses the highest price of a model of the same name.',
    }),
    cache: z
      .union([z.boolean(), z.literal('team')])
      .optional()
      .meta({
        description:
          'Whether requests may ask for a stored response to the same request, with `X-Svc-Cache`: not (default), of the same key, or of any key of its team.',
      }),
    capture: z.enum(CAPTURE_MODES).optional().meta({
      description: 'Captures texts for some days: not (default), without redacted and personal data, or all.',
    }),
    identitySubject: z.enum(['plain', 'hashed']).optional().meta({
      description:
        'How the subject of a token is stored and shown: as the issuer writes it (default), or as a digest that only this deployment can compute.',
    }),
    shadow: shadowSchema.optional(),
  })
  .refine((settings) => JSON.stringify(settings).length <= MAX_POLICY_CHARS, {
    error: `is longer than ${MAX_POLICY_CHARS} characters`,
  })
  .meta({ id: 'Policy', description: 'The action for each type of threat, and custom rules.' });
export type PolicySettings = z.infer<typeof policySchema>;
