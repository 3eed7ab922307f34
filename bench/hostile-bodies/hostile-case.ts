/** A costly request, or the request for a costly response of the provider. */
export interface HostileCase {
  readonly name: string;
  readonly path: string;
  /** undefined: a GET request. */
  readonly body: (() => object) | undefined;
  /** The model whose response is costly; undefined if the request is. */
  readonly answer?: string;
  /** Sent before, once. */
  readonly before?: { readonly path: string; readonly body: object };
  /** The gateway keeps what it read, so that only the first requests are costly. */
  readonly isOnce?: true;
}

export const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** A unit repeated up to so many characters. */
export const filled = (unit: string, units: number) => unit.repeat(Math.ceil(units / unit.length)).slice(0, units);

export function phones(units: number): string {
  const numbers: string[] = [];
  for (let at = 0, length = 0; length < units; at += 1) {
    const tail = String((at * 15_485_863) % 10_000).padStart(4, '0');
    const number = `+${1 + ((at * 7919) % 98)} ${((at * 104_729) % 900) + 100} ${((at * 1_299_709) % 900) + 100}-${tail} `;
    numbers.push(number);
    length += number.length;
  }
  return numbers.join('').slice(0, units);
}

/** A chat request with a text or parts of the user. */
export const chat = (content: unknown, more: object = {}) => ({
  model: 'echo',
  messages: [{ role: 'user', content }],
  max_tokens: 16,
  ...more,
});
