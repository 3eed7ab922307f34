import { GatewayError } from '../base/errors.ts';
import type { OutputGuard } from '../inspect/output/output-guard.ts';
import { withTexts } from '../model/piece.ts';
import type { Exchange } from './exchange.ts';

/**
 * A provider's refusal as the caller may see it: what the provider wrote in it is third-party text, inspected as output is. A
 * block leaves a message of our own. Other errors hold no text of a provider and stay the same.
 * @param guard of an answer of which nothing was sent
 */
export function inspectRefusal(error: unknown, exchange: Exchange, guard: OutputGuard): unknown {
  if (!(error instanceof GatewayError) || error.passedOn === undefined) return error;
  const { message, param = '', passedOn, code, headers, internal, fallback, cause } = error;
  const texts = { message, type: passedOn.type, code: passedOn.code ?? '', param };
  const slots = Object.entries(texts).map(([name, text]) => ({ channel: `error.${name}`, text, path: [name] }));
  const piece = { json: JSON.stringify(texts), slots, echoes: [], divisible: false };
  const [left = withTexts(piece, ['', '', '', ''])] = [...guard.push(piece), ...guard.end()];
  exchange.coverage.output.push('error');
  const shown = JSON.parse(left.json) as typeof texts;
  const rest = {
    headers,
    fallback,
    cause,
    ...(internal !== undefined && { internal }),
    ...(exchange.report.action !== 'allow' && { svc: exchange.securityInfo() }),
  };
  if (guard.blocked) {
    return new GatewayError(code, `The provider refused the request with status ${passedOn.status}.`, {
      ...rest,
      passedOn: { status: passedOn.status, type: 'invalid_request_error', code: null },
    });
  }
  return new GatewayError(code, shown.message, {
    ...rest,
    ...(shown.param !== '' && { param: shown.param }),
    passedOn: { ...passedOn, type: shown.type, code: passedOn.code === null ? null : shown.code },
  });
}
