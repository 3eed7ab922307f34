import { GatewayError } from '../../core/base/errors.ts';

/** The refusal of a request's field that Converse has no place for; `reason` is a clause of our own, never the caller's text. */
export function unsupported(field: string, reason: string): GatewayError {
  const message = `The provider bedrock does not support this value of \`${field}\`: ${reason}.`;
  return new GatewayError('invalid_value', message, { param: field });
}
