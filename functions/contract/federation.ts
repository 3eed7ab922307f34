import * as z from 'zod';

const FEDERATIONS = ['openai', 'google', 'azure'] as const;
const AZURE_SCOPES = ['https://ai.azure.com/.default', 'https://cognitiveservices.azure.com/.default'] as const;

/** A text in the form of an id; each is part of a request that the provider checks. */
function idField(
  form: RegExp,
  fault: string,
  meta: { label: string; hint: string; name: string; description: string },
) {
  const { name, description, ...shown } = meta;
  const option = { name, format: 'text', value: 'ID', help: description } as const;
  return z
    .string()
    .regex(form, fault)
    .optional()
    .meta({ description, ...shown, option });
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const OPENAI_ID = /^[A-Za-z][\w-]{0,127}$/;

/** How a provider trusts the AWS role of the gateway: flat, so that the command line and the dashboard have an option for each field. */
export const federationSchema = z.strictObject({
  kind: z.enum(FEDERATIONS).meta({
    description:
      '`openai`: workload identity federation of OpenAI. `google`: a workload identity pool. `azure`: a federated credential of Microsoft Entra.',
    label: 'Provider of tokens',
    option: {
      name: 'kind',
      format: 'text',
      value: 'WORD',
      help: 'Of the type federation: openai, google, or azure for Microsoft Entra.',
    },
    choiceLabels: {
      openai: 'OpenAI, workload identity federation',
      google: 'Google Cloud, workload identity pool',
      azure: 'Microsoft Entra, federated credential',
    },
  }),
  audience: z
    .string()
    .regex(/^[\x21-\x7e]{1,1000}$/, 'must consist of visible ASCII characters')
    .optional()
    .meta({
      description:
        'The audience of the identity token. The stage setting `federationAudiences` must list it. Default: what the provider expects.',
      label: 'Audience',
      hint: 'Empty: what the provider expects',
      option: {
        name: 'audience',
        format: 'text',
        value: 'TEXT',
        help: 'Audience of the identity token. Default: what the provider expects.',
      },
    }),
  identityProviderId: idField(OPENAI_ID, 'must be an id of OpenAI', {
    label: 'Workload identity provider',
    hint: 'Its id at OpenAI',
    name: 'identity-provider',
    description: 'Of the kind openai: the id of the workload identity provider.',
  }),
  serviceAccountId: idField(OPENAI_ID, 'must be an id of OpenAI', {
    label: 'Service account',
    hint: 'Its id at OpenAI',
    name: 'service-account-id',
    description: 'Of the kind openai: the id of the service account.',
  }),
  workloadProvider: idField(
    /^projects\/\d{1,20}\/locations\/global\/workloadIdentityPools\/[a-z0-9-]{4,32}\/providers\/[a-z0-9-]{4,32}$/,
    'must be projects/NUMBER/locations/global/workloadIdentityPools/POOL/providers/PROVIDER',
    {
      label: 'Provider of the pool',
      hint: 'projects/NUMBER/locations/global/workloadIdentityPools/POOL/providers/PROVIDER',
      name: 'workload-provider',
      description: 'Of the kind google: the resource name of the provider of a workload identity pool.',
    },
  ),
  serviceAccount: idField(
    /^[a-z0-9-]{1,63}@[a-z0-9.-]{1,128}\.gserviceaccount\.com$/,
    'must be the address of a service account',
    {
      label: 'Service account',
      hint: 'Its address; empty: tokens of the pool itself',
      name: 'service-account',
      description: 'Of the kind google: the address of the service account to impersonate. Default: none.',
    },
  ),
  tenantId: idField(UUID, 'must be a UUID', {
    label: 'Tenant',
    hint: 'Directory (tenant) id',
    name: 'tenant',
    description: 'Of the kind azure: the id of the tenant.',
  }),
  clientId: idField(UUID, 'must be a UUID', {
    label: 'Application',
    hint: 'Application (client) id',
    name: 'client',
    description: 'Of the kind azure: the client id of the application or managed identity.',
  }),
  scope: z
    .enum(AZURE_SCOPES)
    .optional()
    .meta({
      description: `Of the kind azure: the scope of the access token. Default: \`${AZURE_SCOPES[0]}\`.`,
      label: 'Scope',
      option: {
        name: 'scope',
        format: 'text',
        value: 'URL',
        help: `Of the kind azure: the scope of the access token. Default: ${AZURE_SCOPES[0]}.`,
      },
    }),
});
