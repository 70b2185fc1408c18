import { constants } from 'node:http2';
import type { Http2Server, Http2Session, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { BodyBudget, BodyShare } from '@heddle/platform-http/body-budget';
import type { ConnectionGuard } from '@heddle/platform-http/connection-guard';
import { isFinelyCut } from '@heddle/platform-http/collected-bytes';

export interface SessionGuard {
  readonly connections: ConnectionGuard;
  readonly bodies: BodyBudget;
  /** Time-out of the first authenticated call of a connection */
  readonly headMs: number;
}

/** More than a caller sends before its first call is verified: `grpc.max_concurrent_streams` and as many again. */
const MAX_CALLS_OF_STRANGERS = 200;
/** Instead of a number of calls: the caller has authenticated. */
const KNOWN = -1;

/**
 * Limits that grpc-js lacks: it takes calls without a valid token for ever, keeps a connection without a call until its maximum age, and each frame of an incomplete
 * message as an object of its own.
 */
export function guardSessions(server: Http2Server, { connections, bodies, headMs }: SessionGuard): void {
  server.on('connection', (socket: Socket) => {
    const late = setTimeout(() => {
      if (!connections.isUnauthenticated(socket)) return;
      connections.count('head_late');
      socket.destroy();
    }, headMs);
    socket.once('close', () => clearTimeout(late));
  });
  const openCalls = new WeakMap<Http2Session, number>();
  const callsOfStrangers = new WeakMap<Http2Session, number>();
  /** True if the connection must end, because none of its many calls had a valid token. */
  const isFlooded = (session: Http2Session): boolean => {
    const calls = callsOfStrangers.get(session) ?? 0;
    if (calls < 0 || session.destroyed) return false;
    const isStranger = connections.isUnauthenticated(session.socket);
    callsOfStrangers.set(session, isStranger ? calls + 1 : KNOWN);
    return isStranger && calls >= MAX_CALLS_OF_STRANGERS;
  };
  server.on('stream', (stream: ServerHttp2Stream) => {
    const { session } = stream;
    if (session !== undefined && isFlooded(session)) {
      connections.count('unauthenticated');
      session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
      return;
    }
    if (session !== undefined) openCalls.set(session, (openCalls.get(session) ?? 0) + 1);
    const watch = new MessageWatch(() => connections.shareOf(bodies));
    stream.on('data', (frame: Buffer) => {
      if (watch.take(frame)) return;
      // The caller receives RESOURCE_EXHAUSTED.
      stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      if (session === undefined || openCalls.get(session) !== 1) return;
      session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
      // The frames of a closed session are never read.
      setImmediate(() => watch.free());
    });
    stream.once('close', () => {
      if (session !== undefined) openCalls.set(session, openCalls.get(session)! - 1);
      watch.end();
    });
  });
}

/** Length of the gRPC message prefix: one byte for the compression flag, four for the length. */
const HEAD_BYTES = 5;

/** Reads the frames of one call, and counts the bytes of the incomplete message. */
class MessageWatch {
  readonly #head = Buffer.alloc(HEAD_BYTES);
  #headBytes = 0;
  #left = 0;
  #bytes = 0;
  #frames = 0;
  #share: BodyShare | null = null;
  /** Frames of the incomplete message */
  #held: Buffer[] = [];

  constructor(private readonly newShare: () => BodyShare) {}

  /** False if no more of the message is accepted. */
  take(frame: Buffer): boolean {
    this.#held.push(frame);
    for (let at = 0; at < frame.length;) {
      if (this.#left === 0) {
        const copied = frame.copy(this.#head, this.#headBytes, at);
        at += copied;
        this.#headBytes += copied;
        if (this.#headBytes < HEAD_BYTES) return true;
        this.#left = this.#head.readUInt32BE(1);
        this.#headBytes = this.#bytes = this.#frames = 0;
        continue;
      }
      const part = Math.min(this.#left, frame.length - at);
      at += part;
      this.#left -= part;
      this.#bytes += part;
      this.#frames += 1;
      if (this.#left === 0) {
        this.end();
        this.#held = at < frame.length ? [frame] : [];
      } else if (!this.#hold()) return false;
    }
    return true;
  }

  #hold(): boolean {
    this.#share ??= this.newShare();
    if (isFinelyCut(this.#frames, this.#bytes)) this.end('finely_cut');
    else if (!this.#share.grow(this.#bytes)) this.end('no_room');
    return this.#share !== null;
  }

  /** Frees the memory of the frames at once: the garbage collector notices bytes outside its heap late. */
  free(): void {
    for (const { buffer } of this.#held) if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
    this.#held = [];
  }

  /** The message is complete, or its rest is not needed. */
  end(fault?: 'finely_cut' | 'no_room'): void {
    this.#share?.end(fault);
    this.#share = null;
  }
}
