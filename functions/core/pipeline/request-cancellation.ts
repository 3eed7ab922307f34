import * as z from 'zod';

export const requestCancellationSchema = z
  .object({
    id: z.string().meta({ description: "The stream's request." }),
    object: z.literal('request.cancellation'),
    status: z.literal('cancelled'),
  })
  .meta({ id: 'RequestCancellation', description: 'A stream that was ended before its answer was whole.' });
export type RequestCancellation = z.infer<typeof requestCancellationSchema>;
