export type Cell = string | number | boolean | null | undefined;

/** Control characters in names that callers chose must not reach a terminal. */
const STEERING = /[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * Output of a command: tables, or with --json one JSON object a line, on standard output. Messages go to standard error, so that
 * standard output contains only a new secret.
 */
export class Output {
  readonly json: boolean;
  private readonly stdout: (line: string) => void;
  private readonly stderr: (line: string) => void;

  constructor(json: boolean, stdout: (line: string) => void, stderr: (line: string) => void) {
    this.json = json;
    this.stdout = stdout;
    this.stderr = stderr;
  }

  /** A table with a row for each thing, or JSON lines. */
  list<T>(things: readonly T[], columns: Readonly<Record<string, (thing: T) => Cell>>): void {
    if (this.json) {
      this.objects(things);
      return;
    }
    const rows = things.map((thing) => Object.values(columns).map((cell) => shown(cell(thing))));
    const table = [Object.keys(columns), ...rows];
    const widths = Object.keys(columns).map((_, at) => Math.max(...table.map((row) => (row[at] ?? '').length)));
    for (const row of table)
      this.stdout(
        row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd(),
      );
    if (things.length === 0) this.stderr('None.');
  }

  /** One thing, with a line for each member, or as JSON. */
  thing(thing: object): void {
    if (this.json) {
      this.objects([thing]);
      return;
    }
    const members = Object.entries(thing).filter(([name]) => name !== 'object');
    const width = Math.max(0, ...members.map(([name]) => name.length));
    for (const [name, value] of members) this.stdout(`${shown(name).padEnd(width)}  ${shown(value)}`);
  }

  /** A line of the result; omitted with --json. */
  line(text: string): void {
    if (!this.json) this.stdout(clean(text));
  }

  /** JSON lines, with or without --json. */
  objects(things: readonly unknown[]): void {
    for (const thing of things) this.stdout(JSON.stringify(thing));
  }

  /** A new secret, or with --json the whole created object. */
  secret(secret: string, thing: object, words: string): void {
    this.say(words);
    if (this.json) this.objects([thing]);
    else this.stdout(secret);
  }

  /** A message on standard error. */
  say(text: string): void {
    this.stderr(clean(text));
  }
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  return clean(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function clean(text: string): string {
  return text.replace(STEERING, '\ufffd');
}
