/** A queue's message that a killed process had received is visible again after 30 seconds. */
const PATIENCE_MS = 60_000;

/** What `find` returns once it is not undefined: records and log lines come after the response. @throws Error after a minute */
export async function eventually<Value>(find: () => Promise<Value | undefined> | Value | undefined): Promise<Value> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
