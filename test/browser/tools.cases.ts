import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { addFilter } from './browser.ts';
import { dashboard, visitor } from './default-agent.ts';

describe('tools', () => {
  beforeAll(async () => {
    const policy = { output: { tool_misuse: { action: 'ask' } }, tools: { pin: 'flag' } } as const;
    const { key } = await dashboard.createKey({ name: 'Mail agent', policy });
    await dashboard.makeCalls(key, { 'x-session-id': 'a mail' });
    const parameters = { type: 'object', properties: { to: { type: 'string' }, bcc: { type: 'string' } } };
    await dashboard.chat(
      key,
      'Hello',
      {},
      { tools: [{ type: 'function', function: { name: 'send_email', parameters } }] },
    );
    await eventually(async () => {
      const { data } = await dashboard.api('/analytics/tools');
      return data.length === 2 && data[0].pins[0]?.isChanged;
    });
  });

  test('the tools of agents are listed, and one shows where its values come from, its keys and what waits', async () => {
    const { page } = visitor;
    await page.getByRole('navigation').getByRole('link', { name: 'Tools' }).click();
    const rows = page.getByRole('table', { name: 'Tools' }).getByRole('row');
    await rows.nth(2).waitFor();
    await addFilter(page, 'Effect', 'Send');
    await rows.nth(2).waitFor({ state: 'detached' });
    await rows.nth(1).getByRole('link', { name: 'send_email' }).click();
    await page.getByRole('heading', { name: 'Tool send_email' }).waitFor();
    const argument = page.getByRole('table', { name: 'Arguments' }).getByRole('row', { name: 'cc[*]' });
    await argument.getByText('Prose 100%').waitFor();
    await argument.getByText('Text body of read_mail').waitFor();
    await page.getByRole('link', { name: 'Mail agent' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'to', exact: true }).waitFor();
  });

  test('a changed definition of a tool is shown, and accepted', async () => {
    const { page } = visitor;
    await page.goto('/dashboard/tools/send_email');
    await page.getByRole('button', { name: 'Show the change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('parameters.properties.bcc').waitFor();
    await dialog.getByRole('button', { name: 'Accept the change' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Pinned', { exact: true }).waitFor();
  });

  test('a rule is made for an argument, and edited and saved in the form of the policy', async () => {
    const { page } = visitor;
    await page.goto('/dashboard/tools/send_email');
    await page.getByRole('button', { name: 'Make a rule for to', exact: true }).click();
    const rule = page.getByRole('group', { name: 'send_email-to' });
    await rule.getByLabel('Tool', { exact: true }).waitFor();
    expect(await rule.getByLabel('Argument 1', { exact: true }).inputValue()).toBe('to');
    await rule.getByLabel('Action').selectOption('ask');
    await page.getByRole('button', { name: 'Add a list' }).click();
    await page.getByLabel('List 1', { exact: true }).fill('team');
    await page.getByLabel('List 1, values').fill('bob@acme.example\nSmith, J');
    await rule.getByLabel('Argument 1: From').fill('list:team');
    await page.keyboard.press('Enter');
    await page.getByLabel('If the definition of a tool changes').selectOption('Flag');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It takes effect within 10 seconds.').waitFor();
    expect(await page.getByText('no agent called').count()).toBe(0);
    const { tools } = await dashboard.api('/admin/policy');
    expect(tools).toEqual({
      pin: 'flag',
      lists: { team: ['bob@acme.example', 'Smith, J'] },
      rules: [
        {
          ...{ id: 'send_email-to', tool: 'send_email', action: 'ask' },
          args: { to: { from: ['user', 'system', 'list:team'] } },
        },
      ],
    });
  });

  test('the form keeps what it does not show, and names the rule of an error', async () => {
    const { page } = visitor;
    const tests = { match: [{ messages: [], call: { name: 'pay', arguments: { to: 'x@y.example' } } }] };
    const args = { to: { from: ['user'], kinds: ['email'] } };
    const rule = { id: 'pay', tool: 'pay', action: 'flag', effects: ['send', 'write'], args, tests };
    await dashboard.api('/admin/policy', { preset: 'strict', tools: { rules: [rule] } }, 'PUT');
    await page.goto('/dashboard/policy');
    await page.getByRole('navigation', { name: 'Parts of the policy' }).getByRole('button', { name: 'Tools' }).click();
    const form = page.getByRole('group', { name: 'pay', exact: true });
    await form.getByText('1 test runs on each save.').waitFor();
    for (const shown of ['Send', 'Write', 'E-mail address']) await form.getByText(shown, { exact: true }).waitFor();
    await form.getByLabel('Holds').selectOption('After a private result');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Not saved: rule for tools').waitFor();
    await form.getByRole('alert').waitFor();
    await form.getByLabel('Holds').selectOption('Always');
    await form.getByLabel("Only if the user's latest message asks for it").check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It takes effect within 10 seconds.').waitFor();
    const warning = page.getByRole('alert').filter({ hasText: 'Rules for tools that no agent called' });
    await warning.getByText('pay. Compare').waitFor();
    const saved = await dashboard.api('/admin/policy');
    expect([saved.preset, saved.tools]).toEqual(['strict', { rules: [{ ...rule, needs: 'asked' }] }]);
  });

  test('suggested rules are shown with the calls that they rest on, and open in the form', async () => {
    const { page } = visitor;
    const rule = { id: 'pay-to', tool: 'pay', action: 'flag', args: { to: { from: ['user', 'system'] } } };
    const reason = 'In 40 of 40 calls its value was from the user or the operator (40), or a whole field (0).';
    await page.route('**/v1/admin/policy/tool-suggestion', async (route) => {
      const response = await route.fetch();
      const proposals = [
        { tool: 'pay', argument: null, adds: { effects: { pay: 'send' } }, calls: 40, reason: 'svc takes it so.' },
        { tool: 'pay', argument: 'to', adds: { rules: [rule] }, calls: 40, reason },
      ];
      await route.fulfill({ response, json: { ...(await response.json()), proposals } });
    });
    await dashboard.api('/admin/policy', { preset: 'strict' }, 'PUT');
    await page.goto('/dashboard/tools');
    await page.getByRole('button', { name: 'Suggest rules' }).click();
    await page.getByRole('dialog').getByText(reason).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Open in the policy' }).click();
    await page.getByRole('group', { name: 'pay-to' }).waitFor();
    expect(await page.getByLabel('Effects: tool 1', { exact: true }).inputValue()).toBe('pay');
    await page.getByRole('navigation', { name: 'Parts of the policy' }).getByRole('button', { name: 'JSON' }).click();
    const text = await page.getByLabel('Full policy as JSON').inputValue();
    expect(JSON.parse(text)).toEqual({ preset: 'strict', tools: { effects: { pay: 'send' }, rules: [rule] } });
  });
});
