/**
 * Keeps the requests of one agent in test/agents/recordings/, which git ignores, and prints what the service found in them:
 * node test/agents/record.ts NAME [PRESET] [MODEL]
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Preset } from '../../functions/kernel/model/index.ts';
import { startLocalProcess } from '../contract/local-process.ts';
import type { ProviderSettings } from '../contract/service.ts';
import { AGENTS } from './agents.ts';
import { startScriptedProvider } from './scripted-provider.ts';
import { runSession } from './session.ts';

const [wanted = '', preset = 'monitor', model] = process.argv.slice(2);
const agent = AGENTS.find(({ name }) => name.toLowerCase().startsWith(wanted.toLowerCase()));
if (agent === undefined) throw new Error(`one of: ${AGENTS.map(({ name }) => name).join(', ')}`);

const provider = await startScriptedProvider();
const service = await startLocalProcess(provider.settings as ProviderSettings);
try {
  const { records, done, fault, exitCode, printed } = await runSession(
    agent,
    { preset: preset as Preset },
    service,
    provider,
    model,
  );
  const folder = path.join(
    import.meta.dirname,
    'recordings',
    [agent.name, model].join(' ').trim().replaceAll(' ', '-').toLowerCase(),
  );
  await mkdir(folder, { recursive: true });
  for (const [index, body] of provider.bodies.entries()) {
    await writeFile(path.join(folder, `${String(index + 1).padStart(3, '0')}.json`), JSON.stringify(body, null, 1));
  }
  await writeFile(path.join(folder, 'printed.txt'), printed);
  await writeFile(path.join(folder, 'service.log'), service.logs());
  const found = new Map<string, number>();
  for (const { route, status, action, threatScore, findings } of records) {
    const line = `${route} ${status} ${action} ${threatScore}`;
    found.set(line, (found.get(line) ?? 0) + 1);
    for (const { rule, score, location } of findings) {
      const { part, field, start, end } = location;
      const at = `    ${rule} ${score} ${part} ${field} ${start}-${end}`;
      found.set(at, (found.get(at) ?? 0) + 1);
    }
  }
  for (const [line, times] of found) console.log(`${line} (${times})`);
  console.log({ done, fault, exitCode, requests: records.length, forwarded: provider.bodies.length, folder });
} finally {
  await service.stop();
  await provider.close();
}
