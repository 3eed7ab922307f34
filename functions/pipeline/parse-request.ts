import { type Policy, policyOf, RequestedModeration } from '../inspection/index.ts';
import type { JsonEdit, RequestDocument } from '../kernel/json/index.ts';
import type { ApiKey, ChatRequest, RequestTexts, Warning } from '../kernel/model/index.ts';
import { giveWayFor, runInSlices, type Scheduler, type Steps } from '../kernel/tasks/index.ts';
import { type NamedId, type RequestReader, readCommonMembers } from '../translation/index.ts';

/** A parsed request. */
export interface Parsed<Body> {
  readonly document: RequestDocument;
  readonly body: Body;
  readonly request: ChatRequest;
  /** Additional models that it names. */
  readonly further: ReturnType<RequestReader<Body>['furtherModels']>;
  /** The ids that it names. */
  readonly named: readonly NamedId[];
  readonly members: ReturnType<typeof readCommonMembers>;
  readonly policy: Policy;
  readonly moderation: RequestedModeration | undefined;
  /** Tools that its provider does not get; `request` is without them. */
  readonly removed?: RemovedTools<Body> | undefined;
}

/** What is taken out of a request. */
export interface RemovedTools<Body> {
  readonly edits: readonly JsonEdit[];
  readonly warnings: readonly Warning[];
  /** What is left of the body. */
  readonly left: Pick<Parsed<Body>, 'document' | 'body'>;
}

/** @throws GatewayError that names the invalid field */
export async function parseRequest<Body>(
  { policy }: Pick<ApiKey, 'policy'>,
  document: RequestDocument,
  reader: RequestReader<Body>,
  scheduler: Scheduler,
): Promise<Parsed<Body>> {
  await giveWayFor(document, scheduler);
  const body = reader.check(document);
  await giveWayFor(document, scheduler);
  const field = reader.moderation?.(body);
  const moderation = field && new RequestedModeration(field, policy);
  const named = await runInSlices(reader.namedIds(document.value), scheduler);
  await giveWayFor(document, scheduler);
  return {
    document,
    body,
    request: reader.read(body),
    further: reader.furtherModels(document.value),
    named,
    members: readCommonMembers(document.value),
    policy: moderation?.policy ?? policyOf(policy),
    moderation,
  };
}

/** The request with references that no list names: they change the result, and have no equivalent in another API. */
export function withUnknown(request: ChatRequest, named: readonly NamedId[]): ChatRequest {
  const unknown = named.filter(({ unknownAt }) => unknownAt !== undefined);
  if (unknown.length === 0) return request;
  const essential = unknown.map(({ id, param }) => ({ path: param, meaning: 'essential' as const, value: id }));
  return { ...request, others: [...request.others, ...essential] };
}

/** The texts of the request. What a provider keeps under a reference is not among them. */
export function* textsOf<Body>(
  { body, named, members }: Parsed<Body>,
  reader: Pick<RequestReader<Body>, 'texts'>,
): Steps<RequestTexts> {
  const { texts, skipped } = yield* reader.texts(body);
  const unknown = named.flatMap(({ unknownAt: path }) => (path === undefined ? [] : [{ path, what: 'reference' }]));
  return { texts, skipped: [...skipped, ...members.encodedPrompts, ...unknown] };
}
