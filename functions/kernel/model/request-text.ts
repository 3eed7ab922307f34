import type { JsonPath } from '../json/index.ts';
import type { Surface } from './threat.ts';

const MAX_NAME_CHARS = 64;
const SPACE = /\s/;

/**
 * The author of a request's text. `operator`: the prompts of the application; `definition`: its tools and response schemas, which may
 * come from third parties (MCP); `assistant`: earlier responses of the model, as the caller sends them; `tool`: results and documents, the
 * least trusted.
 */
export type Author = 'operator' | 'definition' | 'user' | 'assistant' | 'tool';

/** A text of a request that is inspected. */
export interface RequestText {
  readonly path: JsonPath;
  readonly text: string;
  /** The surface whose rules inspect it. */
  readonly surface: Surface;
  readonly author: Author;
  /** Index of its message; null for text outside the messages. */
  readonly message: number | null;
  /** The number of assistant turns since; 0 for the last turn and for text outside the messages. */
  readonly turnsAgo: number;
  /** Whether it is the text of a message rather than a name or an argument. */
  readonly isContent: boolean;
  /**
   * The text is a name: of the member at `path`, or a string that programs use as a name. Rules inspect it joined with the names around it
   * (name-texts.ts); it is never changed.
   */
  readonly name?: 'member' | 'value';
  /** Inspected by itself only, for a separate result. */
  readonly isApart?: true;
  /** A name that the API defines or generates: a member name, a role, a type, an id. */
  readonly isFixed?: true;
  /** Inspected but never changed: a model's reasoning, which its provider has signed. */
  readonly isReadOnly?: true;
  /** Text of a document in the user's message. */
  readonly isDocument?: true;
  /** No model reads it: it may contain a value or match a custom rule, but no instruction. */
  readonly isUnread?: true;
  /** The text was extracted from the file in the string at `path`; `rewrite` returns that string for a changed text. */
  readonly file?: { readonly rewrite: ((text: string) => string) | undefined };
  /** The text is JSON, like the arguments of a tool call, and stays valid JSON when it is changed. */
  readonly isJson?: true;
}

/** The texts of a request. */
export interface RequestTexts {
  readonly texts: readonly RequestText[];
  /** Parts without text to inspect; files among them may still be read. */
  readonly skipped: readonly Skipped[];
}

/** A part of a request without text, such as `messages[1].content[1]: image`. */
export interface Skipped {
  readonly path: JsonPath;
  readonly what: string;
}

/** The surface for each author. A caller can put anything into an assistant message: it is inspected like a user's. */
export const SURFACE_OF: Readonly<Record<Author, Surface>> = {
  operator: 'system',
  definition: 'tool',
  user: 'user',
  assistant: 'user',
  tool: 'tool',
};

/** Authors by the names that callers use for the author of a single text. */
export const NAMED_AUTHORS = { user: 'user', tool: 'tool', system: 'operator' } as const satisfies Record<
  string,
  Author
>;

/** A text of a request outside the messages. */
export function outsideMessages(path: JsonPath, text: string, author: Author): RequestText {
  return { path, text, author, surface: SURFACE_OF[author], message: null, turnsAgo: 0, isContent: false };
}

/**
 * For each message, the number of assistant turns since: 0 for the last turn, which was not inspected before. `roles` are those of all
 * messages in order. A final assistant message belongs to the last turn: it is the start of the response.
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

/** Whether a name is text: names in programs contain no space and are shorter. */
export function isProse(name: string): boolean {
  return name.length > MAX_NAME_CHARS || SPACE.test(name);
}
