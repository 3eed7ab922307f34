import { spawn } from 'node:child_process';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Whether a browser on this machine can be shown to the person. In an SSH session it cannot. */
export function hasBrowser(env: NodeJS.ProcessEnv): boolean {
  if (env.SSH_CONNECTION || env.SSH_TTY) return false;
  return process.platform in OPENERS || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** Opens an address without waiting. A failure is silent: the address was printed too. */
export function openBrowser(address: string, env: NodeJS.ProcessEnv): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  spawn(program, [...args, address], { stdio: 'ignore', detached: true, env })
    .on('error', () => {})
    .unref();
}
