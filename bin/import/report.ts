import type { ConfigFile } from '../admin/config-file.ts';

/** How far one thing of the source came: changed on the way, or left out. */
export type Outcome = 'adjusted' | 'not imported';

export interface Note {
  readonly outcome: Outcome;
  /** Paths in the source, without values. */
  readonly places: readonly string[];
  readonly reason: string;
}

export interface Imported {
  /** For `plan` and `apply`. */
  readonly file: Partial<ConfigFile>;
  readonly notes: readonly Note[];
  /** What a person does before `apply`. */
  readonly steps: readonly string[];
}

/** What a person must know of an import, and do before it is applied. Places and reasons never contain a value of the source that may be a secret. */
export class Report {
  private readonly byReason = new Map<string, { outcome: Outcome; places: string[]; reason: string }>();
  private readonly toDo = new Set<string>();

  adjusted(place: string, reason: string): void {
    this.add('adjusted', place, reason);
  }

  skipped(place: string, reason: string): void {
    this.add('not imported', place, reason);
  }

  /** A step before `apply`, once however often it is asked for. */
  step(text: string): void {
    this.toDo.add(text);
  }

  get notes(): readonly Note[] {
    return [...this.byReason.values()];
  }

  get steps(): readonly string[] {
    return [...this.toDo];
  }

  private add(outcome: Outcome, place: string, reason: string): void {
    const key = `${outcome} ${reason}`;
    const note = this.byReason.get(key) ?? { outcome, places: [], reason };
    note.places.push(place);
    this.byReason.set(key, note);
  }
}
