import type { ChatMessage, ToolCall } from '../../kernel/model/index.ts';
import type { Turn } from './conversation.ts';

/**
 * Reads the messages of one conversation in order: a result gets the name of the tool that was called, or none if calls of several tools wait
 * for a result with this id.
 */
export class MessageReader {
  private readonly toolOf = new Map<string, string>();
  /** Ids of calls without a result so far. */
  private readonly waiting = new Set<string>();

  /** What a message says, undefined if it has no text, and the calls that it makes after that. */
  read({ parts, role, toolCalls = [], toolCallId = '' }: ChatMessage): {
    readonly turn: Omit<Turn, 'message'> | undefined;
    readonly calls: readonly ToolCall[];
  } {
    const text = parts.map((part) => ('text' in part ? part.text : '')).join('\n');
    for (const { id, name } of toolCalls) this.addCall(id, name);
    const author = role === 'developer' ? 'system' : role;
    const turn = text === '' ? undefined : { author, text, tool: this.toolOf.get(toolCallId) || undefined };
    this.waiting.delete(toolCallId);
    return { turn, calls: toolCalls };
  }
  private addCall(id: string, name: string): void {
    const isOther = this.waiting.has(id) && this.toolOf.get(id) !== name;
    this.toolOf.set(id, isOther ? '' : name);
    this.waiting.add(id);
  }
}
