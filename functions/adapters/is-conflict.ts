import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** Whether a write was refused because its condition does not hold. */
export function isConflict(error: unknown): boolean {
  return error instanceof ConditionalCheckFailedException;
}
