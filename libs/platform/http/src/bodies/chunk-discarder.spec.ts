import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { chunkDiscarder } from './chunk-discarder.js';

it.each([
  { readers: 0, length: 0 },
  { readers: 1, length: 100_000 },
])('a chunk has $length bytes afterwards where $readers others read', ({ readers, length }) => {
  const request = new IncomingMessage(new Socket());
  const kept: Buffer[] = [];
  // Stops listening to the request with the chunk that it keeps.
  if (readers > 0) request.once('data', (chunk: Buffer) => kept.push(chunk));
  request.on('data', chunkDiscarder(request));
  const chunk = Buffer.from(new ArrayBuffer(100_000));
  request.emit('data', chunk);
  expect(chunk.length).toBe(length);
  expect(kept).toHaveLength(readers);
});
