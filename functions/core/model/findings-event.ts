import * as z from 'zod';
import { THREAT_TYPES } from './threat.ts';

/** Events that tell of findings. */
export const FINDINGS_EVENTS = ['threat.detected', 'request.blocked'] as const;

const action = z.enum(['allow', 'flag', 'redact', 'block']);

const threat = z.object({
  type: z.enum(THREAT_TYPES),
  category: z.string(),
  score: z.number(),
  severity: z.enum(['low', 'medium', 'high', 'critical']),
  action,
  rule: z.string(),
  message: z.string(),
  location: z.object({
    part: z.enum(['input', 'output']),
    message: z.int().nullable(),
    field: z.string(),
    start: z.int(),
    end: z.int(),
  }),
  owasp: z.string(),
  atlas: z.string().nullable(),
});

/** Such an event as it comes from the queue; what else it holds is left out, so that nothing goes on unseen. */
export const findingsEventSchema = z.object({
  id: z.string(),
  created: z.iso.datetime(),
  type: z.enum(FINDINGS_EVENTS),
  data: z.object({
    requestId: z.string(),
    keyId: z.string(),
    environment: z.string(),
    sessionId: z.string().optional(),
    endUserId: z.string().optional(),
    model: z.string().optional(),
    threatScore: z.number().optional(),
    action: action.optional(),
    detectedThreats: z.array(threat).default([]),
  }),
});
export type FindingsEvent = z.infer<typeof findingsEventSchema>;
export type FoundThreat = z.infer<typeof threat>;
