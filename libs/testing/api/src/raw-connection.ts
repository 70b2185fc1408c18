import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** A TCP connection for requests that no HTTP client would send. */
export interface RawConnection {
  readonly socket: Socket;
  write(data: string | Uint8Array): void;
  /** Resolves when `done` accepts the text so far, or when the server closed; rejects after `withinMs`. */
  read(done: (text: string) => boolean, withinMs?: number): Promise<string>;
  /** Everything until the server closes. */
  readAll(withinMs?: number): Promise<string>;
  readonly closed: Promise<void>;
  destroy(): void;
}

export async function rawConnection(origin: string): Promise<RawConnection> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  let text = '';
  let ended = false;
  const listeners = new Set<() => void>();
  const tell = (): void => listeners.forEach((listener) => listener());
  const closed = new Promise<void>((done) => socket.once('close', () => done()));
  socket.setEncoding('latin1');
  socket.on('data', (data: string) => {
    text += data;
    tell();
  });
  socket.on('error', () => undefined);
  void closed.then(() => {
    ended = true;
    tell();
  });
  await new Promise<void>((done, fail) => {
    socket.once('connect', () => done());
    socket.once('error', fail);
  });
  const read = (done: (text: string) => boolean, withinMs = 30_000): Promise<string> =>
    new Promise((found, fail) => {
      const timer = setTimeout(() => {
        listeners.delete(look);
        fail(new Error(`the server neither answered nor closed within ${withinMs} ms; so far: ${text.slice(0, 400)}`));
      }, withinMs);
      const look = (): void => {
        if (!ended && !done(text)) return;
        clearTimeout(timer);
        listeners.delete(look);
        found(text);
      };
      listeners.add(look);
      look();
    });
  return {
    socket,
    write: (data) => void socket.write(data),
    read,
    readAll: (withinMs) => read(() => false, withinMs),
    closed,
    destroy: () => socket.destroy(),
  };
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Parses the answers in a connection's text, one after the other (Content-Length and chunked bodies). */
export function rawAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest.startsWith('HTTP/1.')) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) break;
    const lines = rest.slice(0, headEnd).split('\r\n');
    const headers = new Map(
      lines.slice(1).map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
      }),
    );
    const status = Number(lines[0]?.split(' ')[1]);
    const after = rest.slice(headEnd + 4);
    const { body, rest: next } = bodyOf(headers, after);
    answers.push({ status, headers, body });
    rest = next;
  }
  return answers;
}

function bodyOf(headers: ReadonlyMap<string, string>, text: string): { body: string; rest: string } {
  if (headers.get('transfer-encoding') === 'chunked') {
    let body = '';
    let rest = text;
    for (;;) {
      const lineEnd = rest.indexOf('\r\n');
      const size = Number.parseInt(rest.slice(0, lineEnd), 16);
      if (lineEnd < 0 || !(size > 0)) return { body, rest: rest.slice(lineEnd + 4) };
      body += rest.slice(lineEnd + 2, lineEnd + 2 + size);
      rest = rest.slice(lineEnd + 2 + size + 2);
    }
  }
  const length = Number(headers.get('content-length') ?? Number.NaN);
  if (Number.isNaN(length)) return { body: text, rest: '' };
  return { body: text.slice(0, length), rest: text.slice(length) };
}
