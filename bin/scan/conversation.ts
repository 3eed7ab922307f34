/** APIs whose requests a log may have. */
export type LogApi = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini';

/** A conversation of a log, as the body of a request. */
export interface Conversation {
  readonly api: LogApi;
  readonly body: object;
  /** Places in the body, and the log's names for them. */
  readonly names?: readonly (readonly [place: string, name: string])[];
  /** Absent if turns before it are not in the log: its calls cannot be compared with them. */
  readonly isComplete?: true;
}

/** The log's name for a place in the body. */
export function nameIn({ names = [] }: Conversation, place: string): string {
  const known = names.filter(([start]) => place.startsWith(start) && /^(?:$|[.[])/.test(place.slice(start.length)));
  const [longest] = known.sort(([a], [b]) => b.length - a.length);
  return longest === undefined ? place : longest[1] + place.slice(longest[0].length);
}
