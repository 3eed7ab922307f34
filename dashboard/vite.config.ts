import path from 'node:path';
import { defineConfig } from 'vite';

/** Address of `npm start`: `vite dashboard` serves the sources and proxies the API to it. */
const API = 'http://127.0.0.1:8787';

export default defineConfig({
  root: import.meta.dirname,
  // Also the base of the routes, in src/shell.tsx.
  base: '/dashboard/',
  build: {
    outDir: path.resolve(import.meta.dirname, '../dist/dashboard'),
    emptyOutDir: true,
    // The page's Content-Security-Policy allows neither inline scripts nor data in place of files.
    modulePreload: { polyfill: false },
    // Of the libraries in it.
    license: { fileName: 'licenses.txt' },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // That libraries' "use client" means nothing here is not worth a thousand lines.
    rolldownOptions: { onLog: (level, log, tell) => log.code === 'MODULE_LEVEL_DIRECTIVE' || tell(level, log) },
  },
  server: { port: 5173, strictPort: true, proxy: { '^/(?:v1|openapi.json|healthz|readyz)': API } },
});
