import { randomHex } from '../crypto/index.ts';

const PREFIX = 'req_';
const TIME_DIGITS = 12;
const RANDOM_DIGITS = 20;

/** A request's id: `req_`, its arrival in milliseconds since 1970 as 12 hexadecimal digits, and 80 random bits. */
export function newRequestIdText(arrivedAtMs: number): string {
  return `${PREFIX}${arrivedAtMs.toString(16).padStart(TIME_DIGITS, '0')}${randomHex(RANDOM_DIGITS)}`;
}

export function isRequestId(text: string): boolean {
  return /^req_[0-9a-f]{32}$/.test(text);
}

/** The arrival in a request's id, milliseconds since 1970; undefined if the text is no such id. */
export function arrivalOf(requestId: string): number | undefined {
  return isRequestId(requestId)
    ? Number.parseInt(requestId.slice(PREFIX.length, PREFIX.length + TIME_DIGITS), 16)
    : undefined;
}
