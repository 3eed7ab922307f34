/** An item as the document client gives and takes it. Each store casts what it reads to its own item type, once. */
export type Item = Record<string, unknown>;

/** Whether an item still counts: DynamoDB deletes what has expired within days, an embedded store never. */
export function isLive({ expiresAt }: { readonly expiresAt?: unknown }, nowMs: number): boolean {
  return typeof expiresAt !== 'number' || expiresAt * 1000 > nowMs;
}
