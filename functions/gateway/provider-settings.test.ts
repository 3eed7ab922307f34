import { expect, it } from '@jest/globals';
import { providerSettingsIn } from './provider-settings.ts';

it('are those of the secret as it is, and of the last one that could be read', async () => {
  const told: string[] = [];
  let secret = '';
  const settings = providerSettingsIn(
    async () => secret,
    (error) => told.push(error.message),
  );
  expect(await settings()).toEqual({});
  for (const key of ['first', 'second']) {
    secret = JSON.stringify({ OPENAI_API_KEY: key });
    expect(await settings()).toEqual({ OPENAI_API_KEY: key });
  }
  for (secret of ['{"OPENAI_API_KEY":"planted', '["planted"]', '{"OPENAI_API_KEY":1}']) {
    expect([await settings(), await settings()]).toEqual([{ OPENAI_API_KEY: 'second' }, { OPENAI_API_KEY: 'second' }]);
  }
  expect(told).toEqual(Array(3).fill('the providers secret is not a JSON object of texts'));
  secret = '{"OPENAI_API_KEY":"third"}';
  expect(await settings()).toEqual({ OPENAI_API_KEY: 'third' });
});

it('are not there where the first secret cannot be read: that is told by an error without its text', async () => {
  const settings = providerSettingsIn(
    async () => '{"OPENAI_API_KEY":"planted',
    () => {},
  );
  await expect(settings()).rejects.toMatchObject({ message: 'the providers secret is not a JSON object of texts' });
});
