/** Names of fields that the protocols fix, in which texts stand. */
const FIXED = new Set([
  ...['messages', 'content', 'text', 'refusal', 'reasoning', 'name', 'audio', 'transcript', 'image_url', 'input_audio'],
  ...[
    'file',
    'filename',
    'tool_calls',
    'function_call',
    'function',
    'custom',
    'arguments',
    'input',
    'output',
    'system',
  ],
  ...['tools', 'description', 'parameters', 'properties', 'items', 'enum', 'required', 'title', 'default', 'format'],
  ...['response_format', 'json_schema', 'schema', 'instructions', 'prompt', 'suffix', 'stop', 'user', 'metadata'],
  ...['thinking', 'source', 'data', 'context', 'citations', 'cited_text', 'document_title', 'stdout', 'stderr', 'url'],
  ...['input_schema', 'input_examples', 'output_config', 'stop_sequences', 'stop_details', 'explanation'],
  ...[
    'summary',
    'code',
    'action',
    'results',
    'outputs',
    'logs',
    'queries',
    'annotations',
    'commands',
    'operation',
    'diff',
  ],
  ...['variables', 'response', 'error', 'message', 'events', 'delta', 'server_description', 'server_url', 'path'],
  ...['prediction', 'tool_choice', 'grammar', 'definition', 'choices', 'contents', 'parts', 'query', 'documents'],
  ...['annotations', 'url_citation', 'candidates', 'functionCall', 'functionResponse', 'args', 'response'],
]);

/** A field's path in which every name that the caller made up is `*`: what he calls a field may tell as much as its text. */
export function withoutCallersNames(field: string): string {
  // No list in a body is so long that its index has more digits; a card number has.
  return field.replace(/\[\d{1,7}\]|[^.[\]]+/g, (step) => (step.startsWith('[') || FIXED.has(step) ? step : '*'));
}
