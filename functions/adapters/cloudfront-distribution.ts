import { AwsRefusal, type AwsRestService, callAwsRest } from './aws-rest-call.ts';

const VERSION = '2020-05-31';
/** Somebody else may change the distribution between our reading and our writing. */
const ROUNDS = 3;
const PRECONDITION_FAILED = 412;
/** https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_OriginCustomHeader.html; of ours no character needs escaping. */
const CUSTOM_HEADER =
  /(<HeaderName>)([\w-]{1,256})(<\/HeaderName>\s{0,64}<HeaderValue>)([^<]{0,2048})(<\/HeaderValue>)/g;
const STATUS = /<Status>(\w{1,32})<\/Status>/;

/**
 * A distribution of CloudFront and a header that it sends to its origins. Its configuration is handled as the text that
 * CloudFront gives, so that nothing in it is lost which this version does not know.
 */
export class CloudFrontDistribution {
  private readonly service: AwsRestService;
  private readonly path: string;

  constructor(service: AwsRestService, id: string) {
    this.service = service;
    this.path = `/${VERSION}/distribution/${id}`;
  }

  /** Has the header sent with this value by every origin that sends it. @throws AwsRefusal; Error where none sends it */
  async send(header: string, value: string): Promise<void> {
    for (let round = 1; ; round += 1) {
      const { text, etag } = await this.configuration();
      const changed = text.replace(
        CUSTOM_HEADER,
        (all, start: string, name: string, middle: string, _old, end: string) =>
          name.toLowerCase() === header ? `${start}${name}${middle}${value}${end}` : all,
      );
      if (valuesOf(header, changed).length === 0) throw new Error(`no origin of the distribution sends ${header}`);
      if (changed === text) return;
      const headers = { 'content-type': 'text/xml', 'if-match': etag };
      const update = { operation: 'cloudfront:UpdateDistribution', method: 'PUT', headers, body: changed } as const;
      try {
        await callAwsRest(this.service, { ...update, path: `${this.path}/config` });
        return;
      } catch (error) {
        if (!(error instanceof AwsRefusal) || error.status !== PRECONDITION_FAILED || round === ROUNDS) throw error;
      }
    }
  }

  /** Whether every origin that sends the header sends this value, at every edge. */
  async isSending(header: string, value: string): Promise<boolean> {
    const { text } = await this.configuration();
    const values = valuesOf(header, text);
    if (values.length === 0 || values.some((one) => one !== value)) return false;
    const call = { operation: 'cloudfront:GetDistribution', method: 'GET', path: this.path } as const;
    const { body } = await callAwsRest(this.service, call);
    return STATUS.exec(body)?.[1] === 'Deployed';
  }

  private async configuration(): Promise<{ text: string; etag: string }> {
    const call = { operation: 'cloudfront:GetDistributionConfig', method: 'GET', path: `${this.path}/config` } as const;
    const { headers, body } = await callAwsRest(this.service, call);
    return { text: body, etag: headers.etag ?? '' };
  }
}

function valuesOf(header: string, text: string): string[] {
  return [...text.matchAll(CUSTOM_HEADER)].flatMap(([, , name = '', , value = '']) =>
    name.toLowerCase() === header ? [value] : [],
  );
}
