import { Places } from '../places.ts';

/** What the strings of a chat completion request are, where they are not plain text. */
export const CHAT_PLACES = new Places({
  fixed: 'role type detail format id tool_call_id file_id signature encrypted_content data',
  names: 'name filename',
  free: `metadata messages[].parsed messages[].tool_calls[].function.parsed_arguments`,
  schemas: `tools[].function.parameters functions[].parameters response_format.json_schema.schema`,
  json: 'messages[].tool_calls[].function.arguments messages[].function_call.arguments',
  media: `messages[].content[].image_url.url messages[].content[].input_audio.data messages[].content[].file.file_data
    messages[].annotations[].url_citation.url`,
  unread: 'stop stop[]',
  sealed: `messages[].encrypted_content messages[].content[].encrypted_content messages[].reasoning_details[].data
    messages[].reasoning_details[].signature`,
});
