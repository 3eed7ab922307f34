/** What the core reads of a request's headers; the web's own `Headers` are such. */
export interface RequestHeaders {
  /** The value of a header, whatever the case of its name; null where it is absent. */
  get(name: string): string | null;
}

/** Headers as an entry has them: names and values in turn. Those of one name are joined, as the web's `Headers` do it. */
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
