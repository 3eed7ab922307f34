import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

const ROOT = path.resolve(import.meta.dirname, '..');
const SLOT = /\{(\w+)\}/g;
/** The slot of a wrapper that takes the wrapped text. */
const PAYLOAD = 'payload';

export type Slots = Readonly<Record<string, readonly string[]>>;

/** Templates whose slots `{name}` are filled from `slots` at random; slots may contain slots. Other braces, as in JSON or LaTeX, are text. */
export interface Grammar {
  /** BCP-47; `mul` for several languages. */
  readonly lang: string;
  readonly slots: Slots;
  /** Attacks. */
  readonly attacks: readonly string[];
  /** Harmless texts with the same words and form. */
  readonly harmless: readonly string[];
  /** Frames that hide a text in a document; each contains `{payload}` once. */
  readonly wrappers: readonly string[];
}

/** Requests in one language: harmful ones, and harmless ones with the same forms and words. */
export type Wishes = Readonly<z.infer<typeof WISHES>>;

const LANG = z.string().regex(/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?$/, 'a language code of BCP-47, such as de or sr-Cyrl');
const PHRASES = z.array(z.string()).min(1);
const TEMPLATES = z.array(z.string().min(1)).min(1);
const SLOTS = z.record(z.string().regex(/^\w+$/, 'letters, digits and _ only'), PHRASES);

const GRAMMAR = z.strictObject({
  /** A description of the file for its readers. */
  about: z.string().optional(),
  lang: LANG,
  slots: SLOTS.default({}),
  attacks: TEMPLATES.default([]),
  harmless: TEMPLATES.default([]),
  wrappers: TEMPLATES.default([]),
});

const WISHES = z.strictObject({
  about: z.string().optional(),
  lang: LANG,
  /** How people ask for a way to do something, `{act}`. */
  ask: TEMPLATES,
  /** Acts in the form that `ask` takes: harmful and harmless. */
  act: TEMPLATES,
  fine: TEMPLATES,
  /** Victims: `{person}` in acts. */
  person: TEMPLATES,
  /** How people ask for a text, `{text}`. */
  write: TEMPLATES,
  /** Texts: harmful and harmless. */
  text: TEMPLATES,
  fineText: TEMPLATES,
  /** Complete sentences: harmful requests, and harmless ones with the same words. */
  claim: TEMPLATES,
  say: TEMPLATES,
  /** Everyday sentences: questions of fact, remarks, complaints, small talk. */
  ordinary: TEMPLATES,
});

/** For each folder with a file per language, the names without `.json`, in the order in which texts are made. */
const LANGUAGES = z.strictObject({ phrases: PHRASES, roles: PHRASES, wishes: PHRASES });

/** Reads and checks the data files of grammars. Each error names the file and the place in it. */
export class GrammarFolder {
  private readonly folder: string;
  private readonly read = new Set<string>();

  constructor(folder: string = path.join(ROOT, 'training/data')) {
    this.folder = folder;
  }

  /**
   * Returns the grammar of one or more files, in their order: slots merged, lists joined.
   * @param given slots from elsewhere that templates of these files may use
   */
  readGrammar(files: readonly string[], given: Slots = {}): Grammar {
    const parts = files.map((file) => ({ file, ...this.parse(file, GRAMMAR) }));
    const slots: Record<string, readonly string[]> = { ...given };
    for (const part of parts) {
      const twice = Object.keys(part.slots).find((name) => Object.hasOwn(slots, name));
      if (twice !== undefined) throw this.fault(part.file, `slots.${twice}: another file of this grammar has it too`);
      Object.assign(slots, part.slots);
    }
    const used = new Set(parts.flatMap(placesOf).flatMap(({ text }) => slotsOf(text)));
    for (const part of parts) {
      this.checkTemplates(part.file, part, slots);
      const unused = Object.keys(part.slots).find((name) => !used.has(name));
      if (unused !== undefined) throw this.fault(part.file, `slots.${unused}: no template uses it`);
    }
    const joined = (list: 'attacks' | 'harmless' | 'wrappers') => parts.flatMap((part) => part[list]);
    return {
      lang: parts[0]?.lang ?? 'und',
      slots,
      attacks: joined('attacks'),
      harmless: joined('harmless'),
      wrappers: joined('wrappers'),
    };
  }

  /** Returns the requests of one language. */
  readWishes(file: string): Wishes {
    const wishes = this.parse(file, WISHES);
    const { about: _, lang, ...slots } = wishes;
    this.checkTemplates(file, { lang, slots, attacks: [], harmless: [], wrappers: [] }, slots);
    return wishes;
  }

  /** Returns the files of each folder with one file for each language, in the order of `languages.json`. */
  readLanguages(): z.infer<typeof LANGUAGES> {
    const { phrases, roles, wishes } = this.parse('languages', LANGUAGES);
    const inFolder = (folder: string, names: readonly string[]) => names.map((name) => `${folder}/${name}`);
    return {
      phrases: inFolder('phrases', phrases),
      roles: inFolder('roles', roles),
      wishes: inFolder('wishes', wishes),
    };
  }

  /** @throws Error if a file of the folder was not read: its texts would be missing from every corpus */
  checkAllRead(): void {
    const files = readdirSync(this.folder, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll(path.sep, '/'))
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -'.json'.length));
    const unread = files.find((file) => !this.read.has(file));
    if (unread !== undefined)
      throw this.fault(unread, 'no corpus uses this file; list it in languages.json or own-grammars.ts');
  }

  private parse<T extends z.ZodType>(file: string, schema: T): z.infer<T> {
    this.read.add(file);
    let json: unknown;
    try {
      json = JSON.parse(readFileSync(path.join(this.folder, `${file}.json`), 'utf8'));
    } catch (error) {
      throw this.fault(file, (error as Error).message);
    }
    const result = schema.safeParse(json);
    if (result.success) return result.data;
    throw this.fault(
      file,
      ...result.error.issues.map(({ path: at, message }) =>
        at.length === 0 ? message : `${at.join('.')}: ${message}`,
      ),
    );
  }

  private checkTemplates(file: string, part: Grammar, slots: Slots): void {
    for (const { list, place, text } of placesOf(part)) {
      const names = slotsOf(text);
      const isWrapper = list === 'wrappers';
      if (isWrapper && names.filter((name) => name === PAYLOAD).length !== 1)
        throw this.fault(file, `${place}: must hold {${PAYLOAD}} once: ${text}`);
      const missing = names.find((name) => !Object.hasOwn(slots, name) && !(isWrapper && name === PAYLOAD));
      if (missing !== undefined) throw this.fault(file, `${place}: no slot {${missing}}: ${text}`);
    }
    const circle = findCircle(slots);
    if (circle !== undefined) throw this.fault(file, `slots.${circle}: leads back to itself`);
  }

  private fault(file: string, ...problems: readonly string[]): Error {
    const shown = path.relative(ROOT, path.join(this.folder, `${file}.json`));
    return new Error(problems.map((problem) => `${shown}: ${problem}`).join('\n'));
  }
}

/** Every phrase and template with its place in the file. */
function placesOf({ slots, attacks, harmless, wrappers }: Grammar): { list: string; place: string; text: string }[] {
  const ofSlots = Object.entries(slots).map(([name, phrases]) => [`slots.${name}`, phrases] as const);
  return [...ofSlots, ...Object.entries({ attacks, harmless, wrappers })].flatMap(([list, texts]) =>
    texts.map((text, at) => ({ list, place: `${list}.${at}`, text })),
  );
}

function slotsOf(text: string): string[] {
  return Array.from(text.matchAll(SLOT), ([, name]) => name as string);
}

/** The first slot that contains itself, directly or through others. */
function findCircle(slots: Slots): string | undefined {
  const state = new Map<string, 'open' | 'done'>();
  const visit = (name: string): string | undefined => {
    if (state.has(name)) return state.get(name) === 'open' ? name : undefined;
    state.set(name, 'open');
    const inner = new Set((slots[name] ?? []).flatMap(slotsOf));
    const circle = [...inner].map(visit).find((found) => found !== undefined);
    state.set(name, 'done');
    return circle;
  };
  return Object.keys(slots)
    .map(visit)
    .find((found) => found !== undefined);
}

/** Returns a random text of a template. @throws RangeError if `slots` has no entry for a slot */
export function fill(template: string, slots: Slots, random: () => number): string {
  return template.replace(SLOT, (_, name: string) => {
    const choices = slots[name];
    if (choices === undefined || choices.length === 0) throw new RangeError(`no slot ${name}`);
    return fill(choices[Math.floor(random() * choices.length)] as string, slots, random);
  });
}
