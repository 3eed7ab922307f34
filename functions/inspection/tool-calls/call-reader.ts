import type { ChatMessage, ChatRequest, ToolCall, ToolEffect } from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import { readWordClasses } from '../detectors/index.ts';
import { argumentsOf } from './call-arguments.ts';
import type { Call } from './call-evidence.ts';
import { CallScorer, type ScoredCall } from './call-scorer.ts';
import { valuesOf } from './call-values.ts';
import { Conversation, type RememberedValue } from './conversation.ts';
import { type EarlierValues, type NewValues, newValuesOf, rememberedAs } from './earlier-values.ts';
import { MessageReader } from './message-reader.ts';
import type { DataKnowledge } from './private-data.ts';
import { readTextModels } from './text-models.ts';
import { type DeclaredTool, hasEffect } from './tool-meaning.ts';
import { joinUserTexts } from './user-text.ts';

/** A request as far as its calls are concerned. */
export type CallingRequest = Pick<ChatRequest, 'messages' | 'tools' | 'callersNames'>;

/** A call that was made or is about to be made. */
export type MadeCall = Pick<ToolCall, 'name' | 'arguments'>;

let scorer: CallScorer | undefined;

/** The conversation of a request, read message by message, and the scores of calls that follow what was read. */
export class CallReader {
  private readonly messages: readonly ChatMessage[];
  private readonly tools: readonly DeclaredTool[];
  private readonly earlier: EarlierValues | undefined;
  private readonly listed: readonly string[];
  private readonly conversation: Conversation;
  private readonly reader = new MessageReader({ joinUserTexts });
  private read = 0;
  /** Whether a message has content that is not text: a value may come from there. */
  private hasUnread = false;

  /**
   * @param earlier what the session has had from third parties; undefined if that is not known
   * @param listed values of the policy's lists, which its operator wrote
   */
  constructor({ messages, tools = [] }: CallingRequest, earlier?: EarlierValues, listed: readonly string[] = []) {
    scorer ??= new CallScorer(readTextModels(readWordClasses()));
    this.messages = messages;
    this.tools = tools;
    this.earlier = earlier;
    this.listed = listed;
    this.conversation = this.newConversation();
  }

  /** Reads up to a message, which is not read. */
  *readTo(end: number): Steps<void> {
    yield* this.addTo(end);
    yield* this.conversation.readSteps();
  }

  /** What the whole request adds to the memory of its session. */
  *newValues(): Steps<NewValues> {
    yield* this.addTo(this.messages.length);
    yield* this.conversation.readSteps();
    return yield* newValuesOf(this.conversation, this.earlier ?? NOTHING);
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
    const conversation = yield* this.conversationFor(call);
    const { originOf, values, finding } = yield* (scorer as CallScorer).scoreSteps(conversation, call, knowledge, from);
    if (finding === undefined || !this.hasUnread || finding.hasSecret) return { originOf, values, finding };
    const isNowhere = values.some(({ argument, from }) => argument === finding.argument && from === 'none');
    const isUnsure = finding.category === 'unknown_destination' || isNowhere;
    return { originOf, values, finding: isUnsure ? undefined : finding };
  }

  /** The conversation in which a client's summary does not make the values of a call the user's. */
  private *conversationFor({ tool, arguments: args }: Call): Steps<Conversation> {
    const { earlier } = this;
    if (earlier === undefined) return this.conversation;
    const { parameters, meaning } = this.conversation.tool(tool);
    const values = valuesOf(args, parameters, meaning.effect).filter(
      (value) => this.conversation.isInSummary(value) && rememberedAs(value).some((text) => earlier.has(text)),
    );
    if (values.length === 0) return this.conversation;
    const conversation = this.newConversation(values);
    const reader = new MessageReader({ joinUserTexts });
    for (let at = 0; at < this.read; at++) {
      addMessage(conversation, reader, this.messages[at] as ChatMessage, at);
      yield;
    }
    yield* conversation.readSteps();
    return conversation;
  }

  private newConversation(earlier: readonly RememberedValue[] = []): Conversation {
    return new Conversation(this.tools, earlier, this.listed);
  }

  private *addTo(end: number): Steps<void> {
    for (; this.read < end; this.read++) {
      const message = this.messages[this.read] as ChatMessage;
      addMessage(this.conversation, this.reader, message, this.read);
      this.hasUnread ||= message.parts.some((part) => !('text' in part));
      yield;
    }
  }
}

const NOTHING: EarlierValues = { has: () => false };

function addMessage(conversation: Conversation, reader: MessageReader, message: ChatMessage, at: number): void {
  const { turn, calls } = reader.read(message);
  if (turn !== undefined) conversation.add({ ...turn, message: at });
  for (const { name, arguments: written } of calls)
    conversation.addCall({ tool: name, arguments: argumentsOf(written) });
}
