import type { Steps } from '../../kernel/tasks/index.ts';
import { asksOrRefuses } from '../../kernel/words/index.ts';
import { DeclaredTools } from './declared-tools.ts';
import { fold, indexOfWhole } from './folded.ts';
import { digestAfter, type ParsedSource, SOURCE_CACHE, type SourcePart } from './parsed-source.ts';
import { mayBeSummary, splitByValues } from './summary.ts';
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
  /** Whether it repeats an earlier turn that is not in the request: all of it is prose. */
  readonly isRepeated: boolean;
  /** Of the text and all before it. */
  readonly digest: string;
}

/** A value of a third party in an earlier turn, as it may be written. */
export interface RememberedValue {
  readonly forms: readonly string[];
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
  /** The same, empty if it may be a client's summary of earlier turns, or makes no value the user's. */
  typed = '';
  /** The place of the user's last message. */
  latestAt = -1;
  readonly sources: Source[] = [];
  readonly calls: { readonly at: number; readonly folded: string }[] = [];
  private readonly tools: DeclaredTools;
  private readonly earlier: readonly RememberedValue[];
  private readonly parsed = new Map<Source, ParsedSource>();
  /** Messages of the user and the operator that may be summaries, folded. */
  private readonly summaries: string[] = [];
  private hasUser = false;
  private assistant = '';
  private digest = '';
  private length = 0;

  /**
   * @param earlier values that the session first had from third parties: a summary does not make them the user's
   * @param listed what the operator wrote beside the conversation
   */
  constructor(
    tools: readonly DeclaredTool[],
    earlier: readonly RememberedValue[] = [],
    listed: readonly string[] = [],
  ) {
    this.tools = new DeclaredTools(tools);
    this.earlier = earlier;
    this.trusted = fold(listed.join('\n'));
  }

  /** A tool by its name; one that was not declared is known by its name only. */
  tool(name: string): DeclaredTool & { readonly meaning: ToolMeaning } {
    const tool = this.tools.get(name);
    return { ...tool, meaning: meaningOf(tool) };
  }

  add({ author, text, message, tool }: Turn): void {
    const at = this.length++;
    this.digest = digestAfter(this.digest, author, text);
    if (author === 'tool') this.addSource(at, message, tool, text);
    else if (author === 'assistant') this.assistant = text;
    else if (author === 'system') this.trusted += `\n${this.withoutRepeated(text, message)}`;
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
    const written = this.withoutRepeated(own, message);
    const isReply = this.hasUser && fold(own).length <= SHORT_REPLY;
    this.hasUser = true;
    this.latest = isReply ? `${written}\n${fold(this.assistant)}` : written;
    this.typed = mayBeSummary(own) || asksOrRefuses(own) ? '' : this.latest;
    this.latestAt = at;
    this.trusted += `\n${this.latest}`;
    for (const document of pasted) this.addSource(this.length++, message, undefined, document);
  }

  /** What of a text is the writer's, folded. Sentences that repeat a third party's earlier turn become a source. */
  private withoutRepeated(text: string, message: number): string {
    const folded = fold(text);
    if (!mayBeSummary(text)) return folded;
    this.summaries.push(folded);
    const values = this.earlier.filter(
      ({ forms }) => firstOf(folded, forms, true) >= 0 && this.placesOf(forms, true).length === 0,
    );
    if (values.length === 0) return folded;
    const { rest, having } = splitByValues(text, values);
    this.addSource(this.length++, message, undefined, having, true);
    return fold(rest);
  }

  private addSource(at: number, message: number, tool: string | undefined, whole: string, isRepeated = false): void {
    for (let from = 0; from < whole.length; from += LONGEST_SOURCE) {
      const text = whole.slice(from, from + LONGEST_SOURCE);
      const place = `${this.digest} ${this.sources.length}`;
      // Which sentences are repeated depends on the values too.
      const digest = isRepeated ? digestAfter(place, text) : place;
      this.sources.push({ at, message, tool, text, isRepeated, digest });
    }
  }

  /** Reads all that calls are compared with, so that scoring them takes little time. */
  *readSteps(): Steps<void> {
    for (const source of this.sources) {
      this.read(source);
      yield;
    }
  }

  /** Whether a message that may be a summary has a value. */
  isInSummary({ forms }: RememberedValue): boolean {
    return this.summaries.some((text) => firstOf(text, forms, true) >= 0);
  }

  read(source: Source): ParsedSource {
    const known = this.parsed.get(source);
    if (known !== undefined) return known;
    const parsed = SOURCE_CACHE.read(source.digest, source.text, source.isRepeated);
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

  /** The same in fields only, or in prose only, found one by one: a part comes once for each form. */
  *eachPlaceOf(forms: readonly string[], mayBePart: boolean, as: 'fields' | 'prose'): Generator<Place> {
    for (const source of this.sources.toReversed())
      for (const form of forms)
        for (const place of this.read(source)[as].find(form, mayBePart)) yield { source, ...place };
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
