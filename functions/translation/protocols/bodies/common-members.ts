import type { DeclaredTools, Skipped } from '../../../kernel/model/index.ts';
import { readDeclaredTools } from './declared-tools.ts';
import { keepsState } from './named-ids.ts';
import { encodedPrompts } from './prompts.ts';

/** What the members of a parsed body mean that some server of any API reads. */
interface CommonMembers {
  /** Whether the body asks the provider to keep the exchange. */
  readonly keepsState: boolean;
  /** The members that hold a prompt which cannot be read. */
  readonly encodedPrompts: readonly Skipped[];
  /** Reads the definitions of tools. */
  readonly declaredTools: () => DeclaredTools;
}

export function readCommonMembers(value: unknown): CommonMembers {
  return {
    keepsState: keepsState(value),
    encodedPrompts: encodedPrompts(value),
    declaredTools: () => readDeclaredTools(value),
  };
}
