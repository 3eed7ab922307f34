/** HMAC-SHA-256 of a key's secret under the deployment's pepper, hex. Throws StoreUnavailable without a pepper. */
export type KeyHasher = (secret: string) => Promise<string>;
