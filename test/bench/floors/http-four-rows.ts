// Floor of the submission rows: node:http, JSON.parse, four rows, no framework. argv: database URL, `cte` or `coalesced`.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { CoalescedWriter, insertInOneStatement } from './four-rows.ts';

const [url, mode] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 32 });
const writer = new CoalescedWriter(pool);

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    JSON.parse(body.toString('utf8'));
    const submission = { id: randomUUID(), key: String(request.headers['idempotency-key']), body };
    const written = mode === 'cte' ? insertInOneStatement(pool, [submission]) : writer.write(submission);
    written.then(
      () => {
        const answer = JSON.stringify({ id: submission.id, status: 'queued' });
        response.writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) });
        response.end(answer);
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
}).listen(0, '127.0.0.1', function (this: import('node:net').Server) {
  process.send?.((this.address() as import('node:net').AddressInfo).port);
});
