import type { ChatMessage, ToolCall } from '../../kernel/model/index.ts';
import type { CallWords } from './call-words.ts';
import type { Turn } from './conversation.ts';
import { isLabelledResult } from './labelled-result.ts';

/**
 * Reads the messages of one conversation in order: a result gets the name of the tool that was called, or none if calls of several tools wait
 * for a result with this id.
 */
export class MessageReader {
  private readonly toolOf = new Map<string, string>();
  /** By id: the arguments of calls that wait for a result, or had the last one. */
  private readonly argumentsOf = new Map<string, readonly string[]>();
  /** Ids of calls without a result so far. */
  private readonly waiting = new Set<string>();

  private hasUser = false;
  private readonly words: Pick<CallWords, 'joinUserTexts'>;

  constructor(words: Pick<CallWords, 'joinUserTexts'>) {
    this.words = words;
  }

  /** What a message says, undefined if it has no text, and the calls that it makes after that. `madeBy`: the arguments of the call of a result. */
  read({ parts, role, toolCalls = [], toolCallId = '' }: ChatMessage): {
    readonly turn: Omit<Turn, 'message'> | undefined;
    readonly calls: readonly ToolCall[];
    readonly madeBy: readonly string[];
  } {
    const texts = parts.map((part) => ('text' in part ? part.text : ''));
    const text = role === 'user' ? this.words.joinUserTexts(texts) : texts.join('\n');
    for (const call of toolCalls) this.addCall(call);
    const author = this.authorOf(role, text);
    const turn = text === '' ? undefined : { author, text, tool: this.toolOf.get(toolCallId) || undefined };
    this.waiting.delete(toolCallId);
    return { turn, calls: toolCalls, madeBy: this.argumentsOf.get(toolCallId) ?? [] };
  }
  /** A message of the user may be the result of a tool: agents send what they read, with a label or as JSON. */
  private authorOf(role: ChatMessage['role'], text: string): Turn['author'] {
    if (role === 'developer') return 'system';
    if (role !== 'user') return role;
    const isResult = isLabelledResult(text) || (this.hasUser && isJson(text));
    this.hasUser = true;
    return isResult ? 'tool' : role;
  }

  private addCall({ id, name, arguments: written }: ToolCall): void {
    const waiting = this.waiting.has(id) ? this.argumentsOf.get(id) : undefined;
    this.argumentsOf.set(id, [...(waiting ?? []), written]);
    const isOther = this.waiting.has(id) && this.toolOf.get(id) !== name;
    this.toolOf.set(id, isOther ? '' : name);
    this.waiting.add(id);
  }
}

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
