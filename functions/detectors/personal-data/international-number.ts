import parsePhoneNumber, { type MetadataJson } from 'libphonenumber-js/core';
import file from './phone-metadata.generated.json' with { type: 'json' };

let metadata: MetadataJson | undefined;
/** All of it is the number, not a text that holds one. Given as one object: the library's short form copies its options for each number. */
const WHOLE = { extract: false } as const;

/**
 * Whether a number that begins with + exists, as far as its country's plan tells. The plans, libphonenumber-js's smallest,
 * are kept as text and read at the first number: as an object in the bundle they would cost each start some 4 ms.
 */
export function isInternationalNumber(number: string): boolean {
  metadata ??= JSON.parse(file.metadata) as MetadataJson;
  return parsePhoneNumber(number, WHOLE, metadata)?.isValid() ?? false;
}
