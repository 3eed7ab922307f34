import { Places } from '../places.ts';

const PART = 'input[].content[]';

/** What the strings of a request are, where they are not plain text. */
export const RESPONSES_PLACES = new Places({
  fixed: `type id call_id item_id status role object phase detail format mode ttl execution approval_request_id container_id
    caller_id created_by server_label namespace fingerprint obfuscation file_id file_ids encrypted_content`,
  names: 'name filename tool_name tool_names',
  fixedIn: 'tools[].headers tools[].authorization',
  free: 'metadata prompt.variables input[].arguments input[].results[].attributes',
  schemas: `tools[].parameters tools[].tools[].parameters text.format.schema input[].tools[].parameters
    input[].tools[].input_schema`,
  json: 'input[].arguments',
  media: `${PART}.image_url ${PART}.file_data ${PART}.file_url ${PART}.input_audio.data input[].output.image_url
    input[].result@image_generation_call input[].outputs[].url@image tools[].input_image_mask.image_url`,
  sealed: 'input[].encrypted_content',
  same: `input[].output[]=${PART}`,
});
