import { isObject, type JsonPath, spliceJson } from '../../../kernel/json/index.ts';
import type {
  ChatCompletion,
  ChatDelta,
  ChatRequest,
  ResponsePiece,
  SecurityInfo,
  TextSlot,
  Usage,
} from '../../../kernel/model/index.ts';
import { idOf, unknownIdsIn } from '../bodies/named-ids.ts';
import { fromOpenAiUsage, tierIn } from '../bodies/provider-usage.ts';
import { faultOfChoices, REFUSAL, readResponseJson, withSvc } from '../bodies/response-json.ts';
import { idIn, indexIn, placeName, placesOf } from '../bodies/response-places.ts';
import { type UnlistedPlace, UnlistedSlots } from '../bodies/unlisted-texts.ts';
import { toOpenAiUsageField } from '../openai-chat/chat-response-format.ts';
import type { ResponseFormat, ResponseIdentity } from '../protocol.ts';

/** What the gateway reads from a text completion. A whole response and a chunk have the same form. */
interface CompletionsPiece extends ResponsePiece {
  readonly usageOnly: boolean;
  readonly choices: readonly number[];
  readonly finished: readonly number[];
  readonly finishPaths: readonly JsonPath[];
}

type Json = Record<string, unknown>;

/** OpenAI's text completions: `svc` is at the top of a whole response, and of each chunk that has a finish reason. */
export class CompletionsResponseFormat implements ResponseFormat {
  private readonly request: ChatRequest;
  private head: { id: string; object: 'text_completion'; created: number; model: string };
  private readonly others = new UnlistedSlots(PLACES);
  private named = false;
  private readonly seen = new Set<number>();
  private readonly finished = new Set<number>();

  constructor(request: ChatRequest, { requestId, created, model }: ResponseIdentity) {
    this.request = request;
    this.head = { id: `cmpl-${requestId.slice('req_'.length)}`, object: 'text_completion', created, model };
  }

  readPiece(text: string): CompletionsPiece {
    const { json, body } = readResponseJson(text);
    const all = Array.isArray(body.choices) ? body.choices.map((choice) => (isObject(choice) ? choice : {})) : [];
    const indexes = all.map(indexIn);
    const slots = all.flatMap((choice, at): TextSlot[] => {
      if (typeof choice.text !== 'string' || choice.text === '') return [];
      return [{ channel: `choices[${indexes[at]}].text`, text: choice.text, path: ['choices', at, 'text'] }];
    });
    const ownSlots = slots.length;
    const others = this.others.read(body, describeIn(indexes));
    for (const slot of others.slots) slots.push(slot);
    const ends = all.flatMap(({ finish_reason }, at) =>
      typeof finish_reason === 'string' && finish_reason ? [at] : [],
    );
    const echoes = all.flatMap(({ logprobs }, at) => (isObject(logprobs) ? [['choices', at, 'logprobs']] : []));
    const usageOnly = all.length === 0 && isObject(body.usage);
    const finished = ends.map((at) => indexes[at] as number);
    return {
      json,
      slots,
      echoes,
      ends: usageOnly || finished.length > 0,
      closes: finished.map((index) => `choices[${index}].`).concat(others.closes),
      divisible:
        ownSlots === 1 && slots.length === 1 && all.length === 1 && finished.length === 0 && echoes.length === 0,
      usage: fromOpenAiUsage(body) ?? tierIn(body),
      usageOnly,
      choices: indexes,
      finished,
      finishPaths: ends.map((at) => ['choices', at, 'finish_reason']),
      ownId: idOf(body),
      unknownIds: unknownIdsIn(body),
      fault: this.faultOf(body) ?? faultOfChoices(indexes, this.request),
    };
  }

  private faultOf({ error, choices }: Json): string | undefined {
    if (isObject(error)) return 'error instead of a response';
    if (!Array.isArray(choices)) return this.request.stream && choices == null ? undefined : 'no completion';
    return choices.every((one) => one === null || isObject(one)) ? undefined : 'a choice that is no object';
  }

  encodeWhole({ model, choices, usage }: ChatCompletion): string {
    const texts = choices.map(({ index, text, refusal, finishReason }) =>
      choiceOf(index, text ?? refusal ?? '', finishReason),
    );
    return JSON.stringify({ ...this.head, model, choices: texts, ...toOpenAiUsageField(usage) });
  }

  encode(delta: ChatDelta): string[] {
    switch (delta.type) {
      case 'start':
        this.head = { ...this.head, model: delta.model };
        return [];
      case 'text':
      case 'refusal':
        return [this.chunk([choiceOf(delta.choice, delta.text, null)])];
      case 'finish':
        return [this.chunk([choiceOf(delta.choice, '', delta.reason)])];
      case 'usage':
        return [this.chunk([], toOpenAiUsageField(delta.usage))];
      default:
        // A completions request cannot define tools.
        return [];
    }
  }

  encodeEnd(): string[] {
    return [];
  }

  cutWhole(json: string, empty: boolean): string {
    const body = JSON.parse(json) as { choices: unknown[] };
    for (const choice of body.choices.filter(isObject)) {
      choice.finish_reason = 'content_filter';
      if (empty) choice.text = '';
    }
    return JSON.stringify(body);
  }

  withSecurity(json: string, svc: SecurityInfo): string {
    return withSvc(json, [], svc);
  }

  refusal(svc: SecurityInfo): string[] {
    const usage = { inputTokens: 0, outputTokens: 0 };
    const whole = this.chunk(
      [choiceOf(0, REFUSAL, 'content_filter')],
      this.request.stream ? {} : toOpenAiUsageField(usage),
    );
    const counts = this.request.stream && this.request.includeUsage ? [this.chunk([], toOpenAiUsageField(usage))] : [];
    return [this.withSecurity(whole, svc), ...counts];
  }

  received(piece: ResponsePiece): void {
    // All chunks of a response have the same head.
    if (this.named) return;
    this.named = true;
    const { id, model, created } = JSON.parse(piece.json) as Json;
    const { head } = this;
    this.head = {
      ...head,
      id: idIn(id) ?? head.id,
      model: idIn(model) ?? head.model,
      created: typeof created === 'number' ? created : head.created,
    };
  }

  release(piece: ResponsePiece, cut: boolean, svc: () => SecurityInfo): string | undefined {
    const { usageOnly, choices, finished, finishPaths, json } = piece as CompletionsPiece;
    this.others.released(piece.slots);
    if (usageOnly && !this.request.includeUsage) return undefined;
    for (const choice of choices) this.seen.add(choice);
    if (finished.length === 0) return json;
    if (cut) {
      return spliceJson(
        json,
        finishPaths.map((path) => ({ kind: 'replace', path, json: 'null' })),
      );
    }
    for (const choice of finished) this.finished.add(choice);
    return this.withSecurity(json, svc());
  }

  get ended(): boolean {
    return this.finished.size > 0 && [...this.seen].every((choice) => this.finished.has(choice));
  }

  blockedEnd(svc: SecurityInfo, usage: Usage): string[] {
    const open = [...(this.seen.size > 0 ? this.seen : new Set([0]))].filter((choice) => !this.finished.has(choice));
    const ends = open.map((index) => this.chunk([choiceOf(index, '', 'content_filter')], { svc }));
    return this.request.includeUsage ? [...ends, this.chunk([], toOpenAiUsageField(usage))] : ends;
  }

  private chunk(choices: readonly object[], rest: object = {}): string {
    return JSON.stringify({ ...this.head, choices, ...rest });
  }
}

/** Where a completion or chunk has no text, or text that is read by name. */
const PLACES = placesOf({
  '': {
    id: 'id object model system_fingerprint provider obfuscation choices[].finish_reason',
    text: 'choices[].text',
    logprobs: 'choices[].logprobs',
  },
});

/** Names the other texts of a piece by the choices that they belong to. */
function describeIn(indexes: readonly number[]): (path: JsonPath) => UnlistedPlace {
  return (path) => {
    const [top, at, ...rest] = path;
    if (top !== 'choices' || typeof at !== 'number') return { name: placeName(path) };
    return { name: `choices[${indexes[at]}].${placeName(rest)}`, isJoined: rest.length === 1 };
  };
}

function choiceOf(index: number, text: string, finish_reason: string | null): object {
  return { text, index, logprobs: null, finish_reason };
}
