import * as z from 'zod';
import { GatewayError } from '../../core/base/errors.ts';
import type { HttpResponse } from '../../core/base/http-client.ts';
import { providerStatusError, readErrorBody } from '../provider-failures.ts';

/** `{"type":"error","error":{"type","message"},"request_id"}`, https://platform.claude.com/docs/en/api/errors */
const ErrorBody = z.looseObject({ error: z.looseObject({ type: z.string(), message: z.string() }) });

/** The GatewayError for a response with a status other than 2xx; a body that cannot be read counts as none. */
export async function toAnthropicError(response: HttpResponse, model: string): Promise<GatewayError> {
  const error = await readError(response);
  if (response.status === 404 && error?.type === 'not_found_error') {
    return new GatewayError('model_not_found', `The provider anthropic has no model \`${model}\`.`, {
      param: 'model',
      internal: 'anthropic answered status 404, not_found_error',
    });
  }
  return providerStatusError('anthropic', response.status, response.headers, error?.message);
}

async function readError(response: HttpResponse): Promise<{ type: string; message: string } | undefined> {
  try {
    const body = ErrorBody.safeParse(JSON.parse(await readErrorBody(response.body)));
    return body.success ? body.data.error : undefined;
  } catch {
    return undefined;
  }
}
