/** What the core reads of request headers; the web's `Headers` conform to it. */
export interface RequestHeaders {
  /** The value of a header by case-insensitive name; null if absent. */
  get(name: string): string | null;
}

/**
 * Headers that remember which of them were read: no other header can have changed what was done with the request.
 */
export class ReadHeaders implements RequestHeaders {
  private readonly headers: RequestHeaders;
  private readonly values = new Map<string, string>();

  constructor(headers: RequestHeaders) {
    this.headers = headers;
  }

  get(name: string): string | null {
    const value = this.headers.get(name);
    if (value !== null) this.values.set(name.toLowerCase(), value);
    return value;
  }

  /** The headers that were read and are present: lower-case names and values, sorted by name. */
  get read(): [string, string][] {
    return [...this.values].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

/** Headers from alternating names and values. Equal names are joined as in the web's `Headers`. */
export class HeaderList implements RequestHeaders {
  private readonly values = new Map<string, string>();

  constructor(namesAndValues: Iterable<readonly [string, string]>) {
    for (const [name, value] of namesAndValues) {
      const key = name.toLowerCase();
      const known = this.values.get(key);
      this.values.set(key, known === undefined ? value : `${known}, ${value}`);
    }
  }

  get(name: string): string | null {
    return this.values.get(name.toLowerCase()) ?? null;
  }
}
