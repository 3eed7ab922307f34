import type { AttributeValue as SdkAttributeValue } from '@aws-sdk/client-dynamodb';
import type { OnTheWire } from './aws-json-client.ts';

/** As DynamoDB's protocol has it: bytes in base64. */
export type AttributeValue = OnTheWire<SdkAttributeValue>;
export type Item = Record<string, AttributeValue>;

export function text(value: string): { S: string } {
  return { S: value };
}

export function number(value: number): { N: string } {
  return { N: String(value) };
}

export function binary(bytes: Uint8Array): { B: string } {
  return { B: Buffer.from(bytes).toString('base64') };
}

/** The bytes of a binary attribute; none where there is none. */
export function bytesOf(value: AttributeValue | undefined): Uint8Array {
  return Buffer.from(value?.B ?? '', 'base64');
}

/** Whether an item still counts: DynamoDB deletes what has expired within days, an embedded store never. */
export function isLive(item: Item, nowMs: number): boolean {
  return item.expiresAt?.N === undefined || Number(item.expiresAt.N) * 1000 > nowMs;
}
