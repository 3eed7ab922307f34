import { PassThrough, Readable, Writable } from 'node:stream';
import { login } from '../../bin/login.ts';
import { logout } from '../../bin/logout.ts';
import { token } from '../../bin/token.ts';
import { eventually } from '../support/eventually.ts';

const COMMANDS = { login, logout, token };

/** A command of svc that runs in this process. */
export class Running {
  out = '';
  error = '';
  readonly code: Promise<number>;

  constructor(command: keyof typeof COMMANDS, args: readonly string[], env: NodeJS.ProcessEnv, typed?: string) {
    const collector = (name: 'out' | 'error') =>
      new Writable({
        write: (chunk, _encoding, done) => {
          this[name] += chunk;
          done();
        },
      });
    const stdin = typed === undefined ? Readable.from([]) : Object.assign(new PassThrough(), { isTTY: true });
    if (typed !== undefined) (stdin as PassThrough).write(`${typed}\n`);
    const io = { env, stdin, stdout: collector('out'), stderr: collector('error') };
    this.code = COMMANDS[command](args, io);
  }

  /** What it prints that matches, once it does. */
  async printed(pattern: RegExp): Promise<string> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    this.code.then(end, end);
    return eventually(() => {
      const found = pattern.exec(this.error)?.[1];
      if (found === undefined && isOver) throw new Error(`it ended without it: ${this.error}`);
      return found;
    });
  }

  async ended(): Promise<{ code: number; out: string; error: string }> {
    const code = await this.code;
    return { code, out: this.out, error: this.error };
  }
}
