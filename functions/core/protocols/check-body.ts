import type * as z from 'zod';
import { toValidationError } from '../base/first-fault.ts';
import type { JsonDocument } from '../base/json-document.ts';
import type { Places } from './places.ts';

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
