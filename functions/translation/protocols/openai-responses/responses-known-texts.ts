import type { JsonPath } from '../../../kernel/json/index.ts';
import { EarlierTexts } from '../bodies/unlisted-texts.ts';

/** Texts in a response that its caller wrote. */
export interface RepeatedTexts {
  /** `instructions` are the system prompt of a request that is unknown here. */
  readonly hasOwnPrompt?: boolean;
  /** The output repeats items of the request's input. */
  readonly repeatsInput?: boolean;
}

type Json = Record<string, unknown>;

/** Fields that a response repeats from its request. */
const OF_THE_REQUEST =
  'instructions tools tool_choice text metadata prompt reasoning user safety_identifier prompt_cache_key prompt_cache_retention prompt_cache_options previous_response_id conversation'.split(
    ' ',
  );

/** The texts of one response so far, in all its events. */
export class KnownTexts {
  /** By the text's place in the response, such as `output[0].content[0].text`. */
  private readonly texts = new Map<string, { channel: string; text: string }>();
  private readonly versions = new Map<string, number>();
  /** Texts that the model did not write, which clients may join over all events. */
  readonly earlier = new EarlierTexts();
  private readonly requests: readonly Json[];
  private requestStrings: ReadonlySet<string> | undefined;
  private readonly repeated: RepeatedTexts;

  /** @param requests the request as the caller sent it and as the provider received it */
  constructor(requests: readonly Json[], repeated: RepeatedTexts) {
    this.requests = requests;
    this.repeated = repeated;
  }

  /** Adds to a text. @returns its channel */
  append(place: string, text: string): string {
    const known = this.texts.get(place);
    if (known === undefined) return this.begin(place, text);
    known.text += text;
    return known.channel;
  }

  /** Adds a whole text. @returns its channel, and whether it is a repeat */
  whole(place: string, text: string, isNews = false): { readonly channel: string; readonly isRepeat: boolean } {
    const known = this.texts.get(place);
    if (known?.text === text && !isNews) return { channel: known.channel, isRepeat: true };
    return { channel: this.begin(place, text), isRepeat: false };
  }

  /** Whether the caller wrote a text of the response: in a field of the request that it repeats, or in an input that it lists. */
  isFromRequest(place: string, inside: JsonPath, text: string): boolean {
    const field = String(inside[0]);
    const { hasOwnPrompt = false, repeatsInput = false } = this.repeated;
    if (place !== 'response' ? !repeatsInput : !OF_THE_REQUEST.includes(field)) return false;
    if (hasOwnPrompt && field === 'instructions' && inside.length === 1) return true;
    const fields = repeatsInput ? [...OF_THE_REQUEST, 'input'] : OF_THE_REQUEST;
    this.requestStrings ??= new Set(
      this.requests.flatMap((request) => fields.flatMap((field) => stringsIn(request[field]))),
    );
    return this.requestStrings.has(text);
  }

  begin(place: string, text: string): string {
    const version = (this.versions.get(place) ?? 0) + 1;
    this.versions.set(place, version);
    const channel = version === 1 ? place : `${place} (${version})`;
    this.texts.set(place, { channel, text });
    return channel;
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...stringsIn(member)]);
}
