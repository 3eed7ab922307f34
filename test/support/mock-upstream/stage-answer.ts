import type { Answer } from './answer.ts';
import type { Behaviour } from './behaviour.ts';
import { errorEvent } from './error-answer.ts';
import type { Provider } from './provider-request.ts';

/** What happens on the wire, in order: the head, the writes, the ending. */
export interface StagedAnswer {
  /** Undefined where the failure comes before it. */
  head: { status: number; headers: Record<string, string> } | undefined;
  writes: Buffer[];
  ending: 'end' | 'reset' | 'fin' | 'stall';
}

const GARBAGE = Buffer.concat([
  Buffer.from('data: {"id": <!doctype '),
  Buffer.of(0xff, 0xfe, 0x00),
  Buffer.from('\n\n'),
]);

/** Applies a behaviour's headers, failure and write size to a response. */
export function stageAnswer(answer: Answer, behaviour: Behaviour, provider: Provider): StagedAnswer {
  const { failure, bytesPerWrite } = behaviour;
  if (failure === 'reset-before-head') return { head: undefined, writes: [], ending: 'reset' };
  if (failure === 'stall-before-head') return { head: undefined, writes: [], ending: 'stall' };

  const { chunks, ending } = failChunks(answer, behaviour, provider);
  const writes = bytesPerWrite === undefined ? chunks : resplit(chunks, bytesPerWrite);
  const headers = { ...answer.headers };
  if (!answer.streamed && bytesPerWrite === undefined) {
    // A body that is cut off announced its whole length; one that ends early but properly did not.
    const announced = ending === 'end' ? chunks : answer.chunks;
    headers['content-length'] = String(announced.reduce((length, chunk) => length + chunk.length, 0));
  }
  for (const [name, value] of Object.entries(behaviour.headers ?? {})) {
    if (value === null) delete headers[name];
    else headers[name] = value;
  }
  return { head: { status: answer.status, headers }, writes, ending };
}

function failChunks(
  { chunks, streamed }: Answer,
  behaviour: Behaviour,
  provider: Provider,
): { chunks: Buffer[]; ending: StagedAnswer['ending'] } {
  const { failure, afterChunks = provider === 'openai' ? 2 : provider === 'responses' ? 5 : 4 } = behaviour;
  const [whole = Buffer.alloc(0)] = chunks;
  const sent = streamed ? chunks.slice(0, afterChunks) : [firstHalf(whole)];
  switch (failure) {
    case 'reset-mid-stream':
      return { chunks: sent, ending: 'reset' };
    case 'fin-mid-stream':
      return { chunks: sent, ending: 'fin' };
    case 'stall-mid-stream':
      return { chunks: sent, ending: 'stall' };
    case 'end-mid-stream':
      return { chunks: sent, ending: 'end' };
    case 'half-event':
      return { chunks: streamed ? [...sent, firstHalf(chunks[afterChunks])] : sent, ending: 'end' };
    case 'garbage':
      return { chunks: streamed ? [...sent, GARBAGE, ...chunks.slice(afterChunks)] : [GARBAGE], ending: 'end' };
    case 'error-event': {
      const event = errorEvent(provider);
      return { chunks: streamed ? [...sent, event] : [event.subarray(event.indexOf('{'), -2)], ending: 'end' };
    }
    default:
      return { chunks, ending: 'end' };
  }
}

function firstHalf(chunk: Buffer = Buffer.alloc(0)): Buffer {
  return chunk.subarray(0, Math.floor(chunk.length / 2));
}

function resplit(chunks: Buffer[], bytesPerWrite: number): Buffer[] {
  const bytes = Buffer.concat(chunks);
  const step = Math.max(1, Math.floor(bytesPerWrite));
  const count = Math.ceil(bytes.length / step);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * step, (index + 1) * step));
}
