const TIMEOUT_MS = 30_000;

/** What the admin API answered where it did not do what it was asked for. */
export class AdminApiError extends Error {}

/** Calls a deployment's admin API. */
export class AdminClient {
  private readonly url: string;
  private readonly key: string;

  /** `url` ends in `/v1`; `key` has the permission `admin`. */
  constructor(url: string, key: string) {
    this.url = url.endsWith('/') ? url.slice(0, -1) : url;
    this.key = key;
  }

  /**
   * The JSON that the call is answered with; throws AdminApiError for any other answer than 2xx, and where there is none
   * within 30 s. Nothing is tried twice: a key that was made must not be made again.
   */
  async call<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    let response: Response;
    try {
      response = await fetch(`${this.url}/admin${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      throw new AdminApiError(
        `${this.url} cannot be reached: ${error instanceof Error ? error.message : typeof error}`,
      );
    }
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as T;
    throw new AdminApiError(`${method} ${path}: ${response.status} ${messageIn(text)}`);
  }

  /** Every entry of a list, page by page. */
  async *list<T>(path: string): AsyncGenerator<T, void> {
    let cursor: string | null = null;
    do {
      const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: { data: T[]; nextCursor: string | null } = await this.call('GET', `${path}?limit=100${after}`);
      yield* page.data;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }
}

function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  } catch {
    return 'without a message';
  }
}

/** The client that `--url` and the variable SVC_ADMIN_KEY name; ends the process where the variable is missing. */
export function clientFromEnvironment(url: string): AdminClient {
  const key = process.env.SVC_ADMIN_KEY;
  if (!key) {
    console.error('Set SVC_ADMIN_KEY to a key with the permission admin.');
    process.exit(2);
  }
  return new AdminClient(url, key);
}
