/** A request with tools, in each API. */

export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** Arguments with their schemas. */
  readonly properties?: Readonly<Record<string, object>>;
}

interface Api {
  readonly path: string;
  /** The place of a tool in the request. */
  readonly place: (at: number) => string;
  readonly body: (tools: readonly Tool[]) => object;
}

const schemaOf = ({ properties = {} }: Tool) => ({ type: 'object', properties });
const textOf = ({ name, description = 'Does it.' }: Tool) => ({ name, description });
const said = { role: 'user', content: 'Hello there.' };

export const APIS: Readonly<Record<'chat' | 'responses' | 'messages' | 'gemini', Api>> = {
  chat: {
    path: '/chat/completions',
    place: (at) => `tools[${at}].function`,
    body: (tools) => ({
      model: 'gpt-4o-mini',
      messages: [said],
      tools: tools.map((tool) => ({ type: 'function', function: { ...textOf(tool), parameters: schemaOf(tool) } })),
    }),
  },
  responses: {
    path: '/responses',
    place: (at) => `tools[${at}]`,
    body: (tools) => ({
      model: 'gpt-4o-mini',
      input: [said],
      tools: tools.map((tool) => ({ type: 'function', ...textOf(tool), parameters: schemaOf(tool) })),
    }),
  },
  messages: {
    path: '/messages',
    place: (at) => `tools[${at}]`,
    body: (tools) => ({
      model: 'claude-sonnet-4-5',
      max_tokens: 99,
      messages: [said],
      tools: tools.map((tool) => ({ ...textOf(tool), input_schema: schemaOf(tool) })),
    }),
  },
  gemini: {
    path: '/models/echo:generateContent',
    place: (at) => `tools[0].functionDeclarations[${at}]`,
    body: (tools) => ({
      contents: [{ role: 'user', parts: [{ text: said.content }] }],
      tools: [{ functionDeclarations: tools.map((tool) => ({ ...textOf(tool), parameters: schemaOf(tool) })) }],
    }),
  },
};
