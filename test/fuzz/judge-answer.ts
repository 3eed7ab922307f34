import { ERRORS } from '../../functions/kernel/errors/index.ts';

/** A response and its request. */
export interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The expected statuses if a provider's response is invalid. */
export const PROVIDER_FAULTS = [ERRORS.provider_error.status, ERRORS.provider_timeout.status];

/**
 * Returns what is wrong with a response to any request: our failure, an error that clients of its API cannot parse, or a
 * body that does not match its type. undefined if nothing is.
 */
export function faultOf(answer: Answered, allowed: readonly number[] = []): string | undefined {
  const { status, headers, text } = answer;
  if (status >= 500 && !allowed.includes(status)) return `status ${status}: ${text.slice(0, 300)}`;
  const type = headers.get('content-type') ?? '';
  // A page of the dashboard, if it is built.
  const isPage = /^\/(?:dashboard(?:[/?]|$)|\?|$)/.test(answer.path);
  if (type === 'text/html; charset=utf-8' && status === 200 && isPage) return undefined;
  if (!/^req_[0-9a-f]{32}$/.test(headers.get('x-svc-request-id') ?? '')) return 'no request id';
  if (type.startsWith('text/event-stream')) return streamFault(text);
  if (type === 'application/vnd.amazon.eventstream')
    return /:(?:event|exception)-type/.test(text) ? undefined : 'a stream without an event';
  if (type.startsWith('text/plain') && status === 200) return undefined;
  if (type === 'audio/wav' && status === 200) return text.startsWith('RIFF') ? undefined : 'speech that is no WAV';
  const body = parsed(text);
  if (body === undefined) return `a body that is no JSON: ${text.slice(0, 200)}`;
  return status >= 400 && !isError(answer, body) ? `an error of another shape: ${text.slice(0, 300)}` : undefined;
}

/** Events are `event:` and `data:` lines and comments; data is JSON, or the end of an OpenAI stream. */
function streamFault(text: string): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith(':'));
  const bad = lines.find((line) => {
    if (line.startsWith('event: ')) return !/^event: [\w.]{1,80}$/.test(line);
    return line !== 'data: [DONE]' && (!line.startsWith('data: ') || parsed(line.slice('data: '.length)) === undefined);
  });
  return bad === undefined ? undefined : `a line that is no event: ${bad.slice(0, 200)}`;
}

type Shape = (body: Record<string, unknown>) => boolean;

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isTextOrNull = (value: unknown) => value === null || isText(value);
const openAi: Shape = ({ error }) => {
  const { message, type, param, code } = (error ?? {}) as Record<string, unknown>;
  return isText(message) && isText(type) && isTextOrNull(param) && isTextOrNull(code);
};
const anthropic: Shape = ({ type, error, request_id: id }) => {
  const told = (error ?? {}) as Record<string, unknown>;
  return type === 'error' && isText(told.type) && isText(told.message) && isText(id);
};
const gemini: Shape = ({ error }) => {
  const { code, message, status } = (error ?? {}) as Record<string, unknown>;
  return typeof code === 'number' && isText(message) && isText(status);
};

const bedrock: Shape = ({ __type: type, message }) => isText(type) && isText(message);

/** Whether it is an error of the API whose path was asked; where two APIs share a path, of either. */
function isError({ path }: Answered, body: Record<string, unknown>): boolean {
  const shapes = shapesOf(new URL(path, 'http://gateway').pathname);
  return typeof body === 'object' && body !== null && shapes.some((shape) => shape(body));
}

function shapesOf(path: string): readonly Shape[] {
  if (`${path}/`.startsWith('/v1/messages/')) return [anthropic];
  if (`${path}/`.startsWith('/v1beta/')) return [gemini];
  if (/^\/model\/[^/]*\/(?:converse|invoke)/.test(path)) return [bedrock];
  return path.startsWith('/v1/models') ? [gemini, openAi, anthropic] : [openAi];
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
