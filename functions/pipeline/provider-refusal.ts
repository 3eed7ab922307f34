import type { InspectionReport, OutputChecks } from '../inspection/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import { type ChatRequest, type SecurityInfo, type Warning, withTexts } from '../kernel/model/index.ts';

/** The error with the caller's name of the field at fault, if the request was translated; other errors unchanged. */
export function inCallersNames(error: unknown, request: ChatRequest): unknown {
  if (!(error instanceof GatewayError) || error.param === undefined) return error;
  const { param } = error;
  const named = callersName(param, request);
  if (named === undefined) return error;
  const { code, message, headers, passedOn, internal, fallback, cause } = error;
  return new GatewayError(code, message.replaceAll(`\`${param}\``, `\`${named}\``), {
    param: named,
    headers,
    fallback,
    cause,
    ...(passedOn && { passedOn }),
    ...(internal !== undefined && { internal }),
  });
}

/** The warnings of a translation with the caller's names of the fields. */
export function inCallersFields(warnings: readonly Warning[], request: ChatRequest): readonly Warning[] {
  return warnings.map(({ code, field, message }) => {
    const named = callersName(field, request) ?? field;
    return { code, field: named, message: message.replaceAll(`\`${field}\``, `\`${named}\``) };
  });
}

/** The caller's name of a field, by the longest part of it that has one; undefined if it is the same. */
function callersName(param: string, { callersNames = {}, others }: ChatRequest): string | undefined {
  for (
    let end = param.length;
    end > 0;
    end = Math.max(param.lastIndexOf('.', end - 1), param.lastIndexOf('[', end - 1))
  ) {
    const name = param.slice(0, end);
    if (!Object.hasOwn(callersNames, name)) continue;
    // Fields without a member in `ChatRequest` already have the caller's names.
    return others.some(({ path }) => path === param) ? undefined : `${callersNames[name]}${param.slice(end)}`;
  }
  return undefined;
}

/**
 * A provider's refusal as the caller may see it: its text is third-party text and is inspected like output. A block replaces the message.
 * Errors without text by a provider stay the same.
 * @param checks of a response of which nothing was sent
 */
export function inspectRefusal(
  error: unknown,
  { inspection, svc }: { readonly inspection: InspectionReport; readonly svc: () => SecurityInfo },
  { keys, guard }: OutputChecks,
): unknown {
  if (!(error instanceof GatewayError) || error.passedOn === undefined) return error;
  const { message, param = '', passedOn, code, headers, internal, fallback, cause } = error;
  const texts = { message, type: passedOn.type, code: passedOn.code ?? '', param };
  const slots = Object.entries(texts).map(([name, text]) => ({ channel: `error.${name}`, text, path: [name] }));
  const read = { json: JSON.stringify(texts), slots, echoes: [], divisible: false };
  const [piece = read] = keys === undefined ? [] : [...keys.push(read), ...keys.end<typeof read>()];
  const [left = withTexts(piece, ['', '', '', ''])] = [...guard.push(piece), ...guard.end()];
  inspection.inspectedOutput('error');
  const shown = JSON.parse(left.json) as typeof texts;
  const rest = {
    headers,
    fallback,
    cause,
    ...(internal !== undefined && { internal }),
    ...(inspection.findings.action !== 'allow' && { svc: svc() }),
  };
  if (guard.blocked) {
    return new GatewayError(code, `The provider rejected the request with status ${passedOn.status}.`, {
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
