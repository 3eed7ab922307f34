import type { HttpClient } from '../core/ports/http-client.ts';

/** What a custom resource's request is answered with: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/crpg-ref-responses.html */
export interface CloudFormationAnswer {
  readonly Status: 'SUCCESS' | 'FAILED';
  /** Shown to whoever deploys. */
  readonly Reason?: string;
  readonly PhysicalResourceId: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
}

const ATTEMPT_MS = 5_000;
/** Before each further attempt. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000];

/** The answer could not be handed over. Holds nothing of the address, which is signed. */
export class NotAnswered extends Error {}

/**
 * Puts the answer where the request asked for it: five attempts of five seconds each, unless the address is refused for good
 * (4xx). @throws NotAnswered
 */
export async function answerCloudFormation(
  url: string,
  answer: CloudFormationAnswer,
  http: HttpClient,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await put(url, JSON.stringify(answer), http);
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
