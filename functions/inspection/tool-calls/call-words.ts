import type { ToolMeaning } from './tool-meaning.ts';
import type { UserText } from './user-text.ts';

/** What tools are for, and what a user wrote, by words of many languages. */
export interface CallWords {
  meaningOf(tool: {
    readonly name: string;
    readonly description?: string | undefined;
    readonly parameters?: unknown;
  }): ToolMeaning;
  /** The groups of verbs by which a text asks for something, as in `ToolMeaning.deeds`. */
  deedsIn(text: string): number;
  /** The texts by which a session remembers a value. */
  rememberedAs(value: string): readonly string[];
  splitUserText(text: string): UserText;
  mayBeSummary(text: string): boolean;
  joinUserTexts(texts: readonly string[]): string;
}

/** Loads the words, which would make the start of a process longer. */
export async function loadCallWords(): Promise<CallWords> {
  const [{ meaningOf, deedsIn }, { rememberedTexts }, { splitUserText, joinUserTexts }, { mayBeSummary }] =
    await Promise.all([
      import('./tool-meaning.ts'),
      import('./earlier-values.ts'),
      import('./user-text.ts'),
      import('./summary.ts'),
    ]);
  return { meaningOf, deedsIn, rememberedAs: rememberedTexts, splitUserText, joinUserTexts, mayBeSummary };
}
