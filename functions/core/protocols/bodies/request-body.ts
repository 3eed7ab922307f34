import * as z from 'zod';
import { toValidationError } from '../../base/first-fault.ts';
import type { JsonDocument } from '../../base/json-document.ts';
import type { Places } from './request-places.ts';

/**
 * A request body that the schema accepts: the parsed document itself. The schema's own output may lack members of the document.
 * @throws GatewayError that names the field
 */
export function checkBody<Schema extends z.ZodType>(
  schema: Schema,
  { value }: Pick<JsonDocument, 'value'>,
  places: Places,
): z.infer<Schema> {
  places.refuseReserved(value);
  const result = schema.safeParse(value);
  if (!result.success) throw toValidationError(result.error, value);
  return value as z.infer<Schema>;
}

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

/** Fields of a request that the gateway's own model has no place for, by their paths: `messages[1].audio`. */
export type Unplaced = Record<string, unknown>;

/** Notes the members of an object that are not `placed` under their paths; what is null says nothing. */
export function noteUnplaced(object: object, placed: ReadonlySet<string>, path: string, unplaced: Unplaced): void {
  for (const [name, value] of Object.entries(object)) {
    if (placed.has(name) || value == null) continue;
    unplaced[path === '' ? name : `${path}.${name}`] = value;
  }
}

/** Sets of names, written as words. */
export function namesByPlace<Place extends string>(
  places: Readonly<Record<Place, string>>,
): Readonly<Record<Place, ReadonlySet<string>>> {
  const sets = Object.entries<string>(places).map(([place, names]) => [place, new Set(names.split(' '))]);
  return Object.fromEntries(sets) as Record<Place, ReadonlySet<string>>;
}
