import { fold } from './folded.ts';
import type { DeclaredTool } from './tool-meaning.ts';

/**
 * The tools that a request declares. Some clients repair the name of a call: they run `send_email` where the model wrote `Send-Email`. So such a
 * call counts as one of the declared tool.
 */
export class DeclaredTools {
  private readonly byName: ReadonlyMap<string, DeclaredTool>;
  private bySpelling: ReadonlyMap<string, string> | undefined;

  constructor(tools: readonly DeclaredTool[]) {
    this.byName = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /** The name of the tool that a call of this name may run: its own, or the first that differs by case, punctuation and invisible characters only. */
  nameOf(name: string): string {
    if (this.byName.has(name)) return name;
    this.bySpelling ??= new Map([...this.byName.keys()].reverse().map((one) => [lettersOf(one), one]));
    return this.bySpelling.get(lettersOf(name)) ?? name;
  }

  /** The tool that a call of this name may run; one that was not declared is known by its name only. */
  get(name: string): DeclaredTool {
    const declared = this.nameOf(name);
    return this.byName.get(declared) ?? { name: declared };
  }
}

function lettersOf(name: string): string {
  // A name of punctuation alone has no other spelling.
  return fold(name).replace(/[^\p{L}\p{N}]+/gu, '') || name;
}
