import type { ToolMeaning } from './tool-meaning.ts';

/** What tools are for, by words of many languages. */
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
}

/** Loads the words, which would make the start of a process longer. */
export async function loadCallWords(): Promise<CallWords> {
  const [{ meaningOf, deedsIn }, { rememberedTexts }] = await Promise.all([
    import('./tool-meaning.ts'),
    import('./earlier-values.ts'),
  ]);
  return { meaningOf, deedsIn, rememberedAs: rememberedTexts };
}
