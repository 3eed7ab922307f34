import * as z from 'zod';
import { type Caller, callerFields } from './caller.ts';

/** Whether the texts of requests and responses are kept, and how. */
export const CAPTURE_MODES = ['none', 'redacted', 'full'] as const;
export type CaptureMode = Exclude<(typeof CAPTURE_MODES)[number], 'none'>;

/** The texts of one exchange, and who made it; captures of earlier releases lack that. */
export interface Capture extends Caller {
  readonly mode: CaptureMode;
  /** The request's body. */
  readonly request: string;
  /** The response's texts by channel, such as `choices[0].content`; read-only ones, such as reasoning, are never changed. */
  readonly answer: readonly { readonly channel: string; readonly text: string; readonly isReadOnly?: true }[];
  /** Tool calls of the response as the model made them, if it is captured in full. Absent without any, and in older captures. */
  readonly calls?: readonly { readonly tool: string; readonly field: string; readonly arguments: string }[] | undefined;
  /** One of the texts is cut off. */
  readonly truncated: boolean;
}

export const captureSchema = z
  .object({
    object: z.literal('capture'),
    requestId: z.string(),
    mode: z.enum(['redacted', 'full']),
    request: z.string().meta({ description: "The request's body, at most 50,000 characters." }),
    answer: z.array(z.object({ channel: z.string(), text: z.string(), isReadOnly: z.literal(true).optional() })),
    calls: z
      .array(z.object({ tool: z.string(), field: z.string(), arguments: z.string() }))
      .readonly()
      .optional()
      .meta({
        description: 'Tool calls as the model made them. Only of full captures; absent without any, and in older ones.',
      }),
    truncated: z.boolean(),
    ...callerFields,
  })
  .meta({ id: 'Capture', description: 'The texts of one request, kept by the policy of its key.' });
