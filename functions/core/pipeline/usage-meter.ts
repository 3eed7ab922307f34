import type { ChatRequest, Usage } from '../model/chat.ts';
import type { TextSlot } from '../model/piece.ts';
import { costOf, type ModelCatalog } from '../routing/model-catalog.ts';
import type { Target } from '../routing/route-model.ts';

/** English text has about this many characters a token (OpenAI's rule of thumb). */
const CHARS_PER_TOKEN = 4;

/** The maximum tokens of a request. */
export interface ReservedTokens {
  readonly input: number;
  readonly output: number;
}

/** The request that was sent, for an estimate. */
interface SentRequest {
  readonly request: ChatRequest;
  /** The usage of a response that was cut off, for protocols whose texts do not show it. */
  readonly cutOff: Usage | undefined;
  /** Whether its provider may bill it. */
  readonly isBilled: boolean;
}

/** The usage of one request: as its provider reports it, or an estimate. */
export class UsageMeter {
  private counted: Usage | null = null;
  private reserved: ReservedTokens | undefined;
  private sent: SentRequest | undefined;
  /** The provider goes on with the response, and has not reported its usage. */
  private goesOn = false;
  /** The limits have counted the usage with another request. */
  private isOfAnother = false;
  /** UTF-16 code units of the response's text so far. */
  private receivedChars = 0;

  /** null until the provider has reported a usage. */
  get reported(): Usage | null {
    return this.counted;
  }

  /** Sets the reserved tokens, which limit the reported usage. */
  reserve(reserved: ReservedTokens | undefined): void {
    this.reserved = reserved;
  }

  /** The request is sent to a provider. */
  sends(request: ChatRequest, { cutOff, isBilled }: Omit<SentRequest, 'request'>): void {
    this.sent = { request, cutOff, isBilled };
  }

  /** The provider refused the request and bills nothing. */
  refused(): void {
    if (this.sent !== undefined) this.sent = { ...this.sent, isBilled: false };
  }

  /** A later report replaces the counts that it contains. */
  report(usage: Usage): void {
    this.goesOn = false;
    this.counted = { ...this.counted, ...usage };
  }

  /** The provider goes on with the response after this request: unless its usage is reported, all reserved tokens count as used. */
  continuesAtProvider(): void {
    this.goesOn = true;
  }

  /** The usage belongs to an earlier request, whose limits have counted it: reports are for the record only. */
  belongsToEarlier(): void {
    this.isOfAnother = true;
  }

  /** Drops the reports: another record has them. */
  drop(): void {
    this.counted = null;
  }

  received(slots: readonly TextSlot[]): void {
    for (const { text, repeats } of slots) if (!repeats) this.receivedChars += text.length;
  }

  /** Estimates the counts that the provider has not reported for a response that was cut off. @returns the usage */
  fillWithEstimate(): Usage {
    this.counted = { ...this.estimate(false), ...this.counted };
    return this.counted;
  }

  /**
   * Ends the count. One response that reports billions would block its key for years, so usage is limited to four times the reservation, and
   * 10,000 tokens: images, tokenizers and prompts that a provider adds stay below that.
   * @param stopped the request was stopped: the provider will report nothing more
   * @returns `used`: the usage that counts for the key's limits; `disbelieved`: the reported usage if it was limited
   */
  close(isCompleted: boolean, stopped: boolean): { readonly used: Usage; readonly disbelieved: string | undefined } {
    if (this.isOfAnother) return { used: {}, disbelieved: undefined };
    if (this.goesOn) {
      const { input, output } = this.reserved ?? { input: 0, output: 0 };
      return { used: { inputTokens: input, outputTokens: output }, disbelieved: undefined };
    }
    if (stopped && this.sent?.isBilled) this.counted = { ...this.estimate(isCompleted), ...this.counted };
    const disbelieved = this.limitToReserved();
    const estimate = this.sent?.isBilled ? this.estimate(isCompleted) : { inputTokens: 0, outputTokens: 0 };
    return { used: { ...estimate, ...this.counted }, disbelieved };
  }

  private limitToReserved(): string | undefined {
    const { counted, reserved } = this;
    if (counted === null || reserved === undefined) return undefined;
    const { inputTokens = 0, outputTokens = 0 } = counted;
    const most = { input: mostOf(reserved.input), output: mostOf(reserved.output) };
    if (inputTokens <= most.input && outputTokens <= most.output) return undefined;
    this.counted = {
      ...counted,
      ...(inputTokens > most.input && { inputTokens: most.input }),
      ...(outputTokens > most.output && { outputTokens: most.output }),
    };
    return `${inputTokens} input and ${outputTokens} output tokens, where ${reserved.input} and ${reserved.output} were reserved`;
  }

  private estimate(isCompleted: boolean): Usage {
    const { request, cutOff } = this.sent ?? {};
    return estimateUsage(request, this.receivedChars, isCompleted ? undefined : cutOff);
  }
}

/** Estimates the provider's count from the characters sent and received. `cutOff` replaces the counts that it contains. */
export function estimateUsage(
  request: Pick<ChatRequest, 'messages'> | undefined,
  receivedChars: number,
  cutOff: Usage | undefined,
): Usage {
  const texts = (request?.messages ?? []).flatMap(({ parts }) =>
    parts.map((part) => ('text' in part ? part.text.length : 0)),
  );
  const inputChars = texts.reduce((sum, length) => sum + length, 0);
  return {
    inputTokens: Math.ceil(inputChars / CHARS_PER_TOKEN),
    outputTokens: Math.ceil(receivedChars / CHARS_PER_TOKEN),
    ...cutOff,
  };
}

/**
 * The cost of a usage in nano-dollars, by the most expensive model that may have responded; null if the price of the target's model is
 * unknown.
 */
export function costInNanoUsd(
  { target, alternativeModels }: { readonly target: Target | undefined; readonly alternativeModels: readonly string[] },
  usage: Usage,
  models: ModelCatalog,
): number | null {
  if (target === undefined) return null;
  const [asked, ...others] = [target.model, ...alternativeModels].map((model) =>
    costOf(models.find(target.provider, model), usage),
  );
  return asked == null ? null : Math.max(asked, ...others.map((cost) => cost ?? 0));
}

function mostOf(reserved: number): number {
  return 4 * reserved + 10_000;
}
