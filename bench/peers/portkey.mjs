/**
 * Portkey's gateway as its own start script runs it, but on a free port of the loopback interface: `node portkey.mjs`.
 * Its script names no host, which would mean every interface.
 */
import { Server } from 'node:http';

const listen = Server.prototype.listen;
Server.prototype.listen = function listenOnLoopback(_port, _host, onListening) {
  return listen.call(this, 0, '127.0.0.1', () => {
    onListening();
    console.log(`\nready http://127.0.0.1:${this.address().port}`);
  });
};
// No web page and no log for it: Portkey at its fastest.
process.argv.push('--headless');
// The package's command: it exports no API.
await import('./node_modules/.bin/gateway');
