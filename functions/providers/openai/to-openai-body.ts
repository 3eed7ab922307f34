import { type JsonEdit, setNumber, spliceJson } from '../../core/base/edits.ts';
import type { ProtocolName } from '../../core/protocols/protocol.ts';
import type { ChatCall } from '../../core/routing/provider.ts';
import type { Dialect } from './compatible-providers.ts';

/** Fields of ours that a provider must not see; of images `moderation` is OpenAI's own. */
const OWN_FIELDS = ['moderation', 'svc'];
const OWN_FIELDS_OF_IMAGES = ['svc'];

/** What bounds an answer, where that is not the dialect's own word for it in a chat. */
const MAX_TOKENS_FIELD: Readonly<Partial<Record<ProtocolName, MaxTokensField>>> = {
  'openai-completions': 'max_tokens',
  'openai-embeddings': 'max_tokens',
  'openai-responses': 'max_output_tokens',
};
const CHAT_FIELDS = ['max_tokens', 'max_completion_tokens'];
type MaxTokensField = Dialect['maxTokensField'] | 'max_output_tokens';

/**
 * The caller's body with the splices that decisions, section 2, lists, every other byte as it came: the provider's own
 * model name, our fields out, usage asked for on streams, since it must be known, and one limit on the answer where the
 * key's limits or policy need one.
 */
export function toOpenAiBody(call: ChatCall, dialect: Dialect): string {
  const { protocol, source, request, model } = call;
  const body = source.value as Record<string, unknown>;
  const edits: JsonEdit[] = [];
  // Of images the model may be left out, and what is called must be what was admitted.
  if (!Object.hasOwn(body, 'model'))
    edits.push({ kind: 'insert', path: [], key: 'model', json: JSON.stringify(model) });
  else if (model !== body.model) edits.push({ kind: 'replace', path: ['model'], json: JSON.stringify(model) });
  const own = protocol === 'openai-images' ? OWN_FIELDS_OF_IMAGES : OWN_FIELDS;
  for (const field of own) if (Object.hasOwn(body, field)) edits.push({ kind: 'remove', path: [field] });
  const maxTokensField = MAX_TOKENS_FIELD[protocol] ?? dialect.maxTokensField;
  edits.push(...longestAnswer(body, call.imposedMaxTokens, maxTokensField));
  if (request.stream && !request.includeUsage && dialect.streamOptions) edits.push(includeUsage(body.stream_options));
  return edits.length === 0 ? source.text : spliceJson(source.text, edits);
}

/** One bound under one name that the server reads: of two, servers differ in which wins. */
function longestAnswer(
  body: Record<string, unknown>,
  maxOutputTokens: number | undefined,
  field: MaxTokensField,
): JsonEdit[] {
  if (maxOutputTokens === undefined) return [];
  // Who reads the newer name reads the older one too, and some of their models only that.
  const isOlder = field === 'max_completion_tokens' && body[field] == null && body.max_tokens != null;
  const sent = isOlder ? 'max_tokens' : field;
  const others = CHAT_FIELDS.filter((name) => name !== sent && Object.hasOwn(body, name));
  return [
    ...others.map((name): JsonEdit => ({ kind: 'remove', path: [name] })),
    ...setNumber(body, [], sent, maxOutputTokens),
  ];
}

function includeUsage(options: unknown): JsonEdit {
  if (options === undefined) return { kind: 'insert', path: [], key: 'stream_options', json: '{"include_usage":true}' };
  if (options === null) return { kind: 'replace', path: ['stream_options'], json: '{"include_usage":true}' };
  if (Object.hasOwn(options as object, 'include_usage')) {
    return { kind: 'replace', path: ['stream_options', 'include_usage'], json: 'true' };
  }
  return { kind: 'insert', path: ['stream_options'], key: 'include_usage', json: 'true' };
}
