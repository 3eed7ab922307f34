import { CallGate } from '../../../functions/inspection/calls/call-gate.ts';
import { GatewayError } from '../../../functions/kernel/errors/index.ts';
import type { ChatRequest, ResponsePiece, SecurityInfo } from '../../../functions/kernel/model/index.ts';
import { finish } from '../../../functions/kernel/tasks/index.ts';
import type { ResponseFormat } from '../../../functions/translation/index.ts';
import { MessagesResponseFormat } from '../../../functions/translation/protocols/anthropic-messages/messages-response-format.ts';
import { GeminiResponseFormat } from '../../../functions/translation/protocols/gemini/gemini-response-format.ts';
import { ChatResponseFormat } from '../../../functions/translation/protocols/openai-chat/chat-response-format.ts';
import { ResponsesResponseFormat } from '../../../functions/translation/protocols/openai-responses/responses-response-format.ts';
import { CALL_APIS } from './called-tools.ts';

export type ApiName = keyof typeof CALL_APIS;
export const API_NAMES = Object.keys(CALL_APIS) as ApiName[];

const HEAD = { requestId: 'req_1', created: 1, model: 'm' };
const SVC = { action: 'allow' } as unknown as SecurityInfo;
const requestOf = (stream: boolean): ChatRequest => ({
  ...{ model: 'm', messages: [], choiceCount: 1, includeUsage: false, others: [] },
  stream,
});

/** The format of each API, which makes the pieces of a response and sends them. */
export const FORMATS: Readonly<Record<ApiName, (streams: boolean) => ResponseFormat>> = {
  chat: (streams) => new ChatResponseFormat(requestOf(streams), HEAD, new Set()),
  responses: (streams) => {
    const body = { model: 'm', input: 'Hi' };
    return new ResponsesResponseFormat(requestOf(streams), HEAD, { asked: body, sent: body });
  },
  messages: (streams) => new MessagesResponseFormat(requestOf(streams), HEAD),
  gemini: (streams) => new GeminiResponseFormat(requestOf(streams), HEAD),
};

type Inspector = ConstructorParameters<typeof CallGate>[1];

/** The JSON texts that are sent of the body of a response, once an inspector has removed calls of it. */
export function released(name: ApiName, body: string, streams: boolean, inspector: Inspector): string[] {
  const format = FORMATS[name](streams);
  const gate = new CallGate(format.calls as NonNullable<typeof format.calls>, inspector);
  const release = (pieces: readonly ResponsePiece[]) =>
    pieces.flatMap((piece) => (streams ? (format.release(piece, false, () => SVC) ?? []) : piece.json));
  const jsons = streams ? body.split('\n').flatMap((line) => line.split(/^data: /)[1] ?? []) : [body];
  const sent: string[] = [];
  try {
    for (const json of jsons.filter((one) => one !== '[DONE]')) {
      const piece = format.readPiece(json);
      if (piece.fault !== undefined) return sent;
      sent.push(...release(finish(gate.pushSteps(piece))));
    }
    sent.push(...release(gate.end(false)));
  } catch (error) {
    // An invalid response ends with an error.
    if (!(error instanceof SyntaxError || error instanceof RangeError || error instanceof GatewayError)) throw error;
  }
  return sent;
}

/** What a client gets of a response whose events are these, or whose whole body is this. */
export function textSent(name: ApiName, body: string | readonly object[], inspector: Inspector): string {
  const streams = typeof body !== 'string';
  const text = streams ? body.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') : body;
  return toText(released(name, text, streams, inspector), streams);
}

/** The text of what is sent, as the provider's had it. */
export function toText(sent: readonly string[], streams: boolean): string {
  return streams ? sent.map((json) => `data: ${json}\n\n`).join('') : (sent[0] ?? '');
}
