import type {
  AwsCredentialIdentity,
  HttpRequest,
  Provider,
  RequestSigner,
  RequestSigningArguments,
} from '@smithy/types';
import aws4 from 'aws4';

/** What a client signs with; region and service apply to requests whose endpoint names no others. */
export interface SignerConfig {
  readonly credentials: Provider<AwsCredentialIdentity>;
  readonly region: Provider<string>;
  readonly service: string;
}

/**
 * The SDK's signer over aws4, for requests without a query: less than half of the CPU of the SDK's own (bench/aws-calls.md).
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export class Aws4Signer implements RequestSigner {
  private readonly config: SignerConfig;

  constructor(config: SignerConfig) {
    this.config = config;
  }

  /** `signingDate` is by the clock that the SDK corrects by AWS's. */
  async sign(
    request: HttpRequest,
    { signingDate = new Date(), signingRegion, signingService }: RequestSigningArguments = {},
  ): Promise<HttpRequest> {
    const { method, path, body } = request;
    const date = new Date(signingDate).toISOString().replace(/[-:]|\.\d{3}/g, '');
    const headers = { ...request.headers, 'x-amz-date': date };
    const region = signingRegion ?? (await this.config.region());
    // Named, since aws4 would take them from the host, which an endpoint of the environment changes.
    const unsigned = { method, path, headers, body, region, service: signingService ?? this.config.service };
    request.headers = aws4.sign(unsigned, await this.config.credentials()).headers as Record<string, string>;
    return request;
  }
}
