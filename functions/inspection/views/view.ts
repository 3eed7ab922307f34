/**
 * The text that a pattern matches. `exact`: without invisible characters, with compatibility forms and escapes resolved, case kept. `folded`: the
 * same in lower case, with look-alike letters and accents folded to plain ASCII letters; letters in its patterns are folded the same way,
 * so write them as the language does, in lower case. `raw`: as sent; a rule for it must need a character outside ASCII, since it never
 * receives text that is all ASCII.
 */
export type View = (typeof VIEWS)[number];
export const VIEWS = ['raw', 'exact', 'folded'] as const;
