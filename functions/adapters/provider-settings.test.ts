import { expect, it } from '@jest/globals';
import { providerSettingsIn, rememberKeys } from './provider-settings.ts';

it('settings come from the current secret, or the last readable one', async () => {
  const reported: string[] = [];
  let secret = '';
  const settings = providerSettingsIn(
    async () => secret,
    (error) => reported.push(error.message),
  );
  expect(await settings()).toEqual({});
  for (const key of ['first', 'second']) {
    secret = JSON.stringify({ OPENAI_API_KEY: key });
    expect(await settings()).toEqual({ OPENAI_API_KEY: key });
  }
  for (secret of ['{"OPENAI_API_KEY":"planted', '["planted"]', '{"OPENAI_API_KEY":1}']) {
    expect([await settings(), await settings()]).toEqual([{ OPENAI_API_KEY: 'second' }, { OPENAI_API_KEY: 'second' }]);
  }
  expect(reported).toEqual(Array(3).fill('the providers secret is not a JSON object of strings'));
  secret = '{"OPENAI_API_KEY":"third"}';
  expect(await settings()).toEqual({ OPENAI_API_KEY: 'third' });
});

it('reading settings fails without the secret text if the first secret is unreadable', async () => {
  const settings = providerSettingsIn(
    async () => '{"OPENAI_API_KEY":"planted',
    () => {},
  );
  await expect(settings()).rejects.toMatchObject({ message: 'the providers secret is not a JSON object of strings' });
});

it('keys are remembered until they are removed, and a set of keys is made once', async () => {
  const made: string[][] = [];
  const remembered = rememberKeys(
    async () => ({ OPENAI_API_KEY: ' first ' }),
    (keys) => {
      made.push([...keys]);
      return made.length;
    },
  );
  expect(remembered.keys()).toBeUndefined();
  await remembered.settings();
  expect([remembered.keys(), remembered.keys()]).toEqual([1, 1]);
  remembered.add('second');
  remembered.add('second');
  expect([remembered.keys(), remembered.keys()]).toEqual([2, 2]);
  // As many keys as before, but others.
  remembered.remove('first');
  remembered.remove('unknown');
  remembered.add('third');
  expect(remembered.keys()).toBe(3);
  expect(made).toEqual([['first'], ['first', 'second'], ['second', 'third']]);
});
