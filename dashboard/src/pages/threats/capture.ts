import { ApiError, call } from '../../api/client.ts';

/** What was kept of one request's texts; reading it is in the audit log. */
export interface Capture {
  readonly mode: 'redacted' | 'full';
  /** The request's body. */
  readonly request: string;
  readonly answer: readonly { readonly channel: string; readonly text: string }[];
  readonly truncated: boolean;
}

/** undefined where none is kept, or none any more. */
export async function readCapture(requestId: string, signal?: AbortSignal): Promise<Capture | undefined> {
  const path = `/v1/analytics/requests/${encodeURIComponent(requestId)}/capture`;
  try {
    return await call<Capture>('GET', path, signal === undefined ? {} : { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
