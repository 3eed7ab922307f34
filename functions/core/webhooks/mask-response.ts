const MASK = '***';
/** What keys, tokens and signatures look like: long, without a space, letters and digits in it. */
const TOKEN_LIKE = /[\w+/=.~-]{20,}/g;

/** An answer's beginning as it may be kept: what we know to be secret and what looks so is masked, control characters are spaces. */
export function maskResponse(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of secrets) masked = masked.replaceAll(secret, MASK);
  return masked
    .replace(TOKEN_LIKE, (token) => (/\d/.test(token) && /[A-Za-z]/.test(token) ? MASK : token))
    .replace(/[\p{Cc}\p{Cs}]/gu, ' ');
}
