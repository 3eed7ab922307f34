/** One HTTP response before failures and pacing: its chunks are SSE events, or one complete body. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  streamed: boolean;
  chunks: Buffer[];
}

export function jsonAnswer(status: number, headers: Record<string, string>, body: unknown): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    streamed: false,
    chunks: [Buffer.from(JSON.stringify(body))],
  };
}

export function streamAnswer(headers: Record<string, string>, events: string[]): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', ...headers },
    streamed: true,
    chunks: events.map((event) => Buffer.from(event)),
  };
}
