import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A table that gives every request the same response. */
const RESPONSE = JSON.stringify({
  Attributes: {
    pk: { S: 'key_0123456789' },
    fullAt: { N: '1700000000000000' },
    open: { N: '3' },
    expiresAt: { N: '1700000000' },
  },
});
const HEADERS = {
  'content-type': 'application/x-amz-json-1.0',
  'content-length': RESPONSE.length,
  'x-amzn-requestid': 'EXAMPLE',
};

const server = http.createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, HEADERS).end(RESPONSE));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
