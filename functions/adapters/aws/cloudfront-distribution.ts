import {
  type CloudFrontClient,
  type DistributionConfig,
  GetDistributionCommand,
  GetDistributionConfigCommand,
  PreconditionFailed,
  UpdateDistributionCommand,
} from '@aws-sdk/client-cloudfront';
import type { HttpRequest, HttpResponse } from '@smithy/types';
import { readText } from '../http/incoming-body.ts';
import { reachStore } from './reach-store.ts';

/** Others may change the distribution between a read and a write. */
const ROUNDS = 3;
const MAX_CONFIGURATION_BYTES = 4 * 1024 * 1024;
/** https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_OriginCustomHeader.html; the gateway's values need no escaping. */
const CUSTOM_HEADER =
  /(<HeaderName>)([\w-]{1,256})(<\/HeaderName>\s{0,64}<HeaderValue>)([^<]{0,2048})(<\/HeaderValue>)/g;

interface Configuration {
  /** The XML from CloudFront. */
  readonly text: string;
  readonly parsed: DistributionConfig | undefined;
  readonly etag: string | undefined;
}

/**
 * A CloudFront distribution and a header that it sends to its origins. The SDK drops elements that its version does not know, so the XML
 * itself is edited and sent (docs/decisions/0011-front-doors.md).
 */
export class CloudFrontDistribution {
  private readonly client: CloudFrontClient;
  private readonly id: string;

  constructor(client: CloudFrontClient, id: string) {
    this.client = client;
    this.id = id;
  }

  /**
   * Sets the value of the header for every origin that sends it. @throws StoreUnavailable with the name of CloudFront's error; Error if no
   * origin sends it
   */
  async send(header: string, value: string): Promise<void> {
    for (let round = 1; ; round += 1) {
      const configuration = await this.configuration();
      const text = configuration.text.replace(
        CUSTOM_HEADER,
        (all, start: string, name: string, middle: string, _old, end: string) =>
          name.toLowerCase() === header ? `${start}${name}${middle}${value}${end}` : all,
      );
      if (valuesOf(header, text).length === 0) throw new Error(`no origin of the distribution sends ${header}`);
      if (text === configuration.text || (await this.update({ ...configuration, text }, round < ROUNDS))) return;
    }
  }

  /** Whether every origin that sends the header sends this value, at every edge location. */
  async isSending(header: string, value: string): Promise<boolean> {
    const { text } = await this.configuration();
    const values = valuesOf(header, text);
    if (values.length === 0 || values.some((one) => one !== value)) return false;
    const command = new GetDistributionCommand({ Id: this.id });
    const { Distribution } = await reachStore('distribution', () => this.client.send(command));
    return Distribution?.Status === 'Deployed';
  }

  private async configuration(): Promise<Configuration> {
    const command = new GetDistributionConfigCommand({ Id: this.id });
    let text = '';
    command.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        const response = result.response as HttpResponse;
        text = await readText(response.body, MAX_CONFIGURATION_BYTES);
        response.body = Buffer.from(text);
        return result;
      },
      { step: 'deserialize', priority: 'low' },
    );
    const { DistributionConfig: parsed, ETag: etag } = await reachStore('distribution', () =>
      this.client.send(command),
    );
    return { text, parsed, etag };
  }

  /** @returns false if others changed it meanwhile and `isRetried` is set */
  private async update({ text, parsed, etag }: Configuration, isRetried: boolean): Promise<boolean> {
    const command = new UpdateDistributionCommand({ Id: this.id, IfMatch: etag, DistributionConfig: parsed });
    command.middlewareStack.add(
      (next) => (args) => {
        (args.request as HttpRequest).body = text;
        return next(args);
      },
      // Before the content length is set and the request is signed.
      { step: 'build', priority: 'high' },
    );
    const isOutdated = (error: unknown) => isRetried && error instanceof PreconditionFailed;
    try {
      await reachStore('distribution', () => this.client.send(command), isOutdated);
      return true;
    } catch (error) {
      if (isOutdated(error)) return false;
      throw error;
    }
  }
}

function valuesOf(header: string, text: string): string[] {
  return [...text.matchAll(CUSTOM_HEADER)].flatMap(([, , name = '', , value = '']) =>
    name.toLowerCase() === header ? [value] : [],
  );
}
