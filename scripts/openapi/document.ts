/**
 * The OpenAPI document of all routes. As a program (npm run generate openapi) it writes functions/gateway/openapi.generated.json,
 * which `GET /openapi.json` serves. With --check it writes nothing and exits with 1 if the file is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { messagesErrorSchema } from '../../functions/translation/protocols/anthropic-messages/messages-schema.ts';
import { bedrockErrorSchema } from '../../functions/translation/protocols/bedrock/converse-schema.ts';
import { errorResponseSchema } from '../../functions/translation/protocols/openai-chat/chat-response-schema.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { type Json, toComponents } from './components.ts';
import { errorComponents } from './errors.ts';
import { HEADERS, REQUEST_HEADERS } from './headers.ts';
import { documentedSchemas, documentPaths } from './operations.ts';

const DESCRIPTION = [
  'A gateway that inspects requests to language models and their responses. It is compatible with the APIs of OpenAI,',
  'Anthropic and Google: clients change only their base URL and their key. Every response has a request id. An unknown path',
  'is a 404, an unsupported method a 405; both have the usual error body.',
].join(' ');

const KEY_NOTE = 'A key, `svc_sk_...`. If several headers have a key, all must be the same.';

/** The OpenAPI document of all routes. */
export function openapiDocument(): Json {
  const { requests, responses } = documentedSchemas();
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc gateway',
      version: packageJson.version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '/',
        description: 'The address of this document. In a deployment the admin API has a different address.',
      },
    ],
    tags: [
      { name: 'Chat', description: 'Chat completions, inspected.' },
      { name: 'Responses', description: "OpenAI's Responses API, inspected." },
      { name: 'Messages', description: "Anthropic's API, inspected." },
      { name: 'Admin', description: "Keys, webhooks, the deployment's policy and the audit log." },
      { name: 'Approvals', description: 'Tool calls that wait for a person.' },
      { name: 'Analytics', description: 'Totals and records of requests.' },
      { name: 'Service', description: 'Health and this document; without a key.' },
    ],
    paths: documentPaths(),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: KEY_NOTE },
        svcApiKey: { type: 'apiKey', in: 'header', name: 'X-Svc-API-Key', description: KEY_NOTE },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: `The header of Anthropic's SDKs. ${KEY_NOTE}`,
        },
        googApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-goog-api-key',
          description: `The header of Google's SDKs. ${KEY_NOTE}`,
        },
        dashboardSession: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-svc_session',
          description:
            'Set by `POST /v1/admin/session`; `svc_session` on one machine. Calls other than GET also need the header `X-Svc-Csrf` with the `csrfToken` of that response.',
        },
      },
      parameters: REQUEST_HEADERS,
      headers: HEADERS,
      responses: errorComponents(),
      schemas: toComponents(requests, [...responses, errorResponseSchema, messagesErrorSchema, bedrockErrorSchema]),
    },
  };
}

/** The text of functions/gateway/openapi.generated.json. */
export function openapiText(): string {
  return `${JSON.stringify(openapiDocument(), null, 2)}\n`;
}

if (process.argv[1] === import.meta.filename) {
  const path = 'functions/gateway/openapi.generated.json';
  const file = new URL(`../../${path}`, import.meta.url);
  if (!process.argv.includes('--check')) writeFileSync(file, openapiText());
  else if (readFileSync(file, 'utf8') !== openapiText()) {
    console.error(`${path} is stale: npm run generate openapi`);
    process.exitCode = 1;
  }
}
