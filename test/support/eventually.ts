import { inspect } from 'node:util';

/**
 * How long a test waits for an event that has to come. Minutes, because on a busy machine a process starts in half a minute; a test that
 * passes does not wait for it.
 */
export const DEADLINE_MS = 240_000;

/** Between two reads; each next one is longer, because a read may be a request whose work delays the event. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 100;

/**
 * Reads a value until it is the expected one, and returns it: by default, until it is neither undefined nor false. Other processes and
 * background tasks finish after the response.
 * @throws Error with the last value if the event does not come
 */
export async function eventually<Value>(read: () => Promise<Value> | Value): Promise<Exclude<Value, undefined | false>>;
export async function eventually<Value>(
  read: () => Promise<Value> | Value,
  isExpected: (value: Value) => boolean,
): Promise<Value>;
export async function eventually<Value>(
  read: () => Promise<Value> | Value,
  isExpected = (value: Value) => value !== undefined && value !== false,
): Promise<Value> {
  const deadline = performance.now() + DEADLINE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const value = await read();
    if (isExpected(value)) return value;
    if (performance.now() > deadline)
      throw new Error(`it did not happen in time; the last value was ${inspect(value)}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
