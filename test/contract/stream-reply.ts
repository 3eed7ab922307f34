import { parsed } from './reply.ts';

/** A chunk as it came; untyped on purpose. */
// biome-ignore lint/suspicious/noExplicitAny: its shape is what is tested
export type Chunk = any;

/** A streamed response that was read to its end. */
export interface StreamReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Every event's data but `[DONE]`. */
  readonly chunks: readonly Chunk[];
  /** Whether the last event is `[DONE]`. */
  readonly done: boolean;
  readonly comments: readonly string[];
  /** Of the first choice: its content, refusal and how it ended. */
  readonly content: string;
  readonly refusal: string;
  readonly finishReason: string | undefined;
  /** The arguments of the first choice's tool calls, by index. */
  readonly toolArguments: readonly string[];
}

/** A stream read to its end. Calls `then` once, when its text so far fits the pattern. */
export async function readUntil(response: Response, pattern: RegExp, then: () => void): Promise<StreamReply> {
  const decoder = new TextDecoder();
  let text = '';
  let seen = false;
  for await (const piece of response.body as ReadableStream<Uint8Array>) {
    text += decoder.decode(piece, { stream: true });
    if (seen || !pattern.test(text)) continue;
    seen = true;
    then();
  }
  return toStreamReply(new Response(text, response));
}

export async function toStreamReply(response: Response): Promise<StreamReply> {
  const text = await response.text();
  const lines = text.split('\n').filter((line) => line !== '');
  const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice('data: '.length));
  const done = data.at(-1) === '[DONE]';
  const chunks = data.filter((one) => one !== '[DONE]').map((one) => parsed(one) as Chunk);
  const first = chunks.flatMap((chunk) => chunk?.choices?.filter(({ index }: Chunk) => index === 0) ?? []);
  const toolArguments: string[] = [];
  for (const call of first.flatMap(({ delta }) => delta?.tool_calls ?? [])) {
    toolArguments[call.index] = (toolArguments[call.index] ?? '') + (call.function?.arguments ?? '');
  }
  return {
    status: response.status,
    headers: response.headers,
    text,
    chunks,
    done,
    comments: lines.filter((line) => line.startsWith(':')),
    content: first.map(({ delta }) => delta?.content ?? '').join(''),
    refusal: first.map(({ delta }) => delta?.refusal ?? '').join(''),
    finishReason: first.findLast(({ finish_reason }) => typeof finish_reason === 'string')?.finish_reason,
    toolArguments,
  };
}
