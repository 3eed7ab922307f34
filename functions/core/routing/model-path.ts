import { GatewayError } from '../errors.ts';

/** Names of models in all catalogs, such as `accounts/me/models/x#y`, `ft:gpt-4o:me::id` and `@cf/meta/llama-3`: never a sentence. */
const MODEL_NAME = /^[\w.:@+~#/-]{1,256}$/;
/** Models, deployments and inference profiles are named with these; none of them ends a segment of a path. */
const SEGMENT = /^[\w.:@+~-]{1,256}$/;
/** A path reads these as a step to itself or to its parent. */
const ONLY_DOTS = /^\.+$/;

/** Providers whose API has the model's name in the path. */
const WITH_MODEL_IN_PATH: ReadonlySet<string> = new Set(['azure', 'gemini', 'bedrock']);

/**
 * The name as one segment of a path, encoded.
 * @throws GatewayError `invalid_value` for a name that could lead to another path
 */
export function modelSegment(model: string): string {
  if (!isSegment(model)) throw invalidName();
  return encodeURIComponent(model);
}

/**
 * The name where it may have slashes, as an ARN has.
 * @throws GatewayError `invalid_value` for a name that could lead to another path
 */
export function modelPath(model: string): string {
  if (!model.split('/').every(isSegment)) throw invalidName();
  return model;
}

/** Whether a provider could be called with the name. */
export function isCallable(provider: string, model: string): boolean {
  return WITH_MODEL_IN_PATH.has(provider) ? model.split('/').every(isSegment) : MODEL_NAME.test(model);
}

function isSegment(name: string): boolean {
  return SEGMENT.test(name) && !ONLY_DOTS.test(name);
}

export function invalidName(): GatewayError {
  return new GatewayError('invalid_value', "'model' is not the name of a model or deployment.", { param: 'model' });
}
