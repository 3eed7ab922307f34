/** Replaces an operator's key for a provider. */
export const REDACTED_KEY = '[REDACTED_PROVIDER_KEY]';

/** A shorter key is a placeholder for a server without keys, such as `none`, and may be an ordinary word. */
export const MIN_KEY_CHARS = 8;
