/**
 * A member's name as the most lenient server reads it. Go ignores case by Unicode's simple folding (`ſ` is `s`, the Kelvin sign is `k`:
 * https://pkg.go.dev/encoding/json#Unmarshal), protobuf takes camelCase for snake_case (https://protobuf.dev/programming-guides/json), others
 * normalize, trim or drop invisible characters.
 */
export function asReadLeniently(name: string): string {
  if (/^[\w.-]*$/.test(name)) return name.replace(/[_.-]/g, '').toLowerCase();
  // Upper case first: it also unites `ß` with `ss`, and the dotless i with i.
  const folded = name.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD');
  return folded.replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Members of the supported APIs that hold text, or decide what a request costs, which tools and state it uses and what is inspected. Each has
 * its documented spelling only. Names of models are read in any spelling (`furtherModels`).
 */
export const KNOWN_NAMES: readonly string[] = [
  // Text and its place.
  'messages message role content contents parts text prompt prompts input inputs instruction instructions system query',
  'documents document suffix prefix prediction name description arguments input_schema function functions function_call tool_calls',
  'tool_call_id tool_use_id call_id tools tool_choice parallel_tool_calls type refusal reasoning reasoning_content thinking summary output',
  'source data url image image_url images mask input_audio audio file file_id file_url file_data citations response_format schema',
  'json_schema output_config user',
  // Bounds and cost.
  'max_tokens max_completion_tokens max_output_tokens max_new_tokens max_gen_len max_length max_tokens_to_sample n_predict num_predict best_of',
  'n n_cmpl num_return_sequences tokens_to_generate max_tool_calls max_uses max_num_results top_n top_logprobs logprobs echo budget_tokens',
  'reasoning_effort effort stop stop_sequences stream stream_options store background service_tier speed inference_geo truncation dimensions modalities size',
  'quality partial_images voice language',
  // State, further models and tools of the provider.
  'previous_response_id previous_message_id conversation thread container mcp_servers web_search_options plugins search_parameters enable_search',
  'connectors file_ids container_id vector_store_ids provider route transforms context_management moderation svc',
].flatMap((line) => line.split(' '));

/** Members below which the caller, a tool or a model chooses the names, and the gateway's, which no provider receives. */
export const HOLD_OTHER_NAMES: ReadonlySet<string> = new Set([
  'arguments',
  'schema',
  'input_schema',
  'parameters',
  'svc',
]);
