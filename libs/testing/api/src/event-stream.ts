import { request } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isTerminal } from './wire.js';

export interface Frame {
  readonly event: string;
  readonly data: Record<string, unknown>;
  /** The raw lines of the frame. */
  readonly raw: string;
}

/** One open stream of GET /api/v2/jobs/{id}/events. Frames and comments are kept in order of arrival. */
export interface EventStream {
  readonly headers: IncomingHttpHeaders;
  readonly frames: readonly Frame[];
  readonly comments: readonly string[];
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>;
  /** The first matching frame, past or future; rejects at the end or after `withinMs`. */
  until(what: string, match: (frame: Frame) => boolean, withinMs?: number): Promise<Frame>;
  /** Resolves with every frame once the server ended the stream. */
  all(withinMs?: number): Promise<readonly Frame[]>;
  text(): string;
  close(): void;
  /** Stops and continues reading, like a stalled client. */
  pause(): void;
  resume(): void;
}

export async function openEventStream(url: string, headers: Record<string, string> = {}): Promise<EventStream> {
  const { outgoing, incoming } = await connect(url, headers);
  const frames: Frame[] = [];
  const comments: string[] = [];
  const listeners = new Set<() => void>();
  let text = '';
  let pending = '';
  let over = false;
  const tell = (): void => listeners.forEach((listener) => listener());
  const ended = new Promise<void>((done) => incoming.once('close', () => done()));
  incoming.setEncoding('utf8');
  incoming.on('error', () => undefined);
  incoming.on('data', (data: string) => {
    text += data;
    pending += data;
    for (let end = pending.indexOf('\n\n'); end >= 0; end = pending.indexOf('\n\n')) {
      const block = pending.slice(0, end);
      pending = pending.slice(end + 2);
      for (const line of block.split('\n')) if (line.startsWith(':')) comments.push(line.slice(1).trim());
      const frame = frameOf(block);
      if (frame !== null) frames.push(frame);
    }
    tell();
  });
  void ended.then(() => {
    over = true;
    tell();
  });
  const wait = <Found>(what: string, look: () => Found | undefined, withinMs: number): Promise<Found> =>
    new Promise((done, fail) => {
      const stop = (): void => {
        clearTimeout(timer);
        listeners.delete(check);
      };
      const check = (): void => {
        const found = look();
        if (found !== undefined) {
          stop();
          done(found);
        } else if (over) {
          stop();
          fail(new Error(`the stream ended before ${what}; it said:\n${text.slice(-2000)}`));
        }
      };
      const timer = setTimeout(() => {
        stop();
        fail(new Error(`${what} did not come within ${withinMs} ms; the stream said:\n${text.slice(-2000)}`));
      }, withinMs);
      listeners.add(check);
      check();
    });
  return {
    headers: incoming.headers,
    frames,
    comments,
    ended,
    until: (what, match, withinMs = 45_000) => wait(what, () => frames.find(match), withinMs),
    all: (withinMs = 45_000) => wait('the end', () => (over ? frames : undefined), withinMs),
    text: () => text,
    close: () => void outgoing.destroy(),
    pause: () => void incoming.pause(),
    resume: () => void incoming.resume(),
  };
}

async function connect(url: string, headers: Record<string, string>): Promise<Connected> {
  const outgoing = request(url, { agent: false, headers: { accept: 'text/event-stream', ...headers } });
  const incoming = await new Promise<IncomingMessage>((done, fail) => {
    outgoing.once('response', done);
    outgoing.once('error', fail);
    outgoing.end();
  });
  outgoing.on('error', () => undefined);
  if (incoming.statusCode === 200) return { outgoing, incoming };
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  throw new StreamRefused(incoming.statusCode ?? 0, Buffer.concat(chunks).toString('utf8'));
}

interface Connected {
  readonly outgoing: ClientRequest;
  readonly incoming: IncomingMessage;
}

/** The server answered a stream request with something else. */
export class StreamRefused extends Error {
  constructor(
    readonly status: number,
    readonly body: string,
  ) {
    super(`the stream was refused with ${status}: ${body.slice(0, 300)}`);
  }
}

function frameOf(block: string): Frame | null {
  const lines = block.split('\n').filter((line) => line !== '' && !line.startsWith(':'));
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart());
  // As in every reader of event streams: without data there is no event.
  if (data.length === 0) return null;
  const event =
    lines
      .find((line) => line.startsWith('event:'))
      ?.slice(6)
      .trim() ?? '';
  return { event, data: JSON.parse(data.join('\n')) as Record<string, unknown>, raw: block };
}

export function isTerminalFrame(frame: Frame): boolean {
  return frame.event === 'status' && isTerminal(String(frame.data['status']));
}
