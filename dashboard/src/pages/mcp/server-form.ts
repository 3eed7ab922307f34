import type { BodyOf, RowOf } from '../../../../functions/contract/index.ts';
import { type FormField, OPERATIONS } from '../../api/operations.ts';
import { changedFields, defaultsOf, type Form, type Made, toBody, toForm } from '../../components/field-form.ts';

export type Server = RowOf<'listMcpServers'>;
export type Tool = RowOf<'listMcpTools'>;
type Credential = Pick<RowOf<'listCredentials'>, 'id' | 'name' | 'teamId'>;
type Auth = Server['auth'];
type AuthType = Auth['type'];

/** What a form sets of a server; the last five are its `auth`. */
interface ServerFields extends Pick<Server, 'url' | 'trust' | 'onChange' | 'toolLimits'> {
  readonly authType: AuthType;
  readonly credentialId?: string;
  readonly clientId?: string;
  readonly tokenUrl?: string;
  readonly scope?: string;
}
const AUTH_NAMES = ['authType', 'credentialId', 'clientId', 'tokenUrl', 'scope'] as const;

const AUTH_TYPE: FormField = {
  name: 'authType',
  label: 'Sign in at the server',
  kind: 'select',
  isRequired: true,
  choices: ['none', 'credential', 'clientCredentials'],
  choiceLabels: {
    none: 'Without a credential',
    credential: 'With a stored credential',
    clientCredentials: 'With OAuth client credentials',
  },
};
const CLIENT_FIELDS: readonly FormField[] = [
  { name: 'clientId', label: 'Client id', kind: 'text', isRequired: true, maxLength: 256 },
  { name: 'tokenUrl', label: 'Token endpoint', hint: 'Empty: by the metadata of the server', kind: 'text' },
  { name: 'scope', label: 'Scope', hint: 'Empty: none', kind: 'text' },
];

/** The fields of a server, as they depend on what is entered. @param credentials undefined if they are not known: the id is entered */
export function serverFields(
  isNew: boolean,
  credentials: readonly Credential[] | undefined,
): (form: Form) => readonly FormField[] {
  const [name, url, ...others] = OPERATIONS.createMcpServer.body as [FormField, FormField, ...FormField[]];
  const ofAuth = {
    none: [],
    credential: [credentialField(credentials, 'Credential')],
    clientCredentials: [credentialField(credentials, 'Client secret'), ...CLIENT_FIELDS],
  };
  return ({ authType }) => [
    ...(isNew ? [name] : []),
    url,
    AUTH_TYPE,
    ...ofAuth[(authType as AuthType | undefined) ?? 'none'],
    ...others,
  ];
}

/** All fields that a change may be of. */
export function allServerFields(credentials: readonly Credential[] | undefined): readonly FormField[] {
  return serverFields(false, credentials)({ authType: 'clientCredentials' });
}

function credentialField(credentials: readonly Credential[] | undefined, label: string): FormField {
  const named = { name: 'credentialId', label, isRequired: true };
  if (credentials === undefined) return { ...named, kind: 'text', hint: 'cred_...' };
  const usable = credentials.filter(({ teamId }) => teamId === null);
  const choiceLabels = Object.fromEntries(usable.map(({ id, name }) => [id, `${name} (${id.slice(0, 13)}…)`]));
  return {
    ...named,
    kind: 'select',
    choices: ['', ...usable.map(({ id }) => id)],
    choiceLabels: { ...choiceLabels, '': 'Choose a credential' },
  };
}

export function newServerForm(): Form {
  const fields = [...OPERATIONS.createMcpServer.body, ...allServerFields(undefined)];
  return toForm(fields, { ...defaultsOf(OPERATIONS.createMcpServer.body), authType: 'none' });
}

/** What can be changed of a server, as the form has it. */
export function storedFields({ url, auth, trust, onChange, toolLimits = [] }: Server): ServerFields {
  const { type: authType, ...ofAuth } = auth;
  return { url, authType, ...ofAuth, trust, onChange, toolLimits } as ServerFields;
}

/** The fields of the form, or the first invalid one. */
export function readForm(fields: readonly FormField[], form: Form): Made<ServerFields> {
  const missing = {
    name: 'Enter a name.',
    url: 'Enter the address of the server.',
    credentialId: 'Choose a credential.',
  };
  const made = toBody<ServerFields>(fields, form, missing);
  return 'fault' in made ? made : { body: { ...made.body, toolLimits: made.body.toolLimits ?? [] } };
}

export function toCreateBody({ authType, credentialId, clientId, tokenUrl, scope, ...body }: ServerFields) {
  return { ...body, auth: authOf({ authType, credentialId, clientId, tokenUrl, scope }) } as BodyOf<'createMcpServer'>;
}

/** What a save changes: of `auth` all or nothing. */
export function toUpdateBody(before: ServerFields, after: ServerFields): BodyOf<'updateMcpServer'> {
  const changed = changedFields(before, after);
  const isOfAuth = (name: string) => AUTH_NAMES.some((one) => one === name);
  const changesAuth = AUTH_NAMES.some((name) => before[name] !== after[name]);
  const others = Object.fromEntries(Object.entries(changed).filter(([name]) => !isOfAuth(name)));
  return { ...others, ...(changesAuth && { auth: authOf(after) }) };
}

function authOf(fields: { readonly [Name in (typeof AUTH_NAMES)[number]]?: string | undefined }): Auth {
  const { authType: type, ...rest } = fields;
  if (type === 'none' || type === undefined) return { type: 'none' };
  if (type === 'credential') return { type, credentialId: rest.credentialId as string };
  const { credentialId, clientId, tokenUrl, scope } = rest;
  const set = { credentialId, clientId, tokenUrl, scope };
  return { type, ...Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined)) } as Auth;
}
