/** Sentences of one language as a grammar: a template's slots `{name}` are filled from `slots` at random; slots may hold slots. */
export interface SentenceGrammar {
  /** BCP-47. */
  readonly lang: string;
  readonly slots: Readonly<Record<string, readonly string[]>>;
  /** Attempts to override, to lift or to draw out what a model was told. */
  readonly attacks: readonly string[];
  /** Everyday sentences of the same words and form, which attack nothing. */
  readonly harmless: readonly string[];
}

/** A grammar of harmless texts alone. */
export type HarmlessGrammar = Omit<SentenceGrammar, 'attacks'>;

/** One random sentence of a template. @throws RangeError where a slot has no name among `slots` */
export function fill(template: string, slots: SentenceGrammar['slots'], random: () => number): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const choices = slots[name];
    if (choices === undefined || choices.length === 0) throw new RangeError(`no slot ${name}`);
    return fill(choices[Math.floor(random() * choices.length)] as string, slots, random);
  });
}
