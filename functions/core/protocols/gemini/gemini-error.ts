import { type ErrorShape, messageOf } from '../../http/responses.ts';

/** https://cloud.google.com/apis/design/errors#handling_errors */
const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** Google's error shape, with what ours tells besides in `details`, and `svc` beside `error`. */
export const geminiError: ErrorShape = (error, requestId) => {
  const { code, param, details } = error.toBody();
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: code ?? 'provider',
    metadata: { requestId, ...(param !== null && { param }), ...(details && { details: JSON.stringify(details) }) },
  };
  return {
    error: {
      code: error.status,
      message: messageOf(error, requestId),
      status: STATUSES[error.status] ?? (error.status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL'),
      details: [info],
    },
    ...(error.svc && { svc: error.svc }),
  };
};
