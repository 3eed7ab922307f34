/** What is noted of a request while it is read into the gateway's own model. */
export interface Notes {
  /** What other APIs have no place for, by the caller's names. */
  readonly untranslatable: string[];
  /** What the caller calls what stands in the model under a chat completion's name. */
  readonly callersNames: Record<string, string>;
}

interface Known {
  readonly known: ReadonlySet<string>;
  /** Values that can be left out, since they say what holds without them. */
  readonly defaults?: Readonly<Record<string, (value: unknown) => boolean>>;
}

/** Notes the members of the object at `path` that are not known, and say something. */
export function noteRest(object: object, path: string, { known, defaults = {} }: Known, notes: Notes): void {
  for (const [name, value] of Object.entries(object)) {
    if (known.has(name) || value == null) continue;
    if (Object.hasOwn(defaults, name) && defaults[name]?.(value)) continue;
    notes.untranslatable.push(path === '' ? name : `${path}.${name}`);
  }
}
