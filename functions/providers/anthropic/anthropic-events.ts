import * as z from 'zod';
import { AnthropicUsage } from '../../core/protocols/anthropic-messages/usage-and-stop-reasons.ts';

/** The events of a streamed message, as far as the gateway reads them (SDK 1.11.0, RawMessageStreamEvent). */
export const AnyEvent = z.looseObject({ type: z.string() });

export const MessageStart = z.looseObject({
  message: z.looseObject({ id: z.string(), model: z.string(), usage: AnthropicUsage }),
});

export const BlockStart = z.looseObject({ index: z.int(), content_block: z.looseObject({ type: z.string() }) });
export const TextBlockStart = z.looseObject({ text: z.string() });
export const ToolBlockStart = z.looseObject({ id: z.string(), name: z.string(), input: z.unknown().optional() });

export const BlockDelta = z.looseObject({ index: z.int(), delta: z.looseObject({ type: z.string() }) });
export const TextDelta = z.looseObject({ text: z.string() });
export const InputJsonDelta = z.looseObject({ partial_json: z.string() });

export const BlockStop = z.looseObject({ index: z.int() });

export const MessageDelta = z.looseObject({
  delta: z.looseObject({ stop_reason: z.string().nullish() }),
  usage: AnthropicUsage,
});

export const ErrorEvent = z.looseObject({ error: z.looseObject({ type: z.string() }) });
