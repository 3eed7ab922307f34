import { type MockUpstream, startMockUpstream } from '../support/mock-upstream/start-mock-upstream.ts';
import { CONVERSATIONS, MAIL, ORDER, SENT } from '../threats/mail-agent.ts';
import { type Dashboard, startDashboard } from './service.ts';

const USER = 'Summarise mail m-1 and reply to Kim that Thursday suits us.';
const REPLY = { to: 'kim@partner.example', subject: 'Re: Offer', body: 'Thursday suits us.' };
const callOf = (id: string, name: string, args: object) => ({ id, name, arguments: JSON.stringify(args) });

/** A dashboard and the model of a mail agent. */
export interface AgentDashboard extends Dashboard {
  /** A model reads a mail with an order, and then reads another mail, does what the user asks and what the mail orders. @returns id of the request */
  makeCalls(key: string, headers?: Readonly<Record<string, string>>): Promise<string>;
}

/** `settings` are additional environment variables. */
export async function startAgentDashboard(settings: Readonly<Record<string, string>> = {}): Promise<AgentDashboard> {
  const model: MockUpstream = await startMockUpstream({ record: false });
  const dashboard = await startDashboard({
    OPENAI_API_KEY: 'upstream-key',
    OPENAI_BASE_URL: `${model.url}/v1`,
    ...settings,
  });
  return {
    ...dashboard,
    makeCalls: async (key, headers = {}) => {
      const toolCalls = [
        callOf('call_1', 'read_mail', { id: 'm-2' }),
        callOf('call_2', 'send_email', REPLY),
        callOf('call_3', 'send_email', { ...SENT, cc: [SENT.to] }),
      ];
      model.next({ toolCalls });
      const conversation = { model: 'openai/gpt-4o', ...CONVERSATIONS.chat(USER, MAIL(ORDER)) };
      const answer = await dashboard.chat(key, '', headers, conversation);
      return answer.headers.get('x-request-id') as string;
    },
    stop: async () => {
      await dashboard.stop();
      await model.close();
    },
  };
}
