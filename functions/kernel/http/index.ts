/** HTTP without a server: routes and responses, bodies, headers, addresses, request ids and traces, event streams, the port of a client. */
export { addressSchema, findAddressFault, normalizedAddress } from './address.ts';
export { corsOriginsSchema, withCors } from './cors.ts';
export {
  isOriginSecret,
  ORIGIN_SECRET_HEADER,
  type OriginSecrets,
  readOriginSecrets,
  rotatedSecrets,
  VIEWER_ADDRESS_HEADER,
} from './front-door.ts';
export {
  type HttpClient,
  HttpFailure,
  type HttpFailureReason,
  type HttpRequest,
  type HttpResponse,
} from './http-client.ts';
export {
  isAllowedAddress,
  isIpAddress,
  isIpRange,
  isListed,
  isWithinRanges,
  networkOf,
} from './ip-range.ts';
export {
  declaresForm,
  MAX_BODY_BYTES,
  readFormBody,
  readJsonBody,
  readOptionalJsonBody,
  tooLarge,
} from './request-body.ts';
export { HeaderList, ReadHeaders, type RequestHeaders } from './request-headers.ts';
export { arrivalOf, isRequestId } from './request-id.ts';
export { newSpanId, newTrace, type RequestRef, type RequestTrace, traceHeaders } from './request-trace.ts';
export {
  type BodyStream,
  type ErrorShape,
  errorResponse,
  isStream,
  jsonResponse,
  messageOf,
  type OutgoingBody,
  type OutgoingResponse,
  openAiError,
} from './responses.ts';
export {
  type App,
  type AppOptions,
  createApp,
  type FinishedRequest,
  type IncomingRequest,
  newRequestId,
  pathOf,
  type RequestContext,
  type Route,
  type RoutedRequest,
  toAddress,
} from './router.ts';
export { MAX_PICTURE_EVENT_CHARS, readServerSentEvents, type ServerSentEvent, SseOverflow } from './sse-decoder.ts';
