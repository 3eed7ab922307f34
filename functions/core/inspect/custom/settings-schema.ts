import * as z from 'zod';
import { THREAT_TYPES } from '../../model/threat.ts';
import { TOPIC_FAMILIES } from './topic-families.ts';

/** Where a rule of a policy looks; `input` is what users and tools wrote. */
const PLACES = ['input', 'user', 'tool', 'system', 'output'] as const;
export type Place = (typeof PLACES)[number];

export const MAX_RULES = 50;
export const MAX_ALLOWED = 100;
export const MAX_TOPICS = 20;
const MAX_LITERALS = 200;
const MAX_EXAMPLES = 20;

const name = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, {
  error: 'must be 1 to 64 lower-case letters, digits, - and _, beginning with a letter or digit',
});
const places = z.array(z.enum(PLACES)).min(1).max(PLACES.length);
const bannedPlaces = places.meta({
  description: 'Default `input`, which is what users and tools wrote, and `output`.',
});
const pattern = z
  .string()
  .min(1)
  .max(1000)
  .meta({ description: 'RE2-like, without lazy quantifiers; matches in linear time and takes the longest match.' });
const literal = z.string().min(1).max(200);
const ignoreCase = z.boolean();
const examples = z.array(z.string().min(1).max(2000)).max(MAX_EXAMPLES);

/** A rule of the policy's own. Exactly one of `pattern` and `literals`. */
export const customRuleSchema = z
  .strictObject({
    id: name.meta({ description: 'Unique in the policy; findings are told as `custom/<id>`.' }),
    type: z.enum(THREAT_TYPES).optional().meta({ description: 'Default `secret`, which leaves `threat_score` alone.' }),
    category: name.optional().meta({ description: 'Default `custom`; names what is put in the place of a redaction.' }),
    pattern: pattern.optional(),
    literals: z.array(literal).min(1).max(MAX_LITERALS).optional(),
    ignoreCase: ignoreCase.optional(),
    wholeWord: z.boolean().optional().meta({ description: 'Literals only: not within a longer word.' }),
    action: z.enum(['flag', 'redact', 'block']),
    surfaces: bannedPlaces.optional(),
    severity: z.enum(['low', 'medium', 'high', 'critical']).optional(),
    message: z.string().trim().min(1).max(200).optional(),
    tests: z
      .strictObject({ match: examples.optional(), noMatch: examples.optional() })
      .optional()
      .meta({ description: 'Run whenever the policy is saved or sent.' }),
  })
  .meta({ id: 'CustomRule', description: 'Exactly one of `pattern` and `literals`.' });
export type CustomRule = z.infer<typeof customRuleSchema>;

/** What is not told: findings within what it matches, or every finding of the rules that it names. */
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
      .meta({ description: 'Ids of rules or types; all where absent.' }),
    surfaces: places.optional().meta({ description: 'Default: everywhere.' }),
  })
  .meta({ id: 'Allowed', description: 'At most one of `literal` and `pattern`; without both, `rules`.' });
export type Allowed = z.infer<typeof allowSchema>;

const FAMILY_NAMES = Object.keys(TOPIC_FAMILIES) as [keyof typeof TOPIC_FAMILIES, ...(keyof typeof TOPIC_FAMILIES)[]];

/** A topic that is not to be talked about: so many different keywords close together. */
export const bannedTopicSchema = z
  .strictObject({
    name,
    families: z.array(z.enum(FAMILY_NAMES)).min(1).max(FAMILY_NAMES.length).optional(),
    keywords: z
      .array(z.string().trim().min(2).max(100))
      .min(1)
      .max(MAX_LITERALS)
      .optional()
      .meta({ description: 'Words or phrases, in any case; `*` at the end takes any ending.' }),
    action: z.enum(['flag', 'block']),
    threshold: z.int().min(1).max(10).optional().meta({
      description: 'Points within 300 characters, default 2: a keyword has 1, an unmistakable one of a family 2.',
    }),
    surfaces: bannedPlaces.optional(),
  })
  .meta({ id: 'BannedTopic', description: '`keywords`, `families` or both; neither where `name` is a family.' });
export type BannedTopic = z.infer<typeof bannedTopicSchema>;

/** The parts of a policy that bring patterns of their own. */
export interface CustomSettings {
  readonly rules?: readonly CustomRule[] | undefined;
  readonly allow?: readonly Allowed[] | undefined;
  readonly bannedTopics?: readonly BannedTopic[] | undefined;
}
