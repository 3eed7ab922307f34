import { ExchangeFailure, type TokenExchange } from '../control/federation/index.ts';
import { systemClock } from './node/process-time.ts';

/**
 * The exchange of this process's AWS identity for access tokens, which is loaded at the first one: few deployments need it.
 * @param hasAwsIdentity whether the process has AWS credentials
 */
export function federatedExchange(hasAwsIdentity: boolean): TokenExchange {
  let made: Promise<TokenExchange> | undefined;
  return async (federation) => {
    if (!hasAwsIdentity)
      throw new ExchangeFailure('Federation needs AWS credentials, which this process does not have.', true);
    made ??= load();
    return (await made)(federation);
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
