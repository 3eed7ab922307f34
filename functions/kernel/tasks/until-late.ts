/** A status says that a call failed: its text is not worth a longer wait, since fallbacks come after it. */
export const ERROR_BODY_MS = 5_000;

/** What comes of a body in time; then it is closed. */
export async function* untilLate(body: AsyncIterable<Uint8Array>, waitMs: number): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, waitMs, undefined);
  });
  try {
    for (;;) {
      const next = await Promise.race([pieces.next(), late]);
      if (next === undefined || next.done) return;
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
    // Not awaited: it may wait for a piece that never comes.
    pieces.return?.().catch(() => {});
  }
}
