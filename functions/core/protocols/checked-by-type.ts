import * as z from 'zod';

/** Adds what a schema objects to, at the place of the value that is being refined. */
export function addIssues(schema: z.ZodType | undefined, input: unknown, context: z.RefinementCtx): void {
  for (const issue of schema?.safeParse(input).error?.issues ?? []) {
    context.addIssue({ ...issue, input } as Parameters<typeof context.addIssue>[0]);
  }
}

/** An object whose `type` names its schema; one of a type that is not known yet is the provider's to judge. */
export function checkedByType(schemas: Readonly<Record<string, z.ZodType>>) {
  return z.looseObject({ type: z.string() }).superRefine((value, context) => {
    addIssues(Object.hasOwn(schemas, value.type) ? schemas[value.type] : undefined, value, context);
  });
}
