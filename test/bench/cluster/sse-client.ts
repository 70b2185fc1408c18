import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** One event stream, read frame by frame */
export interface StreamClient {
  readonly socket: Socket;
  /** Resolves with performance.now() when the next frame with this text arrives. */
  next(text: string): Promise<number>;
}

/** Resolves with the head of the answer; rejects if the status is not 200. */
export function openStream(port: number, path: string): Promise<StreamClient> {
  return new Promise((resolve, reject) => {
    const waiting = new Map<string, (at: number) => void>();
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\n\r\n`);
    });
    socket.setNoDelay(true).once('error', reject);
    socket.once('data', (head: Buffer) => {
      if (!head.subarray(0, 15).includes(' 200')) reject(new Error(head.toString('latin1', 0, 200)));
      socket.on('data', (chunk: Buffer) => {
        const at = performance.now();
        for (const [text, arrived] of waiting) {
          if (!chunk.includes(text)) continue;
          waiting.delete(text);
          arrived(at);
        }
      });
      resolve({ socket, next: (text) => new Promise((arrived) => waiting.set(text, arrived)) });
    });
  });
}
