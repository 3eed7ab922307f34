import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { createKeySchema } from '../../functions/kernel/model/index.ts';
import { dashboard, page } from './default-dashboard.ts';

const rowsOf = (table: string): Locator => page.getByRole('table', { name: table }).getByRole('row');
const named = async (name: string) => (await dashboard.api(`/admin/keys?search=${encodeURIComponent(name)}`)).data[0];

test('a key is created with every field, and its secret is shown once and can be copied', async () => {
  const value = 'a-stored-value-of-openai';
  const credential = await dashboard.api('/admin/credentials', {
    name: 'Own',
    provider: 'openai',
    value,
    skipTest: true,
  });
  const team = await dashboard.api('/admin/teams', { name: 'Shop' });
  await page.goto('/dashboard/keys');
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Checkout');
  await dialog.getByLabel('Environment').selectOption('Production');
  await dialog.getByRole('combobox', { name: 'Team', exact: true }).selectOption(team.id);
  await dialog.getByText('Permissions, further limits').click();
  await dialog.getByRole('checkbox', { name: 'Embeddings' }).first().check();
  await dialog.getByLabel('Requests', { exact: true }).fill('120');
  await dialog.getByLabel('Requests: period').selectOption('minute');
  await dialog.getByLabel('Burst').fill('40');
  await dialog.getByLabel('Tokens', { exact: true }).fill('50000');
  await dialog.getByLabel('Budget, US dollars', { exact: true }).fill('25');
  await dialog.getByLabel('Concurrent requests').fill('7');
  await dialog.getByLabel('While the limits store is unavailable').selectOption('open');
  await dialog.getByRole('checkbox', { name: 'Images' }).last().check();
  for (const [label, value] of [
    ['IP addresses or CIDR blocks', '10.0.0.0/8'],
    ['Models', 'gpt-4o*'],
    ['MCP tools', 'crm/*'],
    ['Tags', 'team=shop'],
  ] as const) {
    const field = dialog.getByLabel(label, { exact: true }).last();
    await field.fill(value);
    await field.press('Enter');
  }
  await dialog.getByLabel('Credential for its provider').fill(credential.id);
  await dialog.getByLabel('Expires').fill('2031-05-01T12:00');
  await dialog.getByLabel('Preset').selectOption('strict');
  await dialog.getByLabel('Captured texts').selectOption('redacted');
  await dialog.getByRole('button', { name: 'Create key' }).click();

  await page.getByRole('dialog', { name: 'Key “Checkout” created' }).waitFor();
  const secret = (await dialog.locator('pre').first().innerText()).trim();
  expect(await dialog.locator('pre').nth(1).innerText()).toBe(`${new URL('/v1', dashboard.url)}`);
  expect(await dialog.locator('pre').nth(2).innerText()).toContain(`SVC_API_KEY=${secret}`);
  await dialog.getByRole('button', { name: 'Copy: Secret' }).click();
  await dialog.getByRole('button', { name: /^Copied:/ }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('link', { name: 'Checkout' }).waitFor();
  expect(await page.content()).not.toContain(secret);

  const key = await named('Checkout');
  expect(key).toMatchObject({
    environment: 'Production',
    rateLimit: { requests: 120, period: 'minute', burst: 40 },
    tokenLimit: { tokens: 50_000 },
    budget: { usd: 25 },
    maxConcurrent: 7,
    onStoreFailure: 'open',
    excludePermissions: ['images'],
    ipWhitelist: ['10.0.0.0/8'],
    allowedModels: ['gpt-4o*'],
    allowedTools: ['crm/*'],
    tags: { team: 'shop' },
    credentialId: credential.id,
    teamId: team.id,
    policy: { preset: 'strict', capture: 'redacted' },
    last4: secret.slice(-4),
  });
  expect(key.permissions).toContain('embeddings');
  expect(new Date(key.expiresAt).getUTCFullYear()).toBe(2031);
  // Each setting was filled in, also one that is new.
  const defaults = Object.entries(createKeySchema.parse({ name: 'Checkout' }));
  expect(defaults.filter(([name, value]) => isDeepStrictEqual(key[name], value))).toEqual([['name', 'Checkout']]);
});

test('an error of the server is shown at its field, and no key is created', async () => {
  await page.goto('/dashboard/keys');
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Impossible');
  await dialog.getByText('Permissions, further limits').click();
  const field = dialog.getByLabel('IP addresses or CIDR blocks', { exact: true }).last();
  await field.fill('10.0.0.1/8');
  await field.press('Enter');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('must be an IPv4 or IPv6 address').first().waitFor();
  expect(await named('Impossible')).toBeUndefined();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('keys are filtered by name, environment and state, and the URL keeps the filters', async () => {
  await dashboard.createKey({ name: 'Search me', environment: 'Staging' });
  const { id } = await dashboard.createKey({ name: 'Search me too', environment: 'Production' });
  await dashboard.api(`/admin/keys/${id}`, { state: 'disabled' }, 'PATCH');
  await page.goto('/dashboard/keys');
  const filter = page.getByRole('combobox', { name: 'Add a filter' });
  await filter.fill('SEARCH ME');
  await page.getByRole('option', { name: 'Search is SEARCH ME' }).click();
  await page.getByText('2 in all').waitFor();
  await filter.fill('disabled');
  await page.getByRole('option', { name: 'State is Disabled' }).click();
  await page.getByText('1 in all').waitFor();
  expect(await rowsOf('Keys').nth(1).innerText()).toContain('Search me too');
  await page.reload();
  await page.getByText('1 in all').waitFor();
  await filter.fill('staging');
  await page.getByRole('option', { name: 'Environment is Staging' }).click();
  await page.getByText('No keys match these filters').waitFor();
});

test('the server sorts keys, and several are rotated and disabled at once', async () => {
  for (const name of ['Many b', 'Many a', 'Many c']) await dashboard.createKey({ name });
  await page.goto('/dashboard/keys?search=Many');
  await page.getByText('3 in all').waitFor();
  await page.getByRole('button', { name: 'Name' }).click();
  await page.waitForURL(({ searchParams }) => searchParams.get('sort') === 'name');
  await rowsOf('Keys').nth(1).getByText('Many a').waitFor();
  await page.getByRole('checkbox', { name: 'Choose Many a' }).check();
  await page.getByRole('checkbox', { name: 'Choose Many c' }).check();
  await page.getByText('2 keys chosen').waitFor();
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.getByRole('button', { name: 'Rotate 2 keys' }).click();
  const result = page.getByRole('dialog', { name: '2 keys rotated' });
  const [head, ...lines] = (await result.locator('pre').innerText()).trim().split('\n');
  expect(head).toBe('name,id,secret');
  for (const line of lines) {
    const [name, id, secret] = line.split(',') as [string, string, string];
    expect(await named(name)).toMatchObject({ id, last4: secret.slice(-4) });
  }
  expect(lines).toHaveLength(2);
  await result.getByRole('button', { name: 'I have stored them' }).click();
  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  await page.getByRole('button', { name: 'Disable 2 keys' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const states = await dashboard.api('/admin/keys?search=Many&sort=name');
  expect(states.data.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
    ['Many a', 'disabled'],
    ['Many b', 'active'],
    ['Many c', 'disabled'],
  ]);
});

test('editing a key changes only the edited fields', async () => {
  const made = await dashboard.createKey({ name: 'Before', tags: { team: 'a' } });
  await page.goto(`/dashboard/keys/${made.id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('After');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'After', level: 1 }).waitFor();
  const { key: _, ...before } = made;
  expect(await dashboard.api(`/admin/keys/${made.id}`)).toEqual({ ...before, name: 'After' });
});

test('after a rotation with a grace period both secrets work, and the new one is shown once', async () => {
  const { id, key: old } = await dashboard.createKey({ name: 'To rotate' });
  await page.goto(`/dashboard/keys/${id}`);
  await page.getByRole('button', { name: 'Rotate' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('The old secret stays valid for').selectOption('3600');
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('dialog', { name: 'New secret of “To rotate”' }).waitFor();
  const secret = (await dialog.locator('pre').innerText()).trim();
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  for (const one of [old, secret]) expect((await dashboard.chat(one, 'Hello')).status).toBe(200);
  await page.getByText(`…${old.slice(-4)} until`).waitFor();
});

test('a key is disabled and enabled, and revoked only after its name was typed', async () => {
  const { id } = await dashboard.createKey({ name: 'To revoke' });
  const state = async () => (await dashboard.api(`/admin/keys/${id}`)).state;
  await page.goto(`/dashboard/keys/${id}`);
  for (const [item, button, after] of [
    ['Disable', 'Disable key', 'disabled'],
    ['Enable', 'Enable key', 'active'],
  ] as const) {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await state()).toBe(after);
  }
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  const revoke = page.getByRole('button', { name: 'Revoke key' });
  const typed = page.getByLabel('Type “To revoke” to confirm');
  await typed.fill('to revoke');
  expect(await revoke.isDisabled()).toBe(true);
  await typed.fill('To revoke');
  await revoke.click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await state()).toBe('revoked');
  await page.getByRole('button', { name: 'Edit' }).waitFor({ state: 'detached' });
});

test("a key's page shows its usage and what is used of its limits", async () => {
  const { id, key } = await dashboard.createKey({
    name: 'Spender',
    rateLimit: { requests: 10, period: 'day' },
    maxConcurrent: 3,
  });
  for (let at = 0; at < 4; at += 1) await dashboard.chat(key, 'Hello');
  await page.goto(`/dashboard/keys/${id}`);
  await page.getByText('4 of 10 used').waitFor();
  await page.getByText('0 of 3 used').waitFor();
});

test('a key is created and revoked with the keyboard alone', async () => {
  await page.goto('/dashboard/keys');
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  const tabTo = async (wanted: Locator) => {
    for (let presses = 0; presses < 120; presses += 1) {
      if (await wanted.evaluate((element) => element === document.activeElement).catch(() => false)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`the keyboard does not reach ${wanted}`);
  };
  await tabTo(page.getByRole('button', { name: 'New key' }));
  await page.keyboard.press('Enter');
  await tabTo(page.getByRole('dialog').getByLabel('Name'));
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Enter');
  const stored = page.getByRole('button', { name: 'I have stored it' });
  await stored.waitFor();
  await tabTo(stored);
  await page.keyboard.press('Enter');
  await tabTo(page.getByRole('link', { name: 'By keyboard' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'By keyboard', level: 1 }).waitFor();
  await tabTo(page.getByRole('button', { name: 'More actions' }));
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Revoke' }).waitFor();
  for (let presses = 0; presses < 5; presses += 1) {
    if (await page.getByRole('menuitem', { name: 'Revoke' }).evaluate((item) => item === document.activeElement)) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await tabTo(page.getByLabel('Type “By keyboard” to confirm'));
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await named('By keyboard')).state).toBe('revoked');
});
