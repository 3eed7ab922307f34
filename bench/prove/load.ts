/** How much load, and for how long. */
export interface LoadSize {
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly startedAt: string;
  readonly endedAt: string;
  readonly sent: number;
  /** Streams that came to their end. */
  readonly whole: number;
  /** Other results, by status or error. */
  readonly others: Readonly<Record<string, number>>;
  readonly bytes: number;
  /** Until the first byte of the body, milliseconds, of whole streams. */
  readonly firstByteMs: { readonly p50: number; readonly p99: number };
}

const REQUEST_MS = 120_000;
const PROMPT = 'A gateway in front of models inspects each request and each response. '.repeat(14);

/**
 * Sends streamed requests to the built-in model at a fixed rate, whether or not earlier ones have ended, so that a slow gateway is not
 * asked less. Waits for all of them.
 */
export async function runLoad({
  url,
  key,
  rate,
  seconds,
}: LoadSize & { readonly url: string; readonly key: string }): Promise<LoadResult> {
  const startedAt = new Date().toISOString();
  const started = performance.now();
  const total = Math.round(rate * seconds);
  const others: Record<string, number> = {};
  const firsts: number[] = [];
  let bytes = 0;
  const one = async () => {
    try {
      const read = await stream(url, key);
      bytes += read.bytes;
      if (read.fault === undefined) firsts.push(read.firstByteMs);
      else others[read.fault] = (others[read.fault] ?? 0) + 1;
    } catch (error) {
      const name = (error as Error).name;
      others[name] = (others[name] ?? 0) + 1;
    }
  };
  const running: Promise<void>[] = [];
  for (let at = 0; at < total; at += 1) {
    const due = started + (at / rate) * 1_000;
    const early = due - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    running.push(one());
  }
  await Promise.all(running);
  firsts.sort((a, b) => a - b);
  const quantile = (part: number) => Math.round(firsts[Math.floor((firsts.length - 1) * part)] ?? 0);
  return {
    startedAt,
    endedAt: new Date().toISOString(),
    sent: total,
    whole: firsts.length,
    others,
    bytes,
    firstByteMs: { p50: quantile(0.5), p99: quantile(0.99) },
  };
}

async function stream(url: string, key: string) {
  const sentAt = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'echo', stream: true, messages: [{ role: 'user', content: PROMPT }] }),
    signal: AbortSignal.timeout(REQUEST_MS),
  });
  let [bytes, firstByteMs, end] = [0, 0, ''];
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    if (bytes === 0) firstByteMs = performance.now() - sentAt;
    bytes += piece.length;
    end = (end + decoder.decode(piece, { stream: true })).slice(-100);
  }
  const isWhole = response.status === 200 && end.includes('[DONE]');
  return {
    bytes,
    firstByteMs,
    fault: isWhole ? undefined : response.status === 200 ? 'ended early' : `status ${response.status}`,
  };
}
