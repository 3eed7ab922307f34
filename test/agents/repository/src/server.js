import { createServer } from 'node:http';
import { loadCatalogue } from './catalogue.js';
import { Loans } from './loans.js';

const port = Number(process.env.PORT ?? 3000);
const catalogue = await loadCatalogue(process.env.CATALOGUE ?? 'data/books.csv');
const loans = new Loans({ days: Number(process.env.LOAN_DAYS ?? 21), now: () => new Date() });

const routes = {
  'GET /books': (request) => catalogue.search(request.query.get('title') ?? ''),
  'POST /loans': async (request) => loans.lend(await request.json()),
  'DELETE /loans': (request) => loans.takeBack(request.id),
};

createServer(async (incoming, response) => {
  const url = new URL(incoming.url, 'http://localhost');
  const [, name, id] = url.pathname.split('/');
  const route = routes[`${incoming.method} /${name}`];
  if (!route) {
    response.writeHead(404).end('{"error":"not found"}');
    return;
  }
  try {
    const answer = await route({ id, query: url.searchParams, json: () => readJson(incoming) });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  } catch (error) {
    response.writeHead(error.status ?? 500).end(JSON.stringify({ error: error.message }));
  }
}).listen(port, () => console.log(`Listening on port ${port}`));

async function readJson(incoming) {
  const parts = [];
  for await (const part of incoming) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString());
}
