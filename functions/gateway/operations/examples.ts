/** Ids and times of examples are fixed, so that every run writes the same document. */
export const REQUEST_ID = 'req_3f0c1f6e2f3f4b0f9a7c5d2e8b1a4c6d';
export const COMPLETION_ID = 'chatcmpl-echo-5f3c1a52-6c8c-4f7e-9f0e-0d6a1f2b3c4d';
export const CREATED = 1_795_231_800;

/** The `svc` of a response in which nothing was found. */
export function svcOf(coverage: {
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly skipped?: readonly string[];
}) {
  return {
    threat_score: 0,
    detected_threats: [],
    processing_time_ms: 3.214,
    action: 'allow',
    request_id: REQUEST_ID,
    session_id: null,
    coverage: { ...coverage, skipped: coverage.skipped ?? [] },
  };
}

/** A stream of events without names. */
export function dataStream(events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

/** A stream of events that are named by their type. */
export function namedStream(events: readonly { readonly type: string }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}
