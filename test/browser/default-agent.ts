/** One dashboard of an agent for the tests of a file that imports this, and its administrator's browser. */
import { afterAll, beforeAll, expect } from '@jest/globals';
import { WITHOUT_EVENTS } from '../support/quick-start.ts';
import { closeBrowser, signedIn, type Visitor } from './browser.ts';
import { type AgentDashboard, startAgentDashboard } from './mail-agent.ts';

export let dashboard: AgentDashboard;
export let visitor: Visitor;

beforeAll(async () => {
  dashboard = await startAgentDashboard(WITHOUT_EVENTS);
  visitor = await signedIn(dashboard.url, dashboard.adminKey);
});
afterAll(async () => {
  expect(visitor.faults).toEqual([]);
  await closeBrowser();
  await dashboard.stop();
});
