import { GatewayError } from '../../../kernel/errors/index.ts';
import { readObject } from '../../../kernel/json/index.ts';
import { BedrockFailure } from '../../routing/index.ts';
import { untilError } from '../provider-responses.ts';
import type { ConverseCall } from './bedrock-errors.ts';
import { toStreamError } from './from-converse.ts';

/**
 * The unchanged JSON of each event of a message that InvokeModel streams.
 * @throws GatewayError if the stream breaks off, holds an exception or an error, or ends without `message_stop`
 */
export async function* readInvokeStream(events: AsyncIterable<string>, call: ConverseCall): AsyncGenerator<string[]> {
  try {
    for await (const json of events) {
      const { before, failure } = untilError(call.provider, [json]);
      if (failure !== undefined) throw failure;
      yield before;
      if (json.includes('message_stop') && readObject(json)?.type === 'message_stop') return;
    }
  } catch (error) {
    throw error instanceof BedrockFailure ? toStreamError(error, call) : error;
  }
  throw new GatewayError('provider_error', `The provider ${call.provider} ended its response early.`, {
    internal: `${call.provider}: stream ended without message_stop`,
  });
}

/** Whether this model lacks a feature of the Messages API that others have; Converse translates such a request. */
export function isRefusedFeature(error: unknown): boolean {
  if (!(error instanceof BedrockFailure) || error.exception !== 'ValidationException') return false;
  return /invalid beta flag|Extra inputs are not permitted/.test(error.message);
}
