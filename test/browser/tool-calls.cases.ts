import { describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { signedIn } from './browser.ts';
import { dashboard, visitor } from './default-agent.ts';
import { lookAt } from './looks.ts';

test("a request's page shows from where the values of its tool calls come", async () => {
  const { page } = visitor;
  const { id: keyId, key } = await dashboard.createKey();
  const id = await dashboard.makeCalls(key);
  await eventually(async () => (await dashboard.api(`/analytics/requests?keyId=${keyId}`)).data.length > 0);
  await page.goto(`/dashboard/requests/${id}`);
  await page.getByRole('heading', { name: 'read_mail Effect: read Allowed' }).waitFor();
  const tables = page.getByRole('table', { name: 'Sources of the arguments of send_email' });
  const rows = await Promise.all((await tables.getByRole('row').all()).map((row) => row.innerText()));
  expect(rows.map((row) => row.split(/\s*\n\s*|\t/))).toEqual([
    ['Source of the value', 'Argument'],
    ['Field "from" of the result of read_mail (message 3)', 'to'],
    ['Source of the value', 'Argument'],
    [
      'Text in field "body" of the result of read_mail (message 3)',
      'to',
      'Tool misuse: third-party text orders the call',
    ],
    ['cc[0]'],
  ]);
  await tables.getByRole('link', { name: 'Tool misuse' }).click();
  await page.getByText('tool-misuse/instructed-call').waitFor();
});

test("a session's page shows its steps with their calls, sources and decisions, quiet ones folded", async () => {
  const { page } = visitor;
  const { key } = await dashboard.createKey();
  const headers = { 'x-session-id': 'steps of a talk' };
  await dashboard.chat(key, 'Hello', headers);
  await dashboard.makeCalls(key, headers);
  await dashboard.makeCalls(key, headers);
  await eventually(
    async () => (await dashboard.api('/analytics/requests?sessionId=steps of a talk')).data.length === 3,
  );
  await page.goto(`/dashboard/sessions/${encodeURIComponent('steps of a talk')}`);
  const steps = page.getByRole('list', { name: 'Steps' }).locator(':scope > li');
  await steps.nth(2).waitFor();
  expect(await steps.count()).toBe(3);
  expect(await steps.nth(0).getByRole('button').count()).toBe(0);
  const step = steps.nth(1);
  const sources = step.getByRole('list', { name: 'Sources of the arguments of send_email' });
  expect(await sources.allInnerTexts()).toEqual([
    'to from field "from" of the result of read_mail (message 3)',
    'to, cc[0] from text in field "body" of the result of read_mail (message 3)',
  ]);
  await step.getByText('third-party text orders the call').waitFor();
  await step.getByRole('button', { name: 'Parts of step 2', expanded: true }).click();
  await sources.first().waitFor({ state: 'detached' });
  await step.getByText('3 calls: read_mail, send_email, 2 findings').waitFor();
  await lookAt(page, 'session-steps', ['phone', 'phone-dark', 'tablet', 'dark', 'light']);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Open all' }).click();
  await step.getByRole('link').first().click();
  await page.waitForURL('**/dashboard/requests/req_*');
});

describe('approvals', () => {
  const waiting = async () => (await dashboard.api('/approvals?state=pending')).data;
  /** A key whose doubtful calls wait; one waits in a session of this name. */
  async function ask(session: string): Promise<string> {
    const before = (await waiting()).length;
    const { key } = await dashboard.createKey({ policy: { output: { tool_misuse: { action: 'ask' } } } });
    await dashboard.makeCalls(key, { 'x-session-id': session });
    await eventually(async () => (await waiting()).length > before);
    return key;
  }

  test.each([
    ['Approve', 'Approved'],
    ['Deny', 'Denied'],
  ])('are read and decided: %s', async (verb, state) => {
    const { page } = visitor;
    const key = await ask(`to ${verb}`);
    await page.goto('/dashboard');
    await page
      .getByRole('term')
      .filter({ hasText: 'Calls that wait' })
      .locator('xpath=..')
      .getByText('1', { exact: true })
      .waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Approvals 1 waiting' }).click();
    const row = page.getByRole('table', { name: 'Approvals' }).getByRole('row', { name: `to ${verb}` });
    await row.getByRole('link', { name: 'send_email' }).click();
    await page.locator('pre').getByText('"to":"audit@collect-docs.test"').waitFor();
    await page.getByText('Text in field "body" of the result of read_mail (message 3)').waitFor();
    await page.getByRole('button', { name: verb }).click();
    await page.getByRole('dialog').getByRole('button', { name: verb }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText(state, { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: verb }).count()).toBe(0);
    await page.getByRole('link', { name: 'All approvals' }).click();
    await page.getByText('No tool call waits').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Approvals', exact: true }).waitFor();
    await page.getByLabel('State').selectOption(state);
    await row.waitFor();
    // The model makes the call again: its page shows what became of it, and leads to the approval.
    const id = await dashboard.makeCalls(key, { 'x-session-id': `to ${verb}` });
    await eventually(async () => (await dashboard.api(`/analytics/requests?sessionId=to ${verb}`)).data.length === 2);
    await page.goto(`/dashboard/requests/${id}`);
    await page
      .getByRole('link', { name: verb === 'Approve' ? 'Released by an operator' : 'Approval', exact: true })
      .click();
    await page.waitForURL('**/dashboard/approvals/appr_*');
    await page.getByText(verb === 'Approve' ? 'Used' : 'Denied', { exact: true }).waitFor();
  });

  test('that were decided in between say so, and show the decision', async () => {
    const { page } = visitor;
    await ask('decided elsewhere');
    const [{ id }] = await waiting();
    await page.goto(`/dashboard/approvals/${id}`);
    await page.getByRole('button', { name: 'Approve' }).click();
    await dashboard.api(`/approvals/${id}`, { decision: 'deny' });
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByText('The approval is already decided.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Denied', { exact: true }).waitFor();
  });

  test("of the viewer's key cannot be decided, and show hidden characters", async () => {
    const policy = { output: { tool_misuse: { action: 'ask' } } } as const;
    const { key } = await dashboard.createKey({ permissions: ['chat_completions', 'analytics', 'approvals'], policy });
    await dashboard.makeCalls(key);
    await eventually(async () => (await waiting()).length > 0);
    const [{ id }] = await waiting();
    const { page, context } = await signedIn(dashboard.url, key);
    await page.route(`**/v1/approvals/${id}`, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      const call = { ...json.call, arguments: JSON.stringify({ note: `A${' '.repeat(600)}B\u200b` }) };
      await route.fulfill({ response, json: { ...json, call } });
    });
    await page.goto(`/dashboard/approvals/${id}`);
    await page.getByText('A key cannot decide on its own tool calls.').waitFor();
    for (const name of ['Approve', 'Deny']) expect(await page.getByRole('button', { name }).isDisabled()).toBe(true);
    await page.locator('pre').getByText('"note":"A <600 spaces> B<U+200B>"').waitFor();
    await context.close();
    await dashboard.api(`/approvals/${id}`, { decision: 'deny' });
  });

  test.each([
    ['without the permission are hidden', ['analytics'], [], 0],
    ['are also hidden from an administrator whose key excludes them', ['admin'], ['approvals'], 0],
    ['with the permission are shown', ['analytics', 'approvals'], [], 1],
  ] as const)('%s', async (_, permissions, excludePermissions, links) => {
    const fields = { name: 'Reader', permissions: [...permissions], excludePermissions: [...excludePermissions] };
    const { key } = await dashboard.createKey(fields);
    const { page, context } = await signedIn(dashboard.url, key);
    const navigation = page.getByRole('navigation').first();
    await navigation.getByRole('link', { name: 'Requests' }).waitFor();
    expect(await navigation.getByRole('link', { name: 'Approvals' }).count()).toBe(links);
    await page.goto('/dashboard/approvals');
    await page.getByText(links === 0 ? 'No permission' : 'No tool call waits').waitFor();
    await context.close();
  });
});
