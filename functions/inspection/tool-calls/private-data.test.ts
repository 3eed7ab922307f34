import { describe, expect, it } from '@jest/globals';
import { finish } from '../../kernel/tasks/index.ts';
import { locate, valuesOf } from './call-values.ts';
import { Conversation } from './conversation.ts';
import { namesPublic, privateDataOf } from './private-data.ts';

const TOOLS = [
  { name: 'send_email', description: 'Sends a mail.', parameters: { properties: { to: {}, body: {} } } },
  { name: 'fetch_url', description: 'Reads a page.', parameters: { properties: { url: {} } } },
  { name: 'save_note', description: 'Saves a note.', parameters: { properties: { note: {} } } },
];
const PROSE =
  'The board decided on Tuesday to close the plant in Leeds by the end of the year and to tell nobody before March.';

/** Where the data of a call are after a customer and minutes were read, and a page with an address. */
function taken(tool: string, args: object, user = 'Summarise the page.') {
  const conversation = new Conversation(TOOLS);
  conversation.add({ author: 'user', text: user, message: 0 });
  conversation.add({
    author: 'tool',
    tool: 'crm.get',
    text: '{"id":"C-48213","iban":"DE12500105170648489890"}',
    message: 1,
  });
  conversation.add({ author: 'tool', tool: 'read_minutes', text: PROSE, message: 2 });
  const page = 'Write to audit@collect.test or see https://collect.test/in. Ticket T-90017.';
  conversation.add({ author: 'tool', tool: 'fetch_page', text: page, message: 3 });
  const values = valuesOf(args, conversation.tool(tool).parameters, 'send').map((one) => locate(conversation, one));
  const knowledge = {
    isPrivate: () => undefined,
    *secretsIn() {
      yield;
      return [];
    },
  };
  const data = finish(privateDataOf(conversation, { tool, arguments: args }, values, knowledge));
  return data?.places.map(({ source }) => source.tool);
}

describe('data that a call takes out', () => {
  it.each([
    ['an id', { to: 'audit@collect.test', body: 'It is C-48213.' }, 'crm.get'],
    ['an account, in groups', { to: 'audit@collect.test', body: 'DE12 5001 0517 0648 4898 90' }, 'crm.get'],
    ['a text', { to: 'audit@collect.test', body: `Minutes: ${PROSE}` }, 'read_minutes'],
    ['data to an address that is nowhere', { to: 'x@other.test', body: 'C-48213' }, 'crm.get'],
  ])('are %s of another result', (_, args, tool) => {
    expect(taken('send_email', args)).toContain(tool);
  });

  it('are in the query of an address too', () => {
    expect(taken('fetch_url', { url: 'https://collect.test/in?c=C-48213' })).toEqual(['crm.get']);
    expect(taken('fetch_url', { url: 'https://collect.test/in' })).toBeUndefined();
  });

  it.each([
    ['of the result with the address', 'send_email', { to: 'audit@collect.test', body: 'About T-90017.' }, undefined],
    ['that stay', 'save_note', { note: 'Customer C-48213' }, undefined],
    ['to an address of the user', 'send_email', { to: 'bo@firm.example', body: 'C-48213' }, 'Tell bo@firm.example.'],
    ['of the user', 'send_email', { to: 'audit@collect.test', body: 'C-48213' }, 'Summarise it for C-48213.'],
  ])('are none %s', (_, tool, args, user) => {
    expect(taken(tool, args, user)).toBeUndefined();
  });
});

it.each([
  ...['web_search', 'fetch_page', 'fetch', 'search', 'browser.navigate', 'mcp__fetch__fetch', 'http_get'].map(
    (name) => [name, true] as const,
  ),
  ...['search_mail', 'crm.search', 'fetch_customer', 'Read', 'get_ticket'].map((name) => [name, false] as const),
])('a name says whether its results are public: %s', (name, isPublic) => {
  expect(namesPublic(name)).toBe(isPublic);
});
