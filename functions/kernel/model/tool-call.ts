import * as z from 'zod';
import { usualPath } from './origin.ts';
import { ACTIONS } from './threat.ts';
import { TOOL_EFFECTS } from './tool-policy.ts';

/** Who wrote the value of an argument: the user or the operator, a whole field or a part of a third party's text, or no text of the conversation. */
export const VALUE_AUTHORS = ['user', 'field', 'prose', 'none'] as const;

/** A tool call of a response as records have it: places, never a value. */
export const toolCallSchema = z.object({
  tool: z.string(),
  effect: z.enum(TOOL_EFFECTS),
  action: z.enum(ACTIONS),
  arguments: z
    .array(
      z.object({
        argument: z.string().meta({ description: 'Its path, such as `to[0]`.' }),
        from: z.enum(VALUE_AUTHORS).meta({
          description:
            'Who wrote the value: `user` (or the operator), a whole `field` of a result, `prose` (a part of a text), or `none` if the conversation does not contain it.',
        }),
        message: z.int().min(0).optional().meta({ description: 'Index of the message with the value.' }),
        tool: z
          .string()
          .nullable()
          .optional()
          .meta({ description: 'The tool whose result it is; null for a document.' }),
        field: z.string().optional().meta({ description: 'Path in the result.' }),
        isPart: z.literal(true).optional().meta({
          description: 'Only a part of the `field`, or of the argument: a rule with this field does not hold.',
        }),
      }),
    )
    .meta({
      description:
        'Arguments with a value that a third party could have written, twelve at most. None for calls that only read.',
    }),
  approval: z
    .object({ id: z.string(), releasedBy: z.enum(['user', 'operator']).optional() })
    .optional()
    .meta({
      description:
        'The approval that was asked for. `releasedBy`: who released the call, the `user` by the code or an `operator`; absent if it was not sent.',
    }),
});
export type RecordedToolCall = z.infer<typeof toolCallSchema>;

/** The same for records: unusual names are `*`. */
export function usualToolCall({ tool, arguments: args, ...rest }: RecordedToolCall): RecordedToolCall {
  return {
    ...rest,
    tool: usualTool(tool),
    arguments: args.map((one) => ({
      ...one,
      argument: usualPath(one.argument),
      ...(one.tool != null && { tool: usualPath(one.tool) }),
      ...(one.field !== undefined && { field: usualPath(one.field) }),
    })),
  };
}

/** The name of a tool, or of one of an MCP server: `server/tool`. */
function usualTool(tool: string): string {
  const parts = tool.split('/');
  return parts.length === 2 ? parts.map(usualPath).join('/') : usualPath(tool);
}
