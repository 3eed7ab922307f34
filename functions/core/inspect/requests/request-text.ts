import type { JsonPath } from '../../base/edits.ts';
import type { Surface } from '../../model/threat.ts';

/**
 * Whose words a text of a request is. `operator`: the prompts of the application; `definition`: its tools and answer
 * schemas, which may come from elsewhere (MCP); `assistant`: earlier answers of the model, as the caller sends them; `tool`: results and
 * documents, trusted least.
 */
export type Author = 'operator' | 'definition' | 'user' | 'assistant' | 'tool';

/** A text of a request that is inspected. */
export interface RequestText {
  readonly path: JsonPath;
  readonly text: string;
  /** Whose rules judge it. */
  readonly surface: Surface;
  readonly author: Author;
  /** Index of its message; null for text outside the messages. */
  readonly message: number | null;
  /** How often the assistant has answered since; 0 for the last turn and for text outside the messages. */
  readonly turnsAgo: number;
  /** A message's words themselves, not a name or an argument beside them. */
  readonly isContent: boolean;
  /**
   * The text is a name: of the member at `path`, or the string there by which a program calls something. Rules inspect it, joined
   * with the names around it (names.ts); it is never changed.
   */
  readonly name?: 'member' | 'value';
  /** Judged by itself alone, for a separate result. */
  readonly isApart?: true;
  /** A name that the API fixes or makes: one of its members, a role, a type, an id. */
  readonly isFixed?: true;
  /** Judged, and never changed: a model's reasoning, which its provider has signed. */
  readonly isReadOnly?: true;
  /** Of a document in the user's message. */
  readonly isDocument?: true;
  /** No model reads it: it can hold a value or a policy's own words, and no instruction. */
  readonly isUnread?: true;
  /** The text was read out of the file that the string at `path` carries; `rewrite` gives that string for a changed text. */
  readonly file?: { readonly rewrite: ((text: string) => string) | undefined };
  /** The text is JSON itself, as the arguments of a tool call are, and stays so whatever is changed in it. */
  readonly isJson?: true;
}

/** The texts of a request. */
export interface RequestTexts {
  readonly texts: readonly RequestText[];
  /** What holds no text that is read; a file among it may be read yet. */
  readonly skipped: readonly Skipped[];
}

/** A part of a request that holds no text, such as `messages[1].content[1]: image`. */
export interface Skipped {
  readonly path: JsonPath;
  readonly what: string;
}

/** By whose rules an author's words are judged. A caller can put anything into an assistant message: it is judged like a user's. */
export const SURFACES: Readonly<Record<Author, Surface>> = {
  operator: 'system',
  definition: 'tool',
  user: 'user',
  assistant: 'user',
  tool: 'tool',
};

/** Who is meant where a caller names the author of a single text. */
export const NAMED_AUTHORS = { user: 'user', tool: 'tool', system: 'operator' } as const satisfies Record<
  string,
  Author
>;

/** A text of a request that belongs to no message. */
export function outsideMessages(path: JsonPath, text: string, author: Author): RequestText {
  return { path, text, author, surface: SURFACES[author], message: null, turnsAgo: 0, isContent: false };
}

/**
 * For each message, how often the assistant has answered since: 0 for the last turn, which was not judged before. `roles`
 * are those of all messages in order. An assistant message at the very end belongs to the last turn: it opens the answer.
 */
export function turnsAgo(roles: readonly string[]): number[] {
  const ages: number[] = [];
  let age = 0;
  let later: string | undefined;
  for (let at = roles.length - 1; at >= 0; at--) {
    const role = roles[at] as string;
    if (role === 'assistant' && later !== undefined && later !== 'assistant') age += 1;
    ages[at] = age;
    later = role;
  }
  return ages;
}
