import { spawn, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CreateKey } from '../../functions/contract/index.ts';
import type { RequestRecord } from '../../functions/kernel/model/index.ts';
import type { Service } from '../contract/service.ts';
import { eventually } from '../support/eventually.ts';
import { processesWith } from '../support/processes-with.ts';
import type { Agent } from './agents.ts';
import { readRequest } from './requests.ts';
import type { ScriptedProvider } from './scripted-provider.ts';
import { STEPS } from './steps.ts';

export interface Session {
  /** What the service recorded of each request, the earliest first. */
  readonly records: readonly RequestRecord[];
  /** Steps whose result came back in a later request and showed what it should. */
  readonly done: number;
  /** The first step that did not, with the result. */
  readonly fault: string | undefined;
  readonly exitCode: number | null;
  /** What the client printed. */
  readonly printed: string;
}

const SESSION_MS = 240_000;
const ROOMY = { requests: 1_000_000, period: 'hour' } as const;

/** Runs an agent in a copy of the scratch repository, with a key of this policy, until it ends by itself. */
export async function runSession(
  agent: Agent,
  policy: CreateKey['policy'],
  service: Service,
  provider: ScriptedProvider,
  model = agent.model,
): Promise<Session> {
  const root = await mkdtemp(path.join(tmpdir(), 'svc-agent-'));
  try {
    const [home, repository] = [path.join(root, 'home'), path.join(root, 'lending-desk')];
    await mkdir(home);
    await prepareRepository(repository);
    const { id, key } = await admin(service, '/admin/keys', { name: agent.name, rateLimit: ROOMY, policy });
    provider.work(repository);
    const origin = service.baseUrl.replace(/\/v1$/, '');
    const { command, env } = agent.launch({ home, repository, origin, key, model });
    const { exitCode, printed } = await runClient(command, repository, { ...baseEnv(home), ...env });
    const { data } = await admin(service, `/analytics/requests?keyId=${id}&limit=100`);
    return { records: data.reverse(), ...progress(provider), exitCode, printed };
  } finally {
    // Cline leaves a daemon outside of its group.
    for (const pid of (await processesWith('HOME', path.join(root, 'home'))).values()) endProcess(pid);
    await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** The scratch repository with one commit. Agents read their instructions from files of different names. */
async function prepareRepository(folder: string): Promise<void> {
  await cp(path.join(import.meta.dirname, 'repository'), folder, { recursive: true });
  for (const name of ['CLAUDE.md', 'GEMINI.md', 'QWEN.md'])
    await cp(path.join(folder, 'AGENTS.md'), path.join(folder, name));
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    ['commit', '-qm', 'Lend books'],
  ]) {
    const { status, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8', env: baseEnv(folder) });
    if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
  }
}

/** Nothing of the machine's own environment but where programs are. */
export function baseEnv(home: string): Record<string, string> {
  const author = { NAME: 'Rosa Lind', EMAIL: 'rosa@example.com' };
  return {
    PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
    HOME: home,
    TERM: 'dumb',
    CI: '1',
    LANG: 'C.UTF-8',
    GIT_AUTHOR_NAME: author.NAME,
    GIT_AUTHOR_EMAIL: author.EMAIL,
    GIT_COMMITTER_NAME: author.NAME,
    GIT_COMMITTER_EMAIL: author.EMAIL,
  };
}

export function runClient(
  [program = '', ...args]: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<Pick<Session, 'exitCode' | 'printed'>> {
  return new Promise((resolve, reject) => {
    // A separate process group, so that helpers that a client leaves running end with it.
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const end = () => endProcess(-(child.pid as number));
    let printed = '';
    const collect = (bytes: Buffer) => {
      printed += bytes.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const timer = setTimeout(end, SESSION_MS);
    child.once('error', reject);
    child.once('exit', (exitCode) => {
      clearTimeout(timer);
      end();
      resolve({ exitCode, printed });
    });
  });
}

/** Kills a process, or a group by its negative id, where it has not ended. */
function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** How far the script went: a step counts once its result is in a request and shows what it should. */
function progress({ bodies, faults }: ScriptedProvider): Pick<Session, 'done' | 'fault'> {
  const results = bodies.map((body) => readRequest(body).results).sort((a, b) => b.length - a.length)[0] ?? [];
  const at = STEPS.findIndex(({ shows = '' }, index) => !results[index]?.includes(shows));
  const done = at === -1 ? STEPS.length : at;
  const fault = at === -1 ? undefined : `step ${at + 1} (${STEPS[at]?.command}) gave: ${results[at]}`;
  return { done, fault: faults[0] ?? fault };
}

// biome-ignore lint/suspicious/noExplicitAny: the admin API's responses, checked by other tests.
async function admin(service: Service, path: string, body?: object): Promise<any> {
  const send = () =>
    fetch(`${service.adminUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  // The embedded stores miss their deadlines on a busy machine.
  const response = await eventually(send, ({ status }) => status !== 503);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
