import { toSentenceGrammar } from '../own/languages/written-grammar.ts';
import type { SentenceGrammar } from '../own/sentence-grammar.ts';
import { ORDINARY } from './languages/ordinary.ts';

/** What is asked for in one language, between bars: wishes that would do harm, and the same forms and words where they do none. */
export interface WrittenWishes {
  /** BCP-47. */
  readonly lang: string;
  /** How one asks for a way, `{act}` standing for what is to be done. */
  readonly ask: string;
  /** What is to be done, in the form that `ask` takes: what harms, and what does not. */
  readonly act: string;
  readonly fine: string;
  /** Who suffers it: `{person}` in acts. */
  readonly person: string;
  /** How one asks for a text, `{text}` standing for which: what harms, and what does not. */
  readonly write: string;
  readonly text: string;
  readonly fineText: string;
  /** Whole sentences: wishes that harm, and what is asked or told with the same words. */
  readonly claim: string;
  readonly say: string;
}

/** The wishes as a grammar. */
export function toWishGrammar({ lang, ask, write, claim, say, ...lists }: WrittenWishes): SentenceGrammar {
  return toSentenceGrammar({
    lang,
    slots: {
      ...lists,
      claim,
      say: `${say} | ${ORDINARY[lang] ?? ''}`,
      ask,
      askFine: ask.replaceAll('{act}', '{fine}'),
      write,
      writeFine: write.replaceAll('{text}', '{fineText}'),
    },
    attacks: ['{ask}', '{ask}', '{ask}', '{ask}', '{write}', '{write}', '{claim}'].join('\n'),
    harmless: [
      '{askFine}',
      '{askFine}',
      '{askFine}',
      '{writeFine}',
      '{say}',
      '{say}',
      '{say}',
      '{say}',
      '{person} {say}',
      '{say} {person}',
    ].join('\n'),
  });
}
