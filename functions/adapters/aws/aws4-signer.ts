import type { AwsCredentialIdentity, Provider } from '@smithy/types';
import aws4 from 'aws4';

interface SdkRequest {
  readonly method: string;
  readonly path: string;
  headers: Record<string, string>;
  readonly body?: string | Uint8Array;
}

interface SigningArguments {
  /** The clock that the SDK corrects by AWS's. */
  readonly signingDate?: Date | number | string;
  readonly signingRegion?: string;
  readonly signingService?: string;
}

/**
 * The SDK's `signer` over aws4, for requests without a query: less than half of the CPU of the SDK's own (bench/aws-calls.md).
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export class Aws4Signer {
  private readonly credentials: Provider<AwsCredentialIdentity>;

  constructor(credentials: Provider<AwsCredentialIdentity>) {
    this.credentials = credentials;
  }

  async sign<Request extends SdkRequest>(
    request: Request,
    { signingDate = new Date(), signingRegion, signingService }: SigningArguments,
  ): Promise<Request> {
    const { method, path, body } = request;
    const date = new Date(signingDate).toISOString().replace(/[-:]|\.\d{3}/g, '');
    const headers = { ...request.headers, 'x-amz-date': date };
    const unsigned = { method, path, headers, body, region: signingRegion, service: signingService };
    request.headers = aws4.sign(unsigned as aws4.Request, await this.credentials()).headers as Record<string, string>;
    return request;
  }
}
