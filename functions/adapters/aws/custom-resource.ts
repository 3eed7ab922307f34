import type { HttpClient } from '../../core/base/http-client.ts';

/** What CloudFormation asks of a custom resource: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/crpg-ref-requests.html */
export interface CustomResourceEvent {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  /** Signed: whoever has it may answer. */
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
  /** Absent of a Create. */
  readonly PhysicalResourceId?: string;
}

interface CustomResourceOutcome {
  /** Another one than before would have CloudFormation delete what the last one names. */
  readonly physicalId: string;
  /** Shown to whoever deploys; undefined where all went well. */
  readonly failure: string | undefined;
}

const ATTEMPT_MS = 5_000;
/** Before each further attempt. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000];

/** The answer could not be handed over. Holds nothing of the address, which is signed. */
class NotAnswered extends Error {}

/**
 * Puts the answer where the event asks for it, in CloudFormation's own shape
 * (https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/crpg-ref-responses.html): five attempts of five seconds
 * each, unless the address is refused for good (4xx). @throws NotAnswered
 */
export async function answerCustomResource(
  { ResponseURL: url, StackId, RequestId, LogicalResourceId }: CustomResourceEvent,
  { physicalId, failure }: CustomResourceOutcome,
  http: HttpClient,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const answer = JSON.stringify({
    Status: failure === undefined ? 'SUCCESS' : 'FAILED',
    ...(failure !== undefined && { Reason: failure }),
    PhysicalResourceId: physicalId,
    StackId,
    RequestId,
    LogicalResourceId,
  });
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await put(url, answer, http);
    if (outcome === 'taken') return;
    const pauseMs = PAUSES_MS[attempt];
    if (outcome.final || pauseMs === undefined)
      throw new NotAnswered(`CloudFormation was not answered: ${outcome.why}`);
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
    // The address is signed for no content type.
    const response = await http.send({ ...call, headers: { 'content-type': '' } });
    for await (const _ of response.body);
    if (response.status < 300) return 'taken';
    return { why: `status ${response.status}`, final: response.status < 500 };
  } catch (error) {
    return { why: error instanceof Error ? error.message : typeof error, final: false };
  }
}
