import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type App, type OutgoingResponse, pathOf } from '../../functions/kernel/http/index.ts';
import { DASHBOARD_HEADERS, dashboardCacheControl, dashboardFile, isDashboardPath } from '../dashboard-site.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
const TEXT = 'text/plain; charset=utf-8';
const NOT_BUILT = 'The dashboard is not built here: node scripts/build.mjs dashboard, then start again.\n';

/**
 * Serves the dashboard's files beside an API, as the distribution does. Files are read once at start, so no path can leave the
 * folder. Without the folder, pages say how to build it.
 */
export async function withDashboard(api: App, folder: string): Promise<App> {
  const files = await readFiles(folder);
  return async (request, context) => {
    const asked = pathOf(request.url);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || !isDashboardPath(asked)) return api(request, context);
    const name = dashboardFile(asked);
    const file = files.get(name);
    if (file !== undefined) return respond(200, file, TYPES[path.extname(name)] ?? 'application/octet-stream', name);
    if (files.size === 0) return respond(503, NOT_BUILT, TEXT, name);
    return respond(404, 'There is no such file.\n', TEXT, '/index.html');
  };
}

function respond(status: number, body: string | Uint8Array, type: string, name: string): OutgoingResponse {
  const headers = { ...DASHBOARD_HEADERS, 'content-type': type, 'cache-control': dashboardCacheControl(name) };
  return { status, headers, body };
}

/** All files by their path in the folder, such as `/assets/index-x.js`; empty without the folder. */
async function readFiles(folder: string): Promise<Map<string, Uint8Array>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const files = await Promise.all(
    names.map(async (name) => {
      const inFolder = path.relative(folder, name).split(path.sep).join('/');
      return [`/${inFolder}`, await readFile(name)] as const;
    }),
  );
  return new Map(files);
}
