import type { ChatMessage, ChatRequest, ContentPart, TextSlot, UnknownCharge, Usage } from '../kernel/model/index.ts';
import type { ModelCatalog, Target } from '../translation/index.ts';

/** English text has about this many characters a token (OpenAI's rule of thumb). */
const CHARS_PER_TOKEN = 4;
/** Of audio and files in Base64, and the tokens of an image: rough means of the large providers. */
const DATA_CHARS_PER_TOKEN = 20;
const TOKENS_PER_IMAGE = 1_500;
const NANOS_PER_USD = 1e9;
/** Counts that only grow while a response goes on: a later, lower one would hide what is billed. */
const GROWING = ['inputTokens', 'outputTokens', 'searches', 'otherSearches', 'reportedNanoUsd'] as const;

/** The maximum usage of a request. */
export interface ReservedUsage {
  readonly input: number;
  readonly output: number;
  readonly searches: number;
  readonly nanoUsd: number;
}

const NOTHING_RESERVED: ReservedUsage = { input: 0, output: 0, searches: 0, nanoUsd: 0 };
const TOKEN_COUNTS = ['inputTokens', 'outputTokens'] as const;

/** The request that was sent, for an estimate. */
interface SentRequest {
  readonly request: ChatRequest;
  /** The usage that the texts do not show, in some protocols. */
  readonly unseen: Usage | undefined;
  /** Whether its provider may bill it. */
  readonly isBilled: boolean;
  /** What the request asks for that has a price besides its tokens, until the provider reports it. */
  readonly asked?: Pick<Usage, 'searches' | 'terms'>;
}

/** The usage of one request: as its provider reports it, or an estimate. */
export class UsageMeter {
  private counted: Usage | null = null;
  private reserved: ReservedUsage | undefined;
  private sent: SentRequest | undefined;
  /** The provider goes on with the response, and has not reported its usage. */
  private goesOn = false;
  /** A later request can read what goes on, and has its usage. */
  private isReadable = false;
  /** The response is that to an earlier request: nothing is billed. */
  private isRepeated = false;
  /** What an earlier request was billed for the same response; null if there was none. */
  private spared: Usage | null = null;
  /** The limits have counted the usage with another request. */
  private isOfAnother = false;
  /** UTF-16 code units of the response's text so far, and of it those before the last report of output. */
  private receivedChars = 0;
  private reportedChars = 0;

  /** null until the provider has reported a usage. */
  get reported(): Usage | null {
    return this.counted;
  }

  /** The usage of a repeated response, once its request has ended; null for any other. */
  get saved(): Usage | null {
    return this.spared;
  }

  /** Searches that the request may make at most, as reserved. */
  get searchesReserved(): number {
    return this.reserved?.searches ?? 0;
  }

  /** Sets the reserved tokens, which limit the reported usage. */
  reserve(reserved: ReservedUsage | undefined): void {
    this.reserved = reserved;
  }

  /** The request is sent to a provider. */
  sends(request: ChatRequest, how: Omit<SentRequest, 'request'>): void {
    this.sent = { request, ...how };
    this.goesOn = request.isInBackground === true;
  }

  /** The provider refused the request and bills nothing. */
  refused(): void {
    if (this.sent !== undefined) this.sent = { ...this.sent, isBilled: false };
    this.goesOn = false;
  }

  /** A later report replaces the counts that it contains, except by lower ones. Report a piece after its text was received. */
  report(usage: Usage): void {
    // A search is reported while the response goes on.
    if (usage.inputTokens !== undefined || usage.outputTokens !== undefined) this.goesOn = false;
    if (usage.outputTokens !== undefined) this.reportedChars = this.receivedChars;
    const terms = { ...this.sent?.asked?.terms, ...this.counted?.terms, ...usage.terms };
    const higher = GROWING.filter((name) => (this.counted?.[name] ?? 0) > (usage[name] ?? Number.POSITIVE_INFINITY));
    this.counted = {
      ...this.sent?.asked,
      ...this.counted,
      ...usage,
      ...Object.fromEntries(higher.map((name) => [name, this.counted?.[name]])),
      ...(Object.keys(terms).length > 0 && { terms }),
    };
  }

  /** The provider goes on with the response after this request: unless its usage is reported, all reserved tokens count as used. */
  continuesAtProvider(): void {
    this.goesOn = true;
    this.isReadable = true;
  }

  /** The usage belongs to an earlier request, whose limits have counted it: reports are for the record only. */
  belongsToEarlier(): void {
    this.isOfAnother = true;
  }

  /** The response is that to an earlier request, and was billed with it. */
  repeats(): void {
    this.isRepeated = true;
  }

  /** Drops the reports: another record has them. */
  drop(): void {
    this.counted = null;
  }

  received(slots: readonly TextSlot[]): void {
    for (const { text, repeats } of slots) if (!repeats) this.receivedChars += text.length;
  }

  /** Estimates the counts that the provider has not reported. @returns the usage */
  fillWithEstimate(isCompleted = false): Usage {
    const { request, unseen, asked } = this.sent ?? {};
    this.completeCounts(isCompleted);
    const missing = TOKEN_COUNTS.filter((name) => this.counted?.[name] === undefined);
    if (missing.length === 0) return { ...asked, ...this.counted };
    const estimate = estimateUsage(request, this.receivedChars, unseen);
    this.counted = {
      ...asked,
      ...estimate,
      ...this.counted,
      estimated: [...missing, ...(this.counted?.estimated ?? [])],
    };
    return this.counted;
  }

  /**
   * Ends the count. One response that reports billions would block its key for years, so usage is limited to four times the reservation, and
   * 10,000 tokens: images, tokenizers and prompts that a provider adds stay below that. What the provider may bill and did not report is
   * estimated, in the record too.
   * @returns `used`: the usage that counts for the key's limits; `disbelieved`: the reported usage if it was limited
   */
  close(isCompleted: boolean): ClosedUsage {
    if (this.isRepeated) {
      this.spared = this.counted;
      this.counted = { inputTokens: 0, outputTokens: 0 };
      return { used: this.counted, disbelieved: undefined };
    }
    if (this.isOfAnother) return { used: {}, disbelieved: undefined };
    const isBilled = this.sent?.isBilled === true;
    const { input, output, searches, nanoUsd } = this.reserved ?? NOTHING_RESERVED;
    const reservation = nanoUsd > 0 ? { reservedNanoUsd: nanoUsd } : {};
    if (this.goesOn) {
      const fees = { ...(searches > 0 && { searches }), ...reservation };
      const used = { ...this.sent?.asked, ...this.counted, ...fees, inputTokens: input, outputTokens: output };
      if (this.isReadable) return { used, disbelieved: undefined };
      this.counted = this.reserved === undefined ? this.fillWithEstimate() : { ...used, estimated: TOKEN_COUNTS };
      return { used: this.counted, disbelieved: undefined };
    }
    const disbelieved = this.limitToReserved();
    if (!isBilled) return { used: { inputTokens: 0, outputTokens: 0, ...this.counted }, disbelieved };
    this.counted = { ...this.fillWithEstimate(isCompleted), ...reservation };
    return { used: this.counted, disbelieved };
  }

  /** Drops zeros for a text or media, which are no report, and adds the text of a response that was cut off behind its last report. */
  private completeCounts(isCompleted: boolean): void {
    const { receivedChars, reportedChars } = this;
    this.reportedChars = receivedChars;
    if (this.counted === null) return;
    const { inputTokens, outputTokens, ...others } = this.counted;
    const expected = this.sent?.unseen?.outputTokens ?? receivedChars;
    const hasOutput = outputTokens !== undefined && (outputTokens > 0 || expected === 0);
    const hasInput = inputTokens !== undefined && (inputTokens > 0 || (outputTokens ?? 0) > 0);
    const unreported = isCompleted ? 0 : Math.ceil((receivedChars - reportedChars) / CHARS_PER_TOKEN);
    this.counted = {
      ...others,
      ...(hasInput && { inputTokens }),
      ...(hasOutput && { outputTokens: outputTokens + unreported }),
      ...(hasOutput && unreported > 0 && { estimated: ['outputTokens'] }),
    };
  }

  private limitToReserved(): string | undefined {
    const { counted, reserved } = this;
    if (counted === null || reserved === undefined) return undefined;
    const { inputTokens = 0, outputTokens = 0, searches = 0, otherSearches = 0, reportedNanoUsd = 0 } = counted;
    const most = {
      inputTokens: mostOf(reserved.input),
      outputTokens: mostOf(reserved.output),
      searches: 4 * reserved.searches + 100,
      otherSearches: 4 * reserved.searches + 100,
      ...(reserved.nanoUsd > 0 && { reportedNanoUsd: 4 * reserved.nanoUsd + NANOS_PER_USD }),
    };
    const excess = Object.entries(most).filter(([name, limit]) => (counted[name as keyof typeof most] ?? 0) > limit);
    if (excess.length === 0) return undefined;
    this.counted = { ...counted, ...Object.fromEntries(excess) };
    if (inputTokens > most.inputTokens || outputTokens > most.outputTokens)
      return `${inputTokens} input and ${outputTokens} output tokens, where ${reserved.input} and ${reserved.output} were reserved`;
    return `${searches + otherSearches} searches and ${reportedNanoUsd / NANOS_PER_USD} US dollars, where ${reserved.searches} and ${reserved.nanoUsd / NANOS_PER_USD} were reserved`;
  }
}

export interface ClosedUsage {
  readonly used: Usage;
  readonly disbelieved: string | undefined;
}

/** Estimates the provider's count from what was sent and received. `unseen` replaces the counts that it contains. */
export function estimateUsage(
  request: Pick<ChatRequest, 'messages' | 'tools' | 'others'> | undefined,
  receivedChars: number,
  unseen: Usage | undefined,
): Usage {
  const { messages = [], tools = [], others = [] } = request ?? {};
  const ofMessages = messages.reduce((sum, message) => sum + tokensOf(message), 0);
  const definitions = [...tools, ...others.map(({ value }) => value)];
  const ofDefinitions = definitions.length === 0 ? 0 : JSON.stringify(definitions).length / CHARS_PER_TOKEN;
  return {
    inputTokens: Math.ceil(ofMessages + ofDefinitions),
    outputTokens: Math.ceil(receivedChars / CHARS_PER_TOKEN),
    ...unseen,
  };
}

function tokensOf({ parts, toolCalls = [], reasoning = '' }: ChatMessage): number {
  const calls = toolCalls.reduce((sum, { name, arguments: text }) => sum + name.length + text.length, 0);
  return parts.reduce((sum, part) => sum + tokensIn(part), (calls + reasoning.length) / CHARS_PER_TOKEN);
}

function tokensIn(part: ContentPart): number {
  switch (part.type) {
    case 'image':
      return TOKENS_PER_IMAGE;
    case 'audio':
    case 'file':
      return (part.data ?? '').length / DATA_CHARS_PER_TOKEN;
    default:
      return part.text.length / CHARS_PER_TOKEN;
  }
}

/** A target, and the models that its provider may have called instead. */
interface Called {
  readonly target: Target | undefined;
  readonly alternativeModels: readonly string[];
}

/**
 * The known cost of a usage in nano-dollars, by the most expensive model that may have responded; null if nothing of the cost of the target's
 * model is known.
 */
export function costInNanoUsd(
  { target, alternativeModels }: Called,
  usage: Usage,
  models: ModelCatalog,
): number | null {
  if (target === undefined) return null;
  const [asked, ...others] = [target.model, ...alternativeModels].map(
    (model) => models.costOf({ ...target, model }, usage).nanoUsd,
  );
  return asked == null ? null : Math.max(asked, ...others.map((cost) => cost ?? 0));
}

/** The charges of a usage that its cost does not contain. */
export function unknownCharges(
  { target }: Called,
  usage: Usage | null,
  models: ModelCatalog,
): readonly UnknownCharge[] {
  return target === undefined ? [] : models.costOf(target, usage).unknown;
}

function mostOf(reserved: number): number {
  return 4 * reserved + 10_000;
}
