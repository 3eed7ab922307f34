import { expect, it } from '@jest/globals';
import { toForm } from '../../components/field-form.ts';
import {
  allServerFields,
  newServerForm,
  readForm,
  type Server,
  serverFields,
  storedFields,
  toCreateBody,
  toUpdateBody,
} from './server-form.ts';

const CREDENTIALS = [
  { id: 'cred_a', name: 'crm', teamId: null },
  { id: 'cred_b', name: 'other', teamId: 'team_1' },
];
const fieldsOf = serverFields(true, CREDENTIALS);
const server: Server = {
  ...{ object: 'mcp.server', name: 'crm', url: 'https://crm.example/mcp', trust: 'public', onChange: 'block' },
  ...{ state: 'active', approvedTools: 0 },
  auth: { type: 'clientCredentials', credentialId: 'cred_a', clientId: 'svc' },
};

function made(entered: object) {
  const form = { ...newServerForm(), name: 'crm', url: server.url, ...entered };
  const read = readForm(fieldsOf(form), form);
  return 'fault' in read ? read : toCreateBody(read.body);
}

it('a new server has no credential, or one, or a client', () => {
  const common = { name: 'crm', url: server.url, trust: 'public', onChange: 'block', toolLimits: [] };
  expect(made({})).toEqual({ ...common, auth: { type: 'none' } });
  expect(made({ authType: 'credential', credentialId: 'cred_a' })).toEqual({
    ...common,
    auth: { type: 'credential', credentialId: 'cred_a' },
  });
  const client = { credentialId: 'cred_a', clientId: 'svc', scope: 'read' };
  expect(made({ authType: 'clientCredentials', ...client })).toEqual({
    ...common,
    auth: { type: 'clientCredentials', ...client },
  });
  expect(made({ authType: 'credential' })).toEqual({
    fault: { param: 'credentialId', message: 'Choose a credential.' },
  });
});

it('credentials of teams are not offered', () => {
  const field = fieldsOf({ authType: 'credential' }).find(({ name }) => name === 'credentialId');
  expect(field?.choices).toEqual(['', 'cred_a']);
});

it('a change sends what differs, of the credential all', () => {
  const before = storedFields(server);
  const after = (entered: object) => {
    const form = { ...toForm(allServerFields(CREDENTIALS), before), ...entered };
    const read = readForm(serverFields(false, CREDENTIALS)(form), form);
    return 'fault' in read ? read : toUpdateBody(before, read.body);
  };
  expect(after({})).toEqual({});
  expect(after({ trust: 'private' })).toEqual({ trust: 'private' });
  expect(after({ scope: 'read' })).toEqual({ auth: { ...server.auth, scope: 'read' } });
  expect(after({ authType: 'none' })).toEqual({ auth: { type: 'none' } });
  expect(after({ authType: 'credential' })).toEqual({ auth: { type: 'credential', credentialId: 'cred_a' } });
});
