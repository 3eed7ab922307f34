import type { ToolEffect } from '../../kernel/model/index.ts';
import {
  type CallWords,
  DeclaredTools,
  type EarlierValues,
  type MessageReader,
  type ToolMeaning,
} from '../tool-calls/index.ts';
import { type ComparedValue, compared } from './compared-value.ts';
import { ResultFields } from './result-fields.ts';
import { OthersTexts, SystemText, WrittenText } from './written-text.ts';

/** A user who begins so short a reply with such a word agrees to the question before it. */
const SHORT_REPLY = 40;
const AGREEING = new Set(
  'yes yep yeah ok okay sure please go do ja jawohl gerne oui si sí sì sim claro tak dobrze jasne да хорошо давай evet 好 好的 是 是的 可以 はい うん 네 예 نعم हाँ हां'.split(
    ' ',
  ),
);
const FIRST_WORD = /[\p{L}\p{M}]+/u;
const LONGEST_QUESTION = 1000;
const QUESTION = /[?？؟\u037e]$/;
const SENTENCE_BORDERS = /[.!?]\s|[\n。！？؟]/g;

/** A text of a conversation. `madeBy`: the arguments of the call of a result. */
type Said = NonNullable<ReturnType<MessageReader['read']>['turn']> & { readonly madeBy?: readonly string[] };

/** What was said and done before a call, by whom, as the rules of a policy compare it. */
export class Transcript {
  /** What the user wrote, without what they pasted. */
  readonly user: WrittenText;
  readonly system: SystemText;
  readonly fields = new ResultFields();
  private readonly others: OthersTexts;
  /** Tools that were called, and tools that returned a result; an empty name if it is not known. */
  readonly called = new Set<string>();
  readonly returned = new Set<string>();
  private readonly tools: DeclaredTools;
  private readonly words: CallWords;
  private readonly meanings = new Map<string, ToolMeaning>();
  private lastAuthor: Said['author'] | undefined;
  private assistant = '';
  private latest: { readonly said: WrittenText; text: string; deeds?: number } | undefined;

  /** @param earlier what the session first had from third parties; undefined if that is not known */
  constructor(tools: ConstructorParameters<typeof DeclaredTools>[0], words: CallWords, earlier?: EarlierValues) {
    this.tools = new DeclaredTools(tools);
    this.words = words;
    this.others = new OthersTexts(this.fields, words, earlier);
    this.user = new WrittenText(words, this.others);
    this.system = new SystemText(this.others);
  }

  add({ author, text, tool = '', madeBy = [] }: Said): void {
    if (author === 'tool') {
      const name = this.toolOf(tool);
      this.returned.add(name);
      this.fields.add(name, text, madeBy);
      this.others.add(text);
    } else if (author === 'assistant') {
      this.assistant = text;
      this.others.addAssistant(text);
    } else if (author === 'system') this.system.add(text);
    else {
      const { own, pasted } = this.words.splitUserText(text);
      for (const document of pasted) this.others.add(document);
      this.addUser(own);
    }
    this.lastAuthor = author;
  }

  addCall({ tool }: { readonly tool: string }): void {
    this.called.add(this.toolOf(tool));
    this.lastAuthor = 'assistant';
  }

  private addUser(own: string): void {
    this.user.add(own);
    if (this.lastAuthor !== 'user' || this.latest === undefined)
      this.latest = { said: new WrittenText(this.words, this.others), text: '' };
    const question = agrees(own) ? questionOf(this.assistant) : '';
    this.latest.said.add(own);
    this.latest.said.adopt(question);
    this.latest.text += `\n${own}\n${question}`;
    delete this.latest.deeds;
  }

  /** The name of the declared tool that a call of this name may run; the same name if there is none. */
  toolOf(name: string): string {
    return this.tools.nameOf(name);
  }

  /** What a tool does, by its name and declaration. */
  effectOf(name: string): ToolEffect {
    return this.meaningOf(name).effect;
  }

  /** Whether the user's latest message, or the question that it replies to, names what a tool does. */
  asksFor(name: string): boolean {
    const { latest } = this;
    if (latest === undefined) return false;
    latest.deeds ??= this.words.deedsIn(latest.text);
    return (latest.deeds & this.meaningOf(name).deeds) !== 0 || this.names(compared(name));
  }

  /** Whether that message has the value. */
  names(value: ComparedValue): boolean {
    return this.latest?.said.has(value) ?? false;
  }

  private meaningOf(name: string): ToolMeaning {
    let meaning = this.meanings.get(name);
    if (meaning === undefined) {
      meaning = this.words.meaningOf(this.tools.get(name));
      this.meanings.set(name, meaning);
    }
    return meaning;
  }
}

function agrees(reply: string): boolean {
  const [first = ''] = FIRST_WORD.exec(reply) ?? [];
  return reply.length <= SHORT_REPLY && AGREEING.has(first.toLowerCase());
}

/** The question with which a text ends; empty if it ends with none. */
function questionOf(text: string): string {
  const end = text.slice(-LONGEST_QUESTION).trim();
  if (!QUESTION.test(end)) return '';
  const border = [...end.slice(0, -1).matchAll(SENTENCE_BORDERS)].at(-1);
  return end.slice(border === undefined ? 0 : border.index + 1);
}
