import { startLocalProcess } from '../../test/contract/local-process.ts';
import { recount } from '../../test/support/recount.ts';

const AT_ONCE = 64;
/** An address where nothing listens. */
const AWAY = 'http://127.0.0.1:9';

/** Whether analytics are what the records say, after so many requests of every kind. */
export async function recountSection(requests: number): Promise<string> {
  const service = await startLocalProcess({
    OPENAI_API_KEY: 'bench',
    OPENAI_BASE_URL: AWAY,
    ANTHROPIC_API_KEY: 'bench',
    ANTHROPIC_BASE_URL: AWAY,
  });
  try {
    const { baseUrl, adminKey } = service;
    const { records, kinds, compared, differences } = await recount({ baseUrl, adminKey, requests, atOnce: AT_ONCE });
    const first = differences.length === 0 ? '' : ` (${differences.slice(0, 5).join('; ')})`;
    return `## Recount

${requests} requests of every kind, ${AT_ONCE} at once, against the local service: ${kinds}. Then every total, group, hour and
session was compared with a recount of the ${records} raw records: ${compared} comparisons, ${differences.length} differences${first}.`;
  } finally {
    await service.stop();
  }
}
