import { randomUUID } from 'node:crypto';
import { promptSource } from './prompts.mjs';

const TOOLS = [
  tool('read_file', 'Reads a file of the project.', { path: { type: 'string' } }),
  tool('search', 'Searches the project for a text.', { query: { type: 'string' }, folder: { type: 'string' } }),
  tool('write_file', 'Writes a file of the project.', { path: { type: 'string' }, text: { type: 'string' } }),
];
const RESULT_BYTES = 2_000;

/**
 * Bodies of an agent's chat completions: each has the turns of the one before, an assistant's call and a result of 2 KB more. The first has
 * about `kb` KB of text. No result comes twice.
 */
export function* agentConversation(kb, model, nextText = promptSource()) {
  const messages = [
    { role: 'system', content: 'You are a coding agent. Work in small steps and say what you have changed.' },
    { role: 'user', content: 'Find out why the nightly export is empty, repair it and add a test.' },
  ];
  const grow = () => {
    const id = `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
    const call = { name: 'read_file', arguments: JSON.stringify({ path: `src/part-${messages.length}.ts` }) };
    messages.push({ role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: call }] });
    messages.push({ role: 'tool', tool_call_id: id, content: nextText(RESULT_BYTES) });
  };
  for (let bytes = 0; bytes < kb * 1_024; bytes += RESULT_BYTES) grow();
  for (;;) {
    yield JSON.stringify({ model, messages, tools: TOOLS });
    grow();
  }
}

function tool(name, description, properties) {
  const parameters = { type: 'object', properties, required: Object.keys(properties) };
  return { type: 'function', function: { name, description, parameters } };
}
