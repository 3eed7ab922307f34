import * as z from 'zod';

/** Who made a request, beside its key, and its tags: in records, events and captures. */
export const callerFields = {
  teamId: z.string().optional().meta({ description: 'The team of the caller. Absent without one.' }),
  identity: z
    .object({ issuer: z.string(), subject: z.string() })
    .optional()
    .meta({ description: "Whom the caller's token named. Absent for a key." }),
  tags: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: "The key's tags at that time; absent without any, and in older records." }),
  requestTags: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: 'Tags of `X-Svc-Tags`, which the caller chose. Absent without any.' }),
};
const callerSchema = z.object(callerFields);
export type Caller = z.infer<typeof callerSchema>;
