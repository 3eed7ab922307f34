import { expect, test } from '@jest/globals';
import { dashboard, page } from './default-dashboard.ts';

const prices = async () => (await dashboard.api('/admin/prices')).prices;
const row = (model: string) => page.getByRole('table', { name: 'Prices' }).getByRole('row').filter({ hasText: model });
const open = (model: string) => page.getByRole('button', { name: model, exact: true }).click();

test('a price is found, changed after its difference is shown, and rolled back', async () => {
  await page.goto('/dashboard/prices');
  await page.getByLabel('Search models').fill('GPT-4o-mini');
  await row('openai/gpt-4o-mini').first().getByText('Built-in table').waitFor();
  await open('openai/gpt-4o-mini');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Nothing is changed yet.').waitFor();
  await dialog.getByLabel('Input', { exact: true }).fill('0.2');
  await dialog.getByText('0.15 → 0.2').waitFor();
  await dialog.getByRole('button', { name: 'Save price' }).click();
  await row('openai/gpt-4o-mini').first().getByText('Set here').waitFor();
  expect((await prices())['openai/gpt-4o-mini']).toMatchObject({ input: 0.2, output: 0.6 });

  await page.getByRole('button', { name: '0 (initial)' }).click();
  await page.getByText("The prices of the deployment's settings.").waitFor();
  await page.getByRole('button', { name: 'Roll back to version 0' }).click();
  await row('openai/gpt-4o-mini').first().getByText('Built-in table').waitFor();
  expect(await prices()).toEqual({});
});

test('a new price needs its fields, is set for later, and removed', async () => {
  await page.goto('/dashboard/prices');
  await page.getByRole('button', { name: 'Add price' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Model').fill('llama');
  await dialog.getByRole('button', { name: 'Save price' }).click();
  await dialog.getByText('Enter a value: Input.').first().waitFor();
  await dialog.getByLabel('Input', { exact: true }).fill('1');
  await dialog.getByLabel('Output', { exact: true }).fill('2');
  await dialog.getByRole('button', { name: 'Save price' }).click();
  await dialog.getByText('must be provider/model').first().waitFor();
  await dialog.getByLabel('Model').fill('lab/llama');
  await dialog.getByRole('button', { name: 'Save price' }).click();
  await page.getByLabel('Search models').fill('lab/');
  await open('lab/llama');
  await dialog.getByLabel('Output', { exact: true }).fill('3');
  await dialog.getByLabel('Valid from').fill('2100-01-01');
  await dialog.getByRole('button', { name: 'Save price' }).click();
  await row('lab/llama').getByText('2100-01-01').waitFor();
  expect((await prices())['lab/llama']).toEqual({
    ...{ input: 1, output: 2 },
    changes: [{ input: 1, output: 3, validFrom: '2100-01-01' }],
  });
  await open('lab/llama');
  await dialog.getByRole('button', { name: 'Remove price' }).click();
  await page.getByText('No model with this name has a price').waitFor();
});
