import * as z from 'zod';
import { originSchema } from './origin.ts';
import {
  ACTIONS,
  type Coverage,
  REASONS,
  type SecurityInfo,
  type ShownThreat,
  THREAT_TYPES,
  type ThreatLocation,
} from './threat.ts';

const count = z.int().min(0);
const score = z.number().min(0).max(1);

const threatLocationSchema: z.ZodType<ThreatLocation> = z.object({
  part: z.enum(['input', 'output']),
  message: count.nullable().meta({ description: 'Index of the message in the request; null outside the messages.' }),
  field: z.string().meta({ description: 'Such as `messages[2].content` or `choices[0].content`.' }),
  start: count.meta({ description: 'In UTF-16 code units of the text as sent.' }),
  end: count.meta({ description: 'Exclusive.' }),
});

export const detectedThreatSchema: z.ZodType<ShownThreat> = z
  .object({
    type: z.enum(THREAT_TYPES),
    category: z.string().meta({ description: 'A finer kind within the type, such as `email`.' }),
    score,
    severity: z.enum(['low', 'medium', 'high', 'critical']),
    action: z.enum(ACTIONS),
    rule: z.string().meta({ description: 'Public id of the rule, `family/thing`; never reused.' }),
    message: z.string(),
    location: threatLocationSchema,
    owasp: z.string().meta({ description: 'OWASP Top 10 for LLM applications 2025.' }),
    atlas: z.string().nullable().meta({ description: 'MITRE ATLAS technique.' }),
    reasons: z.array(z.enum(REASONS)).optional().meta({
      description:
        'Why the score differs from the score of the rule: the place of the text, and other findings. `delegated` changes no score.',
    }),
    origin: originSchema.optional().meta({ description: 'Of a tool call: where its values and its cause are.' }),
    policyRule: z
      .string()
      .optional()
      .meta({ description: "Of a tool call that violates a rule in the policy's `tools`: the id of that rule." }),
    evidence: z.string().optional().meta({
      description: 'If the policy enables it: at most the first and last two characters, and a length class.',
    }),
    example: z.literal(true).optional().meta({
      description:
        'Only in guard results: a value that documentation publishes. Score 0, and it changes no score or action.',
    }),
  })
  .meta({
    id: 'DetectedThreat',
    description: 'A finding. Contains nothing of the matched text except `evidence`.',
  });

const coverageSchema: z.ZodType<Coverage> = z.object({
  input: z.array(z.string()),
  output: z.array(z.string()),
  skipped: z.array(z.string()).meta({
    description:
      'What holds no text, such as `messages[1].content[1]: image`, and what was not inspected, such as `bedrock_guardrails: timeout`.',
  }),
});

export const securityInfoSchema: z.ZodType<SecurityInfo> = z
  .object({
    threat_score: score.meta({ description: 'The highest score of the attack types, over input and output.' }),
    detected_threats: z
      .array(detectedThreatSchema)
      .meta({ description: 'At most 50 are listed; all count for score and action.' }),
    processing_time_ms: z
      .number()
      .min(0)
      .meta({ description: "The gateway's processing time, without the provider's." }),
    action: z.enum(ACTIONS).meta({ description: 'The strongest action taken.' }),
    request_id: z.string(),
    session_id: z.string().nullable(),
    coverage: coverageSchema,
    approvals: z
      .array(z.object({ id: z.string(), call: z.string(), expiresAt: z.iso.datetime() }))
      .optional()
      .meta({ description: 'Tool calls that wait for an approval; absent if there are none.' }),
    warnings: z
      .array(
        z.object({
          code: z.enum(['field_dropped', 'field_adjusted', 'policy_observed']),
          field: z.string(),
          message: z.string(),
        }),
      )
      .optional()
      .meta({
        description:
          "What the translation to the provider's API dropped or adjusted, and tools that the policy removed; `policy_observed` while an administrator's override reduces every action to `flag`, then `field` is empty. Absent if nothing.",
      }),
  })
  .meta({ id: 'SecurityInfo', description: 'The findings and actions of the gateway.' });
