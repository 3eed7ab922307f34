import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Item = Record<string, AttributeValue>;

export function text(value: string): { S: string } {
  return { S: value };
}

export function number(value: number): { N: string } {
  return { N: String(value) };
}

/** Whether an item still counts: DynamoDB deletes what has expired within days, an embedded store never. */
export function isLive(item: Item, nowMs: number): boolean {
  return item.expiresAt?.N === undefined || Number(item.expiresAt.N) * 1000 > nowMs;
}
