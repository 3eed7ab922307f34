import type { ToolMeaning } from './tool-meaning.ts';
import type { UserText } from './user-text.ts';

/** What tools are for, and what a user wrote, by words of many languages. */
export interface CallWords {
  meaningOf(tool: {
    readonly name: string;
    readonly description?: string | undefined;
    readonly parameters?: unknown;
  }): ToolMeaning;
  /** The groups of verbs in a text, as in `ToolMeaning`. */
  verbsIn(text: string): number;
  splitUserText(text: string): UserText;
}

/** Loads the words, which would make the start of a process longer. */
export async function loadCallWords(): Promise<CallWords> {
  const [{ meaningOf }, { VERBS }, { fold }, { splitUserText }] = await Promise.all([
    import('./tool-meaning.ts'),
    import('./word-groups.ts'),
    import('./folded.ts'),
    import('./user-text.ts'),
  ]);
  return { meaningOf, verbsIn: (text) => VERBS.in(fold(text)), splitUserText };
}
