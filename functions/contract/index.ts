import { keyOperations } from './keys.ts';
import type { Operation } from './operation.ts';

/** Every operation of the admin and analytics API, by its id. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...keyOperations,
};

export * from './keys.ts';
export * from './operation.ts';
