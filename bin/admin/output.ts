export type Cell = string | number | boolean | null | undefined;

/** What somebody else chose (names, models) must not steer a terminal. */
const STEERING = /[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * What a command tells. For people tables on standard output; for scripts one JSON object a line there. Words about what was
 * done go to standard error, so that a new secret stands alone on standard output.
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

  /** Rows of one thing each; as JSON the things themselves. */
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

  /** One thing, a line a member. */
  thing(thing: object): void {
    if (this.json) {
      this.objects([thing]);
      return;
    }
    const members = Object.entries(thing).filter(([name]) => name !== 'object');
    const width = Math.max(0, ...members.map(([name]) => name.length));
    for (const [name, value] of members) this.stdout(`${shown(name).padEnd(width)}  ${shown(value)}`);
  }

  /** A line for people that a command's result stands in. */
  line(text: string): void {
    if (!this.json) this.stdout(clean(text));
  }

  /** JSON lines, also where people read. */
  objects(things: readonly unknown[]): void {
    for (const thing of things) this.stdout(JSON.stringify(thing));
  }

  /** What was made, with a secret that is shown this once: alone on standard output, or the whole thing as JSON. */
  secret(secret: string, thing: object, words: string): void {
    this.say(words);
    if (this.json) this.objects([thing]);
    else this.stdout(secret);
  }

  /** To whoever watches, not to what reads. */
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
