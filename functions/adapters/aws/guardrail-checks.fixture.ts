import * as z from 'zod';
import type { DetectorReply, SeenRequest } from '../http/detector-server.fixture.ts';

const CONTENT = ['VIOLENCE', 'HATE', 'SEXUAL', 'INSULTS', 'MISCONDUCT'];
const ATTACKS = ['JAILBREAK', 'PROMPT_INJECTION', 'PROMPT_LEAKAGE'];
/** Entities as the API reference lists them (GuardrailChecksSensitiveInformationEntityConfig). */
const ENTITIES = (
  'ADDRESS AGE AWS_ACCESS_KEY AWS_SECRET_KEY CA_HEALTH_NUMBER CA_SOCIAL_INSURANCE_NUMBER CREDIT_DEBIT_CARD_CVV ' +
  'CREDIT_DEBIT_CARD_EXPIRY CREDIT_DEBIT_CARD_NUMBER DRIVER_ID EMAIL INTERNATIONAL_BANK_ACCOUNT_NUMBER IP_ADDRESS ' +
  'LICENSE_PLATE MAC_ADDRESS NAME PASSWORD PHONE PIN SWIFT_CODE UK_NATIONAL_HEALTH_SERVICE_NUMBER ' +
  'UK_NATIONAL_INSURANCE_NUMBER UK_UNIQUE_TAXPAYER_REFERENCE_NUMBER URL USERNAME US_BANK_ACCOUNT_NUMBER ' +
  'US_BANK_ROUTING_NUMBER US_INDIVIDUAL_TAX_IDENTIFICATION_NUMBER US_PASSPORT_NUMBER US_SOCIAL_SECURITY_NUMBER ' +
  'VEHICLE_IDENTIFICATION_NUMBER'
).split(' ');

const categories = (names: readonly string[]) =>
  z.strictObject({
    categories: z
      .array(z.strictObject({ category: z.enum(names) }))
      .min(1)
      .max(names.length),
  });
/** A request with the constraints of the API reference, 2026-11: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeGuardrailChecks.html */
const requestSchema = z.strictObject({
  messages: z
    .array(
      z.strictObject({
        role: z.enum(['user', 'assistant', 'system']),
        content: z.array(z.strictObject({ text: z.string().min(1) })).min(1),
      }),
    )
    .min(1),
  checks: z
    .strictObject({
      contentFilter: categories(CONTENT).optional(),
      promptAttack: categories(ATTACKS).optional(),
      sensitiveInformation: z
        .strictObject({
          entities: z
            .array(z.strictObject({ type: z.enum(ENTITIES) }))
            .min(1)
            .max(ENTITIES.length),
        })
        .optional(),
    })
    .refine((checks) => Object.keys(checks).length > 0, 'at least one check'),
});
export type ChecksRequest = z.infer<typeof requestSchema>;

/** Results that a test sets: severities by category, and entities. */
export interface FoundByChecks {
  readonly severities?: Readonly<Record<string, number>>;
  readonly entities?: readonly object[];
  readonly truncated?: boolean;
}

/** The reply of InvokeGuardrailChecks: what it refuses is a ValidationException, and only requested checks have results. */
export function checksReply({ path, json }: SeenRequest, found: FoundByChecks = {}): DetectorReply {
  const request = requestSchema.safeParse(json);
  if (path !== '/guardrail-checks/invoke' || !request.success)
    return { status: 400, headers: { 'x-amzn-errortype': 'ValidationException' } };
  const { severities = {}, entities = [], truncated = false } = found;
  const { contentFilter, promptAttack, sensitiveInformation } = request.data.checks;
  const scored = (check: typeof contentFilter) =>
    check && {
      results: check.categories.map(({ category }) => ({ category, severityScore: severities[category] ?? 0 })),
    };
  const results = {
    contentFilter: scored(contentFilter),
    promptAttack: scored(promptAttack),
    sensitiveInformation: sensitiveInformation && { results: entities, truncated },
  };
  const usage = Object.fromEntries(Object.keys(request.data.checks).map((check) => [check, { textUnits: 1 }]));
  return { json: { results, usage } };
}

/** An entity of the first text. */
export function entity(type: string, beginOffset: number, endOffset: number, confidenceScore = 0.8) {
  return { type, confidenceScore, beginOffset, endOffset, messageIndex: 0, contentIndex: 0 };
}
