/** Runs the mock as its own process: `node test/support/mock-upstream/main.ts --port N`, recording nothing. */
import { parseArgs } from 'node:util';
import { startMockUpstream } from './start-mock-upstream.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const upstream = await startMockUpstream({ port: Number(values.port), record: false });

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, async () => {
    await upstream.close();
    process.exit(0);
  });
}
console.log(`ready ${upstream.url}`);
