import type { HttpClient } from '../../kernel/http/index.ts';

/**
 * CloudFormation's request to a custom resource:
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/crpg-ref-requests.html
 */
export interface CustomResourceEvent {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  /** Presigned: anyone who has it can respond. */
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
  /** Absent in a Create request. */
  readonly PhysicalResourceId?: string;
}

interface CustomResourceOutcome {
  /** A new id makes CloudFormation delete the resource of the previous id. */
  readonly physicalId: string;
  /** Shown to the person who deploys; undefined on success. */
  readonly failure: string | undefined;
}

const ATTEMPT_MS = 5_000;
/** Pauses before each further attempt. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000];

/** The response could not be delivered. The message does not contain the presigned URL. */
class ResponseNotDelivered extends Error {}

/**
 * Uploads the response in CloudFormation's format
 * (https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/crpg-ref-responses.html): five attempts of five seconds each,
 * fewer if the URL is refused permanently (4xx). @throws ResponseNotDelivered
 */
export async function respondToCloudFormation(
  { ResponseURL: url, StackId, RequestId, LogicalResourceId }: CustomResourceEvent,
  { physicalId, failure }: CustomResourceOutcome,
  http: HttpClient,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const response = JSON.stringify({
    Status: failure === undefined ? 'SUCCESS' : 'FAILED',
    ...(failure !== undefined && { Reason: failure }),
    PhysicalResourceId: physicalId,
    StackId,
    RequestId,
    LogicalResourceId,
  });
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await put(url, response, http);
    if (outcome === 'taken') return;
    const pauseMs = PAUSES_MS[attempt];
    if (outcome.final || pauseMs === undefined)
      throw new ResponseNotDelivered(`no response to CloudFormation: ${outcome.why}`);
    await pause(pauseMs);
  }
}

async function put(
  url: string,
  body: string,
  http: HttpClient,
): Promise<'taken' | { readonly why: string; readonly final: boolean }> {
  try {
    const call = { method: 'PUT', url, body, headTimeoutMs: ATTEMPT_MS, idleTimeoutMs: ATTEMPT_MS } as const;
    // The URL is signed without a content type.
    const response = await http.send({ ...call, headers: { 'content-type': '' } });
    for await (const _ of response.body);
    if (response.status < 300) return 'taken';
    return { why: `status ${response.status}`, final: response.status < 500 };
  } catch (error) {
    return { why: error instanceof Error ? error.message : typeof error, final: false };
  }
}
