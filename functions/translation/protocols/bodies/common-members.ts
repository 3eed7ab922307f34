import type { JsonEdit } from '../../../kernel/json/index.ts';
import type { DeclaredTools, Skipped } from '../../../kernel/model/index.ts';
import { readDeclaredTools } from './declared-tools.ts';
import { type HostedTool, readHostedTools, withoutTools } from './hosted-tools.ts';
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
  /** Reads the tools that the provider executes. */
  readonly hostedTools: () => readonly HostedTool[];
  /** The edits that take tools out. */
  readonly withoutTools: (removed: readonly HostedTool[]) => readonly JsonEdit[];
}

export function readCommonMembers(value: unknown): CommonMembers {
  return {
    keepsState: keepsState(value),
    encodedPrompts: encodedPrompts(value),
    declaredTools: () => readDeclaredTools(value),
    hostedTools: () => readHostedTools(value),
    withoutTools: (removed) => withoutTools(value, removed),
  };
}
