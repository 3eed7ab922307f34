import { GatewayError } from '../base/errors.ts';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 100;

/** `limit` (1..100, default 50) and `cursor` of a list's address. @throws GatewayError `invalid_value` */
export function readPageQuery(url: string): { limit: number; cursor: string | undefined } {
  const query = new URL(url).searchParams;
  const text = query.get('limit');
  const limit = text === null ? DEFAULT_LIMIT : Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new GatewayError('invalid_value', `'limit' must be a whole number from 1 to ${MAX_LIMIT}.`, {
      param: 'limit',
    });
  }
  return { limit, cursor: query.get('cursor') ?? undefined };
}
