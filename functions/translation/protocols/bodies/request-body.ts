import * as z from 'zod';
import { toValidationError } from '../../../kernel/errors/index.ts';
import type { JsonDocument } from '../../../kernel/json/index.ts';
import type { Places } from './request-places.ts';

/**
 * The parsed document if the schema accepts it. The schema's own output may lack members of the document. @throws GatewayError that names
 * the field
 */
export function checkBody<Schema extends z.ZodType>(
  schema: Schema,
  { value }: Pick<JsonDocument, 'value'>,
  places: Places,
): z.infer<Schema> {
  places.refuseNames(value);
  const result = schema.safeParse(value);
  if (!result.success) throw toValidationError(result.error, value);
  return value as z.infer<Schema>;
}

/** Adds the issues of a schema at the place of the value that is being refined. */
export function addIssues(schema: z.ZodType | undefined, input: unknown, context: z.RefinementCtx): void {
  for (const issue of schema?.safeParse(input).error?.issues ?? []) {
    context.addIssue({ ...issue, input } as Parameters<typeof context.addIssue>[0]);
  }
}

/** An object whose `type` selects its schema; the provider validates unknown types. */
export function checkedByType(schemas: Readonly<Record<string, z.ZodType>>) {
  return z.looseObject({ type: z.string() }).superRefine((value, context) => {
    addIssues(Object.hasOwn(schemas, value.type) ? schemas[value.type] : undefined, value, context);
  });
}
