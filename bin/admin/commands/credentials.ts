import type { BodyOf } from '../../../functions/contract/index.ts';
import { type Command, UsageError } from '../command.ts';
import { bodyFrom, optionsOf } from '../fields.ts';

const ID = ['ID'];
const VALUE = 'Value of the credential';
const PROVIDER = { help: 'The provider, such as openai.' };

export const CREDENTIAL_COMMANDS: readonly Command[] = [
  {
    name: 'credentials list',
    args: [],
    summary: 'Lists the credentials that the gateway keeps for providers, without their values.',
    options: {},
    examples: ['credentials list'],
    async run(_, { api, out }) {
      const { data } = await api().call('listCredentials', {});
      out.list(data, {
        ID: ({ id }) => id,
        NAME: ({ name }) => name,
        PROVIDER: ({ provider }) => provider,
        HOSTS: ({ hosts }) => hosts.join(),
        KEPT: ({ type, last4, federation }) =>
          federation ? `${type}, ${federation.kind}` : last4 === null ? type : `${type}, ...${last4}`,
        STATE: ({ state }) => state,
        'OLD VALUE UNTIL': ({ previous }) => previous?.validUntil,
        'LAST USED': ({ lastUsedAt }) => lastUsedAt,
      });
      return 0;
    },
  },
  {
    name: 'credentials show',
    args: ID,
    summary: 'Shows a credential, without its value.',
    options: {},
    examples: ['credentials show cred_...'],
    async run(input, { api, out }) {
      out.thing(await api().call('getCredential', { params: { id: input.arg(0) } }));
      return 0;
    },
  },
  {
    name: 'credentials create',
    args: ['PROVIDER', 'NAME'],
    argHelp: { PROVIDER },
    summary:
      'Stores a credential; its value is read from standard input, on a terminal without echo. One of the type federation has none.',
    options: optionsOf('createCredential', 'name', 'provider', 'value'),
    examples: [
      'credentials create openai "OpenAI, production" < key.txt',
      'credentials create openai Shared --type secret --secret-arn arn:aws:secretsmanager:... --secret-field key',
      'credentials create openai "No key" --type federation --kind openai --identity-provider wip_... --service-account-id sa_...',
      'credentials create azure "No key" --type federation --kind azure --tenant ... --client ...',
    ],
    async run(input, context) {
      const { api, out, readSecret } = context;
      const fields = await bodyFrom('createCredential', input, context);
      const value = (fields.type ?? 'sealed') === 'sealed' ? { value: await readSecret(VALUE) } : {};
      const body = { ...fields, ...value, provider: input.arg(0), name: input.arg(1) } as BodyOf<'createCredential'>;
      const credential = await api().call('createCredential', { body });
      if (out.json) out.thing(credential);
      out.say(`Created ${credential.id} for ${credential.hosts.join(', ')}.`);
      return 0;
    },
  },
  {
    name: 'credentials set',
    args: ID,
    summary: 'Changes the named fields of a credential.',
    options: optionsOf('updateCredential', 'provider', 'hosts'),
    examples: ['credentials set cred_... --state disabled'],
    async run(input, context) {
      const { api, out } = context;
      const body = await bodyFrom('updateCredential', input, context);
      if (Object.keys(body).length === 0) throw new UsageError('Name at least one field to change.');
      const credential = await api().call('updateCredential', { params: { id: input.arg(0) }, body });
      if (out.json) out.thing(credential);
      out.say(`${credential.id} is ${credential.state}.`);
      return 0;
    },
  },
  {
    name: 'credentials rotate',
    args: ID,
    summary: 'Gives a credential a new value, read from standard input, on a terminal without echo.',
    options: optionsOf('rotateCredential', 'value'),
    examples: ['credentials rotate cred_... --grace 1h < key.txt'],
    async run(input, context) {
      const { api, out, readSecret } = context;
      const fields = await bodyFrom('rotateCredential', input, context);
      const body = { ...fields, value: await readSecret(VALUE) } as BodyOf<'rotateCredential'>;
      const credential = await api().call('rotateCredential', { params: { id: input.arg(0) }, body });
      if (out.json) out.thing(credential);
      const until = credential.previous?.validUntil;
      out.say(
        `Rotated ${credential.id}. ${until ? `The old value is kept until ${until}.` : 'The old value is deleted.'}`,
      );
      return 0;
    },
  },
  {
    name: 'credentials test',
    args: ID,
    summary: 'Tests the value of a credential at its provider. Exits with 1 if it fails.',
    options: {},
    examples: ['credentials test cred_...'],
    async run(input, { api, out }) {
      const test = await api().call('testCredential', { params: { id: input.arg(0) } });
      out.thing(test);
      return test.result === 'ok' ? 0 : 1;
    },
  },
  {
    name: 'credentials delete',
    args: ID,
    summary: 'Deletes a credential and its values.',
    options: {},
    examples: ['credentials delete cred_...', 'credentials delete cred_... --yes'],
    async run(input, { api, out, confirm }) {
      const client = api();
      const call = { params: { id: input.arg(0) } };
      const { name, provider } = await client.call('getCredential', call);
      await confirm(`Delete ${input.arg(0)}, ${name}, for ${provider}?`);
      const answer = await client.call('deleteCredential', call);
      if (out.json) out.thing(answer);
      out.say(`Deleted ${input.arg(0)}.`);
      return 0;
    },
  },
];
