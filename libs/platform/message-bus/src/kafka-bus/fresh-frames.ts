import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/** What this file relies on of the client's connection, in the pinned version. */
interface Connection {
  readonly socket?: Socket;
  chunks: Buffer[];
  bytesBuffered: number;
  bytesNeeded: number;
  isConnected(): boolean;
  connect(): Promise<boolean>;
}

const LENGTH_BYTES = 4;
let isPrepared = false;

/**
 * Lets every connection of the client begin with the first byte of an answer. The client opens a connection anew with what it had
 * buffered of the one before: where that was cut in the middle of an answer, the rest of it is taken from the next answers, every
 * frame after it is read from the wrong place, and the exception that ends it comes from a socket's event and ends the process.
 */
export function freshFrames(): void {
  if (isPrepared) return;
  isPrepared = true;
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/connection') as { prototype: Connection };
  const connect = Object.getOwnPropertyDescriptor(prototype, 'connect')?.value as Connection['connect'];
  prototype.connect = async function (this: Connection): Promise<boolean> {
    if (!this.isConnected()) {
      // It may still read from the one that it has given up.
      this.socket?.removeAllListeners('data').destroy();
      this.chunks = [];
      this.bytesBuffered = 0;
      this.bytesNeeded = LENGTH_BYTES;
    }
    return await connect.call(this);
  };
}
