import { placesOf } from '../answer-places.ts';

/** Where an answer of the Responses API holds no text: https://platform.openai.com/docs/api-reference/responses */

const OF_PARTS = {
  id: 'type annotations[].type annotations[].file_id annotations[].container_id',
  logprobs: 'logprobs',
};
const OF_ITEMS = {
  id: 'type id status role phase call_id namespace server_label approval_request_id container_id caller.type caller.caller_id created_by fingerprint execution action.type action.sources[].type summary[].type results[].file_id outputs[].type output[].type output[].outcome.type output[].file_id output.type output.file_id tools[].type tools[].name environment.type environment.container_id operation.type',
  data: 'encrypted_content content[].encrypted_content',
  address: 'outputs[].url output.image_url output[].image_url',
  free: 'results[].attributes tools[].input_schema tools[].annotations',
};

export const ANNOTATION = placesOf({ '': { id: 'type file_id container_id' } });
export const PART = placesOf({ '': OF_PARTS });
export const ITEM = placesOf({ '': OF_ITEMS, 'content[]': OF_PARTS });
export const IMAGE_ITEM = placesOf({
  '': { id: `${OF_ITEMS.id} background output_format quality size`, data: 'result' },
});
export const EVENT = placesOf({
  '': { id: 'type item_id call_id obfuscation', data: 'partial_image_b64', logprobs: 'logprobs' },
});
export const AUDIO_EVENT = placesOf({ '': { id: 'type item_id response_id', data: 'delta' } });
export const RESPONSE = placesOf({
  '': {
    id: 'id object status model service_tier truncation previous_response_id tool_choice tool_choice.type tool_choice.name tools[].type tools[].name reasoning.effort reasoning.summary text.format.type text.format.name text.verbosity prompt.id prompt.version conversation.id prompt_cache_retention incomplete_details.reason error.code',
  },
});
