import { Places } from '../places.ts';

const BLOCK = 'messages[].content[]';

/** What the strings of a request are, where they are not plain text. */
export const MESSAGES_PLACES = new Places({
  fixed: `role type id tool_use_id media_type ttl file_id signature encrypted_content encrypted_index encrypted_stdout`,
  names: 'name server_name tool_name mcp_server_name',
  free: `metadata ${BLOCK}.input tools[].input_examples`,
  schemas: 'tools[].input_schema output_config.format.schema',
  media: `${BLOCK}.source.data@base64 ${BLOCK}.source.url@url`,
  unread: 'stop_sequences[]',
  sealed: `${BLOCK}.signature ${BLOCK}.data@redacted_thinking ${BLOCK}.encrypted_content ${BLOCK}.citations[].encrypted_index
    ${BLOCK}.content.encrypted_stdout`,
  same: `system[]=${BLOCK} ${BLOCK}.content[]=${BLOCK} ${BLOCK}.source.content[]=${BLOCK} ${BLOCK}.content.content=${BLOCK}
    ${BLOCK}.content.content[]=${BLOCK}`,
});
