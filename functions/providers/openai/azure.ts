import { modelSegment } from '../../core/routing/route-model.ts';

/** Azure OpenAI: its deployments are what elsewhere are models, and stand in a resource of one's own. */
export interface AzureApi {
  /** undefined for the v1 API as it is; `preview` and the like are versions of it, dates are of the API before it. */
  readonly version: string | undefined;
}

const DATED = /^\d{4}-\d{2}-\d{2}(?:-preview)?$/;
const OF_V1 = /^(?:v1|latest|preview)$/;

/** @throws Error for a version that is neither; `name` is the variable's that holds it */
export function readAzureApi(version: string | undefined, name: string): AzureApi {
  if (version && !DATED.test(version) && !OF_V1.test(version)) {
    throw new Error(`${name}: a version is a date such as 2024-10-21, with -preview or without, or preview`);
  }
  return { version: version || undefined };
}

/**
 * Where a path such as `/chat/completions` is of a deployment.
 * Sources: https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle and, for dated versions,
 * https://learn.microsoft.com/azure/ai-foundry/openai/reference
 * @param resource its address, whether `/openai/v1` stands at its end or not
 * @throws GatewayError `invalid_value` for a deployment whose name could lead to another path
 */
export function azureUrl({ version }: AzureApi, resource: string, path: string, deployment: string): string {
  const origin = resource.replace(/\/openai(?:\/v1)?$/, '');
  const query = version === undefined ? '' : `?api-version=${version}`;
  const isDated = version !== undefined && DATED.test(version);
  const name = modelSegment(deployment);
  return `${origin}/openai/${isDated ? `deployments/${name}` : 'v1'}${path}${query}`;
}

/** Whether the Responses API is where its other paths are: under a dated version it is not. */
export function hasResponses({ version }: AzureApi): boolean {
  return version === undefined || !DATED.test(version);
}

/** How it says that a deployment is not there. */
export const UNKNOWN_DEPLOYMENT = 'DeploymentNotFound';
