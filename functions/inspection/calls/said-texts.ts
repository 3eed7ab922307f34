import type { ChatMessage } from '../../kernel/model/index.ts';
import { loadCallWords } from '../tool-calls/index.ts';

/** What the user replies in the last message of a request, and what the assistant has said before. */
export class SaidTexts {
  private readonly messages: readonly ChatMessage[];

  constructor(messages: readonly ChatMessage[]) {
    this.messages = messages;
  }

  /** What the user wrote in the last message, without what they pasted, if `mayReply` is true for one of its texts: to split all takes long. */
  async byUser(mayReply: (text: string) => boolean): Promise<string> {
    const last = this.messages.at(-1);
    const texts = last?.role === 'user' ? textsOf(last) : [];
    if (!texts.some(mayReply)) return '';
    const { splitUserText, joinUserTexts } = await loadCallWords();
    return splitUserText(joinUserTexts(texts)).own;
  }

  /** The texts of the assistant; with `last` those since the user wrote before. */
  *byAssistant(last: boolean): Iterable<string> {
    for (const message of this.messages.slice(0, -1).reverse()) {
      if (last && message.role === 'user') return;
      if (message.role === 'assistant') yield* textsOf(message);
    }
  }
}

function textsOf({ parts }: ChatMessage): readonly string[] {
  return parts.flatMap((part) => ('text' in part ? [part.text] : []));
}
