import type { ChatMessage, ChatRequest, ToolCall, ToolEffect } from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import { readWordClasses } from '../detectors/index.ts';
import { argumentsOf } from './call-arguments.ts';
import { CallScorer, type ScoredCall } from './call-scorer.ts';
import { Conversation } from './conversation.ts';
import { MessageReader } from './message-reader.ts';
import type { DataKnowledge } from './private-data.ts';
import { readTextModels } from './text-models.ts';
import { hasEffect } from './tool-meaning.ts';

/** A request as far as its calls are concerned. */
export type CallingRequest = Pick<ChatRequest, 'messages' | 'tools' | 'callersNames'>;

/** A call that was made or is about to be made. */
export type MadeCall = Pick<ToolCall, 'name' | 'arguments'>;

let scorer: CallScorer | undefined;

/** The conversation of a request, read message by message, and the scores of calls that follow what was read. */
export class CallReader {
  private readonly messages: readonly ChatMessage[];
  private readonly conversation: Conversation;
  private readonly reader = new MessageReader();
  private read = 0;
  /** Whether a message has content that is not text: a value may come from there. */
  private hasUnread = false;

  constructor({ messages, tools = [] }: CallingRequest) {
    scorer ??= new CallScorer(readTextModels(readWordClasses()));
    this.messages = messages;
    this.conversation = new Conversation(tools);
  }

  /** Reads up to a message, which is not read. */
  *readTo(end: number): Steps<void> {
    for (; this.read < end; this.read++) {
      this.add(this.messages[this.read] as ChatMessage, this.read);
      yield;
    }
    yield* (scorer as CallScorer).readSteps(this.conversation);
  }

  /** Whether a call of this tool does more than read, or may take data out. */
  hasEffect(tool: string): boolean {
    return hasEffect(this.conversation.tool(tool).meaning);
  }

  effectOf(tool: string): ToolEffect {
    return this.conversation.tool(tool).meaning.effect;
  }

  /** Compares a call with the messages read so far. `from`: the score from which it is reported. */
  *scoreSteps({ name, arguments: written }: MadeCall, knowledge: DataKnowledge, from?: number): Steps<ScoredCall> {
    const call = { tool: name, arguments: argumentsOf(written) };
    const { values, finding } = yield* (scorer as CallScorer).scoreSteps(this.conversation, call, knowledge, from);
    if (finding === undefined || !this.hasUnread || finding.hasSecret) return { values, finding };
    const isNowhere = values.some(({ argument, from }) => argument === finding.argument && from === 'none');
    const isUnsure = finding.category === 'unknown_destination' || isNowhere;
    return { values, finding: isUnsure ? undefined : finding };
  }

  private add(message: ChatMessage, at: number): void {
    const { turn, calls } = this.reader.read(message);
    this.hasUnread ||= message.parts.some((part) => !('text' in part));
    if (turn !== undefined) this.conversation.add({ ...turn, message: at });
    for (const { name, arguments: written } of calls)
      this.conversation.addCall({ tool: name, arguments: argumentsOf(written) });
  }
}
