import { randomHex } from '../crypto/random-hex.ts';

const TIME_DIGITS = 12;
const RANDOM_DIGITS = 20;

/** An endpoint's id: its first digits are the time (milliseconds since 1970), so that ids are in the order of making. */
export function newWebhookId(nowMs: number): string {
  const random = randomHex(RANDOM_DIGITS);
  return `wh_${nowMs.toString(16).padStart(TIME_DIGITS, '0')}${random}`;
}
