import { expect, it } from '@jest/globals';
import { withoutCallersNames } from './request-record.ts';

it.each([
  ['messages[0].content', 'messages[0].content'],
  ['messages[12].content[3].text', 'messages[12].content[3].text'],
  ['messages[1].tool_calls[0].function.arguments', 'messages[1].tool_calls[0].function.arguments'],
  ['choices[0].content', 'choices[0].content'],
  ['metadata.my password is hunter2', 'metadata.*'],
  [
    'tools[0].function.parameters.properties.iban DE89.description',
    'tools[0].function.parameters.properties.*.description',
  ],
  // A name with dots and brackets.
  ['metadata.a.b[4111111111111111].c', 'metadata.*.*[*].*'],
  ['metadata.4111111111111111', 'metadata.*'],
  ['messages[0].content[1].content[0].source.data', 'messages[0].content[1].content[0].source.data'],
  ['content[0].input.my pin is 1234 (name)', 'content[0].input.*'],
  ['input[3].output[0].text', 'input[3].output[0].text'],
  ['output[1].action.query', 'output[1].action.query'],
  ['', ''],
])('%s keeps only names of the protocols', (field, expected) => expect(withoutCallersNames(field)).toBe(expected));
