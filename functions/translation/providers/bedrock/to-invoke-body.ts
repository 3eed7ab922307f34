import { isObject, type JsonEdit, spliceJson } from '../../../kernel/json/index.ts';
import type { MessagesBlock, MessagesRequest } from '../../protocols/anthropic-messages/messages-schema.ts';
import type { ChatCall, Translation } from '../../routing/index.ts';
import { nativeBody } from '../anthropic/anthropic-provider.ts';

const VERSION = 'bedrock-2023-05-31';
/**
 * Members of a request that InvokeModel takes. It refuses others ("Extra inputs are not permitted"):
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html and, for `output_config`,
 * https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html and https://github.com/BerriAI/litellm/pull/27040
 */
const MEMBERS: ReadonlySet<string> = new Set(
  'system messages max_tokens temperature top_p top_k stop_sequences tools tool_choice thinking output_config'.split(
    ' ',
  ),
);
/** Members that are said in another way, and those without an effect on the response. */
const REMOVED = ['model', 'stream', 'metadata', 'service_tier'];
/** ARNs that do not name their model. */
const UNNAMED = /^arn:[^/]*:(?:application-inference-profile|provisioned-model)\//;
/** Its own tools that the caller runs. */
const CLIENT_TOOLS = /^(?:custom|(?:computer|bash|text_editor|memory)_\d{8})$/;
/** Of files in base64, it takes these: https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html */
const MEDIA_TYPES: ReadonlySet<unknown> = new Set([
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);
/** Those that LiteLLM has for Bedrock (anthropic_beta_headers_config.json, 2026-12-01); for others the whole request is refused ("invalid beta flag"). */
const BETAS: ReadonlySet<string> = new Set([
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'token-efficient-tools-2025-02-19',
  'interleaved-thinking-2025-05-14',
  'output-128k-2025-02-19',
  'dev-full-thinking-2025-05-14',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'effort-2025-11-24',
  'tool-search-tool-2025-10-19',
  'tool-examples-2025-10-29',
]);

/**
 * The body of InvokeModel for a request of the Messages API, which Claude gets unchanged except for what Bedrock says in another way;
 * undefined if it has anything that InvokeModel does not take, and for other models. An ARN that names no model has the model that the caller
 * names, as with a route from `claude-*` to it.
 */
export function toInvokeBody(call: ChatCall): string | undefined {
  const { operation, source, translation } = call;
  const isUnnamed = UNNAMED.test(call.model);
  const model = isUnnamed ? call.request.model : call.model;
  const isClaude = model.includes(isUnnamed ? 'claude-' : 'anthropic.claude-');
  if (operation !== 'anthropic-messages' || !isClaude) return undefined;
  const body = source.value as MessagesRequest & Record<string, unknown>;
  if (!isTaken(body)) return undefined;
  const betas = betasOf(call);
  const isRemoved = (key: string) => Object.hasOwn(body, key);
  if (body.metadata?.user_id != null) translation.dropped('metadata.user_id');
  const edits: JsonEdit[] = [
    ...REMOVED.filter(isRemoved).map((key): JsonEdit => ({ kind: 'remove', path: [key] })),
    { kind: 'insert', path: [], key: 'anthropic_version', json: JSON.stringify(VERSION) },
    ...(betas.length > 0
      ? [{ kind: 'insert', path: [], key: 'anthropic_beta', json: JSON.stringify(betas) } as const]
      : []),
  ];
  return spliceJson(nativeBody({ ...call, model }), edits);
}

/** Whether Claude gets a request of the Messages API by InvokeModel, so that its thinking is in the body. Of an ARN that names no model, it may not. */
export function goesToInvoke(model: string, { operation, source }: Pick<ChatCall, 'operation' | 'source'>): boolean {
  const isClaude = model.includes('anthropic.claude-') && !UNNAMED.test(model);
  return isClaude && operation === 'anthropic-messages' && isTaken(source.value as MessagesRequest & Body);
}

type Body = Record<string, unknown>;

function isTaken(body: MessagesRequest & Body): boolean {
  const { messages, system, tools = [], service_tier: tier } = body;
  const isStandard = tier == null || tier === 'auto' || tier === 'standard_only';
  const isKnown = (key: string) => MEMBERS.has(key) || REMOVED.includes(key) || key === 'svc' || key === 'moderation';
  return (
    isStandard &&
    Object.keys(body).every(isKnown) &&
    tools.every(({ type }) => type == null || CLIENT_TOOLS.test(type)) &&
    messages.every(({ role, content }) => role !== 'system' && hasBytes(content)) &&
    (system === undefined || hasBytes(system))
  );
}

function hasBytes(content: string | readonly MessagesBlock[]): boolean {
  if (typeof content === 'string') return true;
  return content.every((block) => {
    const { source, content: inside } = block as { source?: unknown; content?: unknown };
    if (isObject(source) && !isRead(source)) return false;
    return block.type !== 'tool_result' || !Array.isArray(inside) || hasBytes(inside as MessagesBlock[]);
  });
}

/** Whether it reads a source of a file: addresses and ids of files are refused. */
function isRead({ type, media_type: mediaType, content }: Readonly<Record<string, unknown>>): boolean {
  if (type === 'base64') return MEDIA_TYPES.has(mediaType);
  if (type === 'content') return !Array.isArray(content) || hasBytes(content as MessagesBlock[]);
  return type === 'text';
}

function betasOf({ headers, translation }: { headers?: ChatCall['headers']; translation: Translation }): string[] {
  const asked = (headers?.['anthropic-beta'] ?? '').split(',').flatMap((beta) => beta.trim() || []);
  if (asked.some((beta) => !BETAS.has(beta))) translation.dropped('anthropic-beta', 'it refuses unknown versions');
  return asked.filter((beta) => BETAS.has(beta));
}
