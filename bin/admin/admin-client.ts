const TIMEOUT_MS = 30_000;

/** The admin API did not do what it was asked for; the message is what it said, with the request's id. */
export class AdminApiError extends Error {
  /** Undefined where there was no answer. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

export interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
}

/** Calls the admin and analytics API of a deployment or of a local service. */
export class AdminClient {
  private readonly url: string;
  private readonly key: string;

  /** `url` ends in `/v1`. */
  constructor(url: string, key: string) {
    this.url = url.endsWith('/') ? url.slice(0, -1) : url;
    this.key = key;
  }

  /**
   * The JSON that the call is answered with; `path` goes on behind `/v1`. Throws AdminApiError for any other answer than 2xx,
   * and where there is none within 30 s. Nothing is tried twice: a key that was made must not be made again.
   */
  async call<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    const { status, text, requestId } = await this.send(method, path, body, headers);
    if (status >= 200 && status < 300) return jsonOf<T>(text);
    const told = `${method} ${path.split('?')[0]}: ${status} ${messageIn(text)}`;
    throw new AdminApiError(requestId === null ? told : `${told} (${requestId})`, status);
  }

  /** A page of a list; `query` may hold any of its parameters. */
  page<T>(path: string, query: Query, limit: number, cursor?: string | null): Promise<Page<T>> {
    return this.call('GET', withQuery(path, { ...query, limit, cursor: cursor ?? undefined }));
  }

  /** Every entry of a list, page by page, `atMost` where that is said. */
  async *list<T>(path: string, query: Query = {}, atMost = Number.POSITIVE_INFINITY): AsyncGenerator<T, void> {
    let left = atMost;
    let cursor: string | null = null;
    do {
      const page: Page<T> = await this.page(path, query, Math.min(100, left), cursor);
      yield* page.data;
      left -= page.data.length;
      cursor = page.nextCursor;
    } while (cursor !== null && left > 0);
  }

  /** The same, all of it at once. */
  async all<T>(path: string, query: Query = {}, atMost?: number): Promise<T[]> {
    const all: T[] = [];
    for await (const one of this.list<T>(path, query, atMost)) all.push(one);
    return all;
  }

  private async send(method: string, path: string, body: unknown, headers: Readonly<Record<string, string>>) {
    try {
      const response = await fetch(`${this.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        // Another address was not asked for, and must not get the key.
        redirect: 'manual',
      });
      const requestId = response.headers.get('x-request-id');
      return { status: response.status, text: await response.text(), requestId };
    } catch (error) {
      throw new AdminApiError(`${this.url} cannot be reached: ${reasonOf(error)}`);
    }
  }
}

export type Query = Readonly<Record<string, string | number | undefined>>;

/** The path with those parameters that have a value. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
  return cause?.code ?? cause?.message ?? message;
}

function jsonOf<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new AdminApiError('The answer is no JSON: is this the address of the admin API, with /v1 at its end?');
  }
}

function messageIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error: { message: string; param?: string | null } };
    return typeof error.param === 'string' ? `${error.message} (${error.param})` : error.message;
  } catch {
    return 'without a message';
  }
}
