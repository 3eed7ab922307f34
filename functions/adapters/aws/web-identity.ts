import type { STSClient } from '@aws-sdk/client-sts';
import { ExchangeFailure } from '../../control/federation/index.ts';
import { HttpFailure } from '../../kernel/http/index.ts';
import type { AwsClientOptions } from './clients.ts';

/** An identity token of this process's AWS role. Throws ExchangeFailure. */
export type IdentityTokens = (audience: string, seconds: number) => Promise<string>;

/** Microsoft Entra and Google verify no other one of AWS's algorithms. */
const ALGORITHM = 'RS256';
/** A token may not outlive the session of the role: near its end there are only short ones. */
const SHORTEST_SECONDS = 60;
const TOO_LONG = 'SessionDurationEscalationException';
/** What an administrator can do about an error, by its name. */
const ADVICE: Readonly<Record<string, string>> = {
  OutboundWebIdentityFederationDisabledException:
    'Outbound identity federation is not enabled in this AWS account. Run once: aws iam enable-outbound-web-identity-federation.',
  AccessDenied:
    'The AWS role may not get an identity token for this audience: the stage setting federationAudiences must list it.',
  RegionDisabledException: 'AWS STS is not enabled in this region.',
  CredentialsProviderError: 'There are no AWS credentials.',
};
const REFUSALS = [...Object.keys(ADVICE), 'JWTPayloadSizeExceededException', 'ValidationError', 'InvalidAction'];

/**
 * Identity tokens by `sts:GetWebIdentityToken`: https://docs.aws.amazon.com/STS/latest/APIReference/API_GetWebIdentityToken.html. Each is tried
 * three times, with two seconds for a try.
 */
export function webIdentityTokens(options: AwsClientOptions = {}): IdentityTokens {
  let client: STSClient | undefined;
  return async (audience, seconds) => {
    const { createStsClient, GetWebIdentityTokenCommand } = await import('./sts.ts');
    client ??= createStsClient(options);
    const sts = client;
    const get = async (DurationSeconds: number) => {
      const input = { Audience: [audience], SigningAlgorithm: ALGORITHM, DurationSeconds };
      return (await sts.send(new GetWebIdentityTokenCommand(input))).WebIdentityToken;
    };
    try {
      const token = await get(seconds).catch((error) => {
        if (nameOf(error) === TOO_LONG) return get(SHORTEST_SECONDS);
        throw error;
      });
      if (token) return token;
    } catch (error) {
      throw toFailure(nameOf(error));
    }
    throw toFailure('no token');
  };
}

/** Messages of AWS may quote what was sent. */
function toFailure(name: string): ExchangeFailure {
  return new ExchangeFailure(ADVICE[name] ?? `AWS STS gives no identity token (${name}).`, REFUSALS.includes(name));
}

function nameOf(error: unknown): string {
  if (error instanceof HttpFailure) return error.reason;
  const { name } = (error ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' && /^\w{1,64}$/.test(name) ? name : 'unknown';
}
