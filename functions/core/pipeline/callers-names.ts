import { GatewayError } from '../base/errors.ts';
import type { ChatRequest } from '../model/chat.ts';

/** The refusal of a field that only a provider of the caller's own protocol understands. */
export function untranslatable(field: string, provider: string): GatewayError {
  const message = `The provider ${provider} does not support \`${field}\` of this API: choose a model whose provider has it.`;
  return new GatewayError('invalid_value', message, { param: field });
}

/** The error with the caller's own name for the field at fault; anything else as it is. */
export function inCallersNames(error: unknown, { callersNames = {} }: ChatRequest): unknown {
  if (!(error instanceof GatewayError) || error.param === undefined) return error;
  const { param } = error;
  const known = Object.keys(callersNames).filter((name) => isWithin(param, name));
  const longest = known.sort((a, b) => b.length - a.length)[0];
  if (longest === undefined) return error;
  const named = `${callersNames[longest]}${param.slice(longest.length)}`;
  const { code, message, headers, passedOn, internal, fallback, cause } = error;
  return new GatewayError(code, message.replaceAll(`\`${param}\``, `\`${named}\``), {
    param: named,
    headers,
    fallback,
    cause,
    ...(passedOn && { passedOn }),
    ...(internal !== undefined && { internal }),
  });
}

function isWithin(param: string, name: string): boolean {
  return param.startsWith(name) && ['', '.', '['].includes(param.charAt(name.length));
}
