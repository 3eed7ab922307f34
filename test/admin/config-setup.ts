import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startHttpHost } from '../../functions/server/index.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';
import { runAdminInProcess } from '../support/run-bin.ts';

/** A deployment, and configuration files in a folder of the test. */
export interface ConfigDeployment {
  readonly admin: AdminApp;
  file(name: string): string;
  /** @returns the path */
  write(name: string, content: unknown): Promise<string>;
  /** Runs a command of the command line with a file. */
  config(command: string, name: string, ...more: readonly string[]): ReturnType<typeof runAdminInProcess>;
  /** Runs any command of the command line. @param input its standard input */
  command(args: readonly string[], input: string): ReturnType<typeof runAdminInProcess>;
  /** Called before the service handles a request. */
  onRequest: ((method: string, url: string) => Promise<void>) | undefined;
  stop(): Promise<void>;
}

export async function startConfigDeployment(change?: Parameters<typeof startAdminApp>[0]): Promise<ConfigDeployment> {
  const admin = await startAdminApp(change);
  const app: typeof admin.app = async (request, context) => {
    await deployment.onRequest?.(request.method, request.url);
    return admin.app(request, context);
  };
  const host = await startHttpHost(app, { port: 0, host: '127.0.0.1', maxBodyBytes: 1_000_000 });
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-config-'));
  const file = (name: string) => path.join(folder, name);
  const deployment: ConfigDeployment = {
    ...{ admin, file, onRequest: undefined },
    async write(name, content) {
      await writeFile(file(name), typeof content === 'string' ? content : JSON.stringify(content));
      return file(name);
    },
    config: (command, name, ...more) => deployment.command([command, file(name), ...more], ''),
    command: (args, input) =>
      runAdminInProcess([...args, '--url', `${host.url}/v1`], { SVC_ADMIN_KEY: admin.admin.secret }, input),
    async stop() {
      await host.stop(0);
      await admin.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return deployment;
}
