/** A sign-in or a refresh failed. Its message is printed, so it has no text of a token, a code or a response. */
export class SignInError extends Error {}

const CODE = /^[\w.-]{1,64}$/;
const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ENOTFOUND: 'there is no such host (ENOTFOUND)',
  EAI_AGAIN: 'the host name cannot be resolved now (EAI_AGAIN)',
  TimeoutError: 'no response in time',
  OAUTH_TIMEOUT: 'no response in time',
  OAUTH_ABORT: 'it was stopped',
};

/** The code of an OAuth error that the identity provider returned (RFC 6749, 5.2); undefined for other failures. */
export function refusalOf(error: unknown): string | undefined {
  const { name, error: code } = error as { readonly name?: string; readonly error?: unknown };
  const isRefusal = name === 'ResponseBodyError' || name === 'AuthorizationResponseError';
  return isRefusal && typeof code === 'string' && CODE.test(code) ? code : undefined;
}

/** Why a call failed, by codes alone: messages may quote the response. @param who such as `The identity provider https://...` */
export function callFailure(who: string, error: unknown): SignInError {
  if (error instanceof SignInError) return error;
  const refusal = refusalOf(error);
  if (refusal !== undefined) return new SignInError(`${who} refused (${refusal}).`);
  const { name, code, cause } = error as Error & { readonly code?: string; readonly cause?: NodeJS.ErrnoException };
  const reason = [cause?.code, code, name].find((one) => one !== undefined && Object.hasOwn(NETWORK, one));
  if (reason !== undefined) return new SignInError(`${who} cannot be reached: ${NETWORK[reason]}.`);
  if (error instanceof TypeError)
    return new SignInError(`${who} cannot be reached (${cause?.code ?? 'no connection'}).`);
  return new SignInError(
    `The response of ${who.charAt(0).toLowerCase()}${who.slice(1)} is not valid (${code ?? name}).`,
  );
}
