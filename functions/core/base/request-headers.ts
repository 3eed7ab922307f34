/** What the core reads of request headers; the web's `Headers` conform to it. */
export interface RequestHeaders {
  /** The value of a header by case-insensitive name; null if absent. */
  get(name: string): string | null;
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
