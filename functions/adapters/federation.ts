import { ExchangeFailure, type TokenExchange } from '../control/federation/index.ts';
import { systemClock } from './node/process-time.ts';

/**
 * The exchange of this process's AWS identity, or of a service account's signature, for access tokens. It is loaded at the first one: few
 * deployments need it.
 * @param hasAwsIdentity whether the process has AWS credentials
 */
export function federatedExchange(hasAwsIdentity: boolean): TokenExchange {
  let made: Promise<TokenExchange> | undefined;
  return async (source) => {
    if (!hasAwsIdentity && source.kind !== 'service account')
      throw new ExchangeFailure('Federation needs AWS credentials, which this process does not have.', true);
    made ??= load();
    return (await made)(source);
  };
}

async function load(): Promise<TokenExchange> {
  const [{ createTokenExchange }, { webIdentityTokens }, { UndiciHttpClient }] = await Promise.all([
    import('./http/token-exchange.ts'),
    import('./aws/web-identity.ts'),
    import('./http/undici-http-client.ts'),
  ]);
  return createTokenExchange({ http: new UndiciHttpClient(), identityTokens: webIdentityTokens(), clock: systemClock });
}
