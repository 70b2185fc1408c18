import type { IncomingMessage } from 'node:http';
import { BlobStoreUnavailableError } from '../blob-store.js';

/** Aborts a read during which the store goes silent; a slow reader does not count as silence. */
export function watchSilence(answer: IncomingMessage, silenceMs: number): IncomingMessage {
  const { socket } = answer;
  const onSilence = (): void => {
    if (answer.readableLength > 0) return void socket.setTimeout(silenceMs);
    answer.destroy(
      new BlobStoreUnavailableError(`the S3 store fell silent for ${silenceMs} ms in the middle of an object`),
    );
  };
  socket.setTimeout(silenceMs);
  socket.on('timeout', onSilence);
  return answer.once('close', () => socket.off('timeout', onSilence));
}
