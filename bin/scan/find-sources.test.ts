import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { findSources } from './find-sources.ts';

/** Windows has no named pipes in folders. */
const onUnix = process.platform === 'win32' ? it.skip : it;

onUnix('a pipe that is named is opened once, to be read: its writer would lose what it writes in between', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-scan-'));
  const pipe = path.join(folder, 'pipe.jsonl');
  execFileSync('mkfifo', [pipe]);
  try {
    const { sources, faults } = await findSources({ files: [pipe], inputFormat: undefined, out: undefined } as never);
    expect([sources, faults]).toEqual([[{ name: pipe, path: pipe, format: 'jsonl', bytes: 0 }], []]);
  } finally {
    // Releases a reader that waits for a writer.
    closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK));
    rmSync(folder, { recursive: true });
  }
});
