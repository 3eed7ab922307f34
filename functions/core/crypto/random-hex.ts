import { randomFillSync } from 'node:crypto';

/** Drawn at once, for a hundred ids and more: to ask for a few takes nearly as long. */
const POOL = Buffer.alloc(4_096);
let used = POOL.length;

/** So many random hexadecimal digits, an even number up to 64: what nobody can guess, and names something once. */
export function randomHex(digits: number): string {
  const bytes = digits / 2;
  if (used + bytes > POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  used += bytes;
  return POOL.toString('hex', used - bytes, used);
}
