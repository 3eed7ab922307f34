import type { LazyOperation } from '../../contract/index.ts';
import type { ErrorCode } from '../../kernel/errors/index.ts';
import type { OutgoingResponse, Route, RoutedRequest } from '../../kernel/http/index.ts';
import type { Permission } from '../../kernel/model/index.ts';
import type { BedrockOperationName, OperationName } from '../../translation/index.ts';
import type { BatchRouteDeps } from '../batch-routes.ts';
import type { McpRouteDeps } from '../mcp-route.ts';
import type { RouteOptions } from '../open-request.ts';
import type { GenerationRouteDeps, Inspect } from '../pipeline-routes.ts';
import type { ModelRoutesDeps, ServiceRoutesDeps } from '../service-routes.ts';

export interface GatewayRouteDeps
  extends GenerationRouteDeps,
    BatchRouteDeps,
    McpRouteDeps,
    ModelRoutesDeps,
    ServiceRoutesDeps {}

/** How the API of an operation writes errors and request ids. */
type ApiFormat = Pick<Route, 'errorShape' | 'requestIdHeader'>;

/** An operation with a response from a model. */
interface GenerationOperation extends LazyOperation, ApiFormat {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly access: Permission & LazyOperation['access'];
  /** What a provider does for it. */
  readonly operation: OperationName | BedrockOperationName;
  readonly reads?: RouteOptions['body'];
  readonly takesRest?: true;
}

/** An operation with a response from the gateway's own engine. */
interface InspectionOperation extends LazyOperation {
  readonly method: 'POST';
  readonly access: 'any key';
  readonly inspect: Inspect;
}

/** How an operation without inspection is served; `isFor` distinguishes clients of several APIs. */
export interface ServiceHandler extends ApiFormat, Pick<Route, 'isFor'> {
  readonly handler: (deps: GatewayRouteDeps) => (routed: RoutedRequest) => Promise<OutgoingResponse>;
}

/** Any other operation. */
interface ServiceOperation extends LazyOperation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly access: 'any key' | 'mcp' | 'batches' | 'none';
  /** Served whichever way the request came. */
  readonly open?: true;
  /** The first that is for the client serves it. */
  readonly handlers: readonly ServiceHandler[];
}

export type GatewayOperation = GenerationOperation | InspectionOperation | ServiceOperation;
export type GatewayOperations = Readonly<Record<string, GatewayOperation>>;

/** Errors of a call of a model, besides those of its key and its body. */
export const GENERATION_ERRORS = [
  'unknown_provider',
  'content_filter',
  'model_not_found',
  'idempotency_conflict',
  'rate_limit_exceeded',
  'insufficient_quota',
  'provider_error',
  'provider_overloaded',
  'request_cancelled',
  'provider_timeout',
] as const satisfies readonly ErrorCode[];

/** Errors of an inspection without a provider, likewise. */
export const INSPECTION_ERRORS = [
  'idempotency_conflict',
  'rate_limit_exceeded',
  'insufficient_quota',
] as const satisfies readonly ErrorCode[];
