import type { Steps } from '../../kernel/tasks/index.ts';
import { fold, indexOfWhole } from './folded.ts';
import { digestAfter, type ParsedSource, SOURCE_CACHE, type SourcePart } from './parsed-source.ts';
import { type DeclaredTool, meaningOf, type ToolMeaning } from './tool-meaning.ts';
import { splitUserText } from './user-text.ts';

/** A text of a conversation, in order. `tool`: a result. */
export interface Turn {
  readonly author: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** Index of its message in the request. */
  readonly message: number;
  /** The tool of a result. */
  readonly tool?: string | undefined;
}

/** An earlier call of the assistant. */
export interface EarlierCall {
  readonly tool: string;
  readonly arguments: unknown;
}

/** A text by a third party: a tool result, or a document in a message of the user. */
export interface Source {
  /** Its place among all turns and calls. */
  readonly at: number;
  readonly message: number;
  readonly tool: string | undefined;
  readonly text: string;
  /** Of the text and all before it. */
  readonly digest: string;
}

/** Where a value occurs in a source. */
export interface Place {
  readonly source: Source;
  readonly part: SourcePart;
  /** Offset in the folded part. */
  readonly at: number;
}

/** A user who replies with so few letters agrees to what the assistant has just said, or chooses from it. */
const SHORT_REPLY = 40;
/** A longer result is taken as several texts without structure, so that no step takes long. */
const LONGEST_SOURCE = 128 * 1024;

export function pack(folded: string): string {
  return folded.replace(/[\s\\'"-]+/g, '');
}

/** What was said by whom before a call, as calls are compared with it. */
export class Conversation {
  /** What the operator and the user wrote. */
  trusted = '';
  /** What the user wrote last. */
  latest = '';
  /** The place of the user's last message. */
  latestAt = -1;
  readonly sources: Source[] = [];
  readonly calls: { readonly at: number; readonly folded: string }[] = [];
  private readonly tools: ReadonlyMap<string, DeclaredTool>;
  private readonly parsed = new Map<Source, ParsedSource>();
  private hasUser = false;
  private assistant = '';
  private digest = '';
  private length = 0;

  constructor(tools: readonly DeclaredTool[]) {
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /** A tool by its name; one that was not declared is known by its name only. */
  tool(name: string): DeclaredTool & { readonly meaning: ToolMeaning } {
    const tool = this.tools.get(name) ?? { name };
    return { ...tool, meaning: meaningOf(tool) };
  }

  add({ author, text, message, tool }: Turn): void {
    const at = this.length++;
    this.digest = digestAfter(this.digest, author, text);
    if (author === 'tool') this.addSource(at, message, tool, text);
    else if (author === 'assistant') this.assistant = text;
    else if (author === 'system') this.trusted += `\n${fold(text)}`;
    else this.addUser(text, at, message);
  }

  addCall(call: EarlierCall): void {
    const { arguments: args } = call;
    this.calls.push({
      at: this.length++,
      folded: fold(typeof args === 'string' ? args : JSON.stringify(args ?? null)),
    });
  }

  private addUser(text: string, at: number, message: number): void {
    const { own, pasted } = splitUserText(text);
    const written = fold(own);
    const isReply = this.hasUser && written.length <= SHORT_REPLY;
    this.hasUser = true;
    this.latest = isReply ? `${written}\n${fold(this.assistant)}` : written;
    this.latestAt = at;
    this.trusted += `\n${this.latest}`;
    for (const document of pasted) this.addSource(this.length++, message, undefined, document);
  }

  private addSource(at: number, message: number, tool: string | undefined, whole: string): void {
    for (let from = 0; from < whole.length; from += LONGEST_SOURCE) {
      const text = whole.slice(from, from + LONGEST_SOURCE);
      this.sources.push({ at, message, tool, text, digest: `${this.digest} ${this.sources.length}` });
    }
  }

  /** Reads all that calls are compared with, so that scoring them takes little time. */
  *readSteps(): Steps<void> {
    for (const source of this.sources) {
      this.read(source);
      yield;
    }
  }

  read(source: Source): ParsedSource {
    const known = this.parsed.get(source);
    if (known !== undefined) return known;
    const parsed = SOURCE_CACHE.read(source.digest, source.text);
    this.parsed.set(source, parsed);
    return parsed;
  }

  /** Third parties' texts since the user's last message. */
  recent(): ParsedSource[] {
    return this.sources.filter(({ at }) => at >= this.latestAt).map((source) => this.read(source));
  }

  /** Whether third parties' fields, or their prose, contain a text. */
  has(form: 'fields' | 'prose', text: string): boolean {
    return this.sources.some((source) => this.read(source)[form].text.includes(text));
  }

  /** Where third parties' prose has a value by its letters and digits only. */
  spelledPlacesOf(letters: string): Place[] {
    return this.sources.toReversed().flatMap((source) => {
      const found = this.read(source).prose.findSpelled(letters);
      return found === undefined ? [] : [{ source, ...found }];
    });
  }

  /** Where one of these forms occurs in third parties' texts, the latest first. */
  placesOf(forms: readonly string[], mayBePart: boolean): Place[] {
    const places: Place[] = [];
    for (const source of this.sources.toReversed()) {
      const { fields, prose } = this.read(source);
      const seen = new Set<SourcePart>();
      for (const texts of [fields, prose])
        for (const form of forms)
          for (const { part, at } of texts.find(form, mayBePart))
            if (!seen.has(part)) {
              seen.add(part);
              places.push({ source, part, at });
            }
    }
    return places;
  }
}

/** The offset of the first of these forms that a text contains, or -1. `mayBePart`: within a word too. */
export function firstOf(text: string, forms: readonly string[], mayBePart: boolean): number {
  for (const form of forms) {
    const at = mayBePart ? text.indexOf(form) : indexOfWhole(text, form);
    if (at >= 0) return at;
  }
  return -1;
}
