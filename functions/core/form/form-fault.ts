import { GatewayError } from '../errors.ts';

/** The 400 of a form that is none, or that two readers might read differently; it names the part where one is to blame. */
export function formFault(what: string, name?: string): GatewayError {
  if (name === undefined) return new GatewayError('invalid_value', `The multipart body ${what}.`);
  const param = name.length <= 120 ? name : `${name.slice(0, 120)}…`;
  return new GatewayError('invalid_value', `The part '${param}' of the multipart body ${what}.`, { param });
}
