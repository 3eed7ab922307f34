import { batchOperations } from './batches.ts';
import { bedrockOperations } from './bedrock.ts';
import type { GatewayOperations } from './gateway-operation.ts';
import { geminiOperations } from './gemini.ts';
import { mcpOperations } from './mcp.ts';
import { mediaOperations } from './media.ts';
import { messagesOperations } from './messages.ts';
import { modelOperations } from './models.ts';
import { openaiOperations } from './openai.ts';
import { responsesOperations } from './responses.ts';
import { guardOperations, serviceOperations } from './service.ts';

/** Every operation of the gateway, by its id. If two paths match a request, the first wins. */
export const GATEWAY_OPERATIONS: GatewayOperations = {
  ...openaiOperations,
  ...mediaOperations,
  ...responsesOperations,
  ...messagesOperations,
  ...batchOperations,
  ...geminiOperations,
  ...bedrockOperations,
  ...mcpOperations,
  ...guardOperations,
  ...modelOperations,
  ...serviceOperations,
};
