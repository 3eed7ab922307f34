import { GatewayError } from '../../../kernel/errors/index.ts';
import type { SecurityInfo } from '../../../kernel/model/index.ts';
import { TextlessFormat, type TextlessResponse } from '../bodies/untranslated-format.ts';
import type { Protocol } from '../protocol.ts';
import { fromResponsesRequest } from './from-responses-request.ts';
import { RESPONSES_PROTOCOL } from './responses-protocol.ts';
import { ResponsesResponseFormat } from './responses-response-format.ts';
import type { ResponsesRequest } from './responses-schema.ts';

/** The longest output of any model; compaction has no field that limits it. */
const LONGEST_OUTPUT = 128_000;

/** What calls share whose input is that of a response, and whose result is no text for a caller. */
const ABOUT_INPUT: Omit<Protocol<ResponsesRequest>, 'operation' | 'format'> = {
  ...RESPONSES_PROTOCOL,
  moderation: () => undefined,
  addToPrompt: () => undefined,
  responseKind: () => 'json',
  read: (body) => ({ ...fromResponsesRequest(body), stream: false, choiceCount: 0, isInBackground: false }),
};

/**
 * `POST /v1/responses/compact`: a conversation as fewer items, some of them encrypted, for the input of the next request.
 * Sources: openai 6.49 (`ResponseCompactParams`, `CompactedResponse`), and Codex (codex-rs/codex-api/src/endpoint/compact.rs).
 */
export const COMPACTION_PROTOCOL: Protocol<ResponsesRequest> = {
  ...ABOUT_INPUT,
  operation: 'openai-compaction',
  boundOutputTokens: (_body, _model, longest = LONGEST_OUTPUT) => longest,
  format: (request, head, bodies) => new CompactionFormat(request, head, bodies, { repeatsInput: true }),
};

/** `POST /v1/responses/input_tokens`: `{"object": "response.input_tokens", "input_tokens": 11}`. Source: openai 6.49. */
export const INPUT_TOKENS_PROTOCOL: Protocol<ResponsesRequest> = {
  ...ABOUT_INPUT,
  operation: 'openai-input-tokens',
  unbilled: true,
  format: () => new TextlessFormat({ id: 'object' }, readCount),
};

/** Counted tokens are not usage. */
function readCount({ input_tokens: count }: Readonly<Record<string, unknown>>): TextlessResponse {
  return {
    usage: { inputTokens: 0, outputTokens: 0 },
    fault: Number.isSafeInteger(count) ? undefined : 'no token count',
  };
}

/** A compacted conversation. A client replaces its history by it: a part of one would lose the rest, so a block is an error. */
class CompactionFormat extends ResponsesResponseFormat {
  private isCut = false;

  override refusal(): never[] | undefined {
    return undefined;
  }

  override cutWhole(json: string): string {
    this.isCut = true;
    return json;
  }

  override withSecurity(json: string, svc: SecurityInfo): string {
    if (!this.isCut) return super.withSecurity(json, svc);
    const message = 'The compacted conversation was blocked by the security policy of this API key.';
    throw new GatewayError('content_filter', message, { headers: { 'x-should-retry': 'false' }, svc });
  }
}
