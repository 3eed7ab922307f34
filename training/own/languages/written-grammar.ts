import type { SentenceGrammar } from '../sentence-grammar.ts';

/** A grammar as people write it down: the values of a slot between bars, each template on a line of its own. */
export interface WrittenGrammar {
  /** BCP-47. */
  readonly lang: string;
  readonly slots: Readonly<Record<string, string>>;
  readonly attacks: string;
  readonly harmless: string;
}

/** The same grammar with its lists taken apart; blank values and lines do not count. */
export function toSentenceGrammar({ lang, slots, attacks, harmless }: WrittenGrammar): SentenceGrammar {
  return {
    lang,
    slots: Object.fromEntries(Object.entries(slots).map(([name, values]) => [name, parts(values, '|')])),
    attacks: parts(attacks, '\n'),
    harmless: parts(harmless, '\n'),
  };
}

function parts(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
