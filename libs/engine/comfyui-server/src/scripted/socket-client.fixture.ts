import { WebSocket } from 'ws';

export interface Received {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A client of the engine's WebSocket that records frames. */
export class SocketClient {
  readonly messages: Received[] = [];
  readonly binary: Buffer[] = [];
  /** Frames that are not messages. */
  readonly odd: string[] = [];
  /** All frames in order: messages, binary frames, and the text of odd ones. */
  readonly frames: (Received | Buffer | string)[] = [];
  private waiting: (() => void)[] = [];
  private closed = false;
  private latest: Received | null = null;

  private constructor(readonly socket: WebSocket) {
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.closed = true;
      this.wake();
    });
    socket.on('message', (data, isBinary) => {
      if (isBinary) this.binary.push(data as Buffer);
      else this.keep(String(data as Buffer));
      this.frames.push(isBinary ? (data as Buffer) : (this.latest ?? String(data as Buffer)));
      this.wake();
    });
  }

  /** Resolves once the connection is open. */
  static async open(url: string, clientId: string | null): Promise<SocketClient> {
    const query = clientId === null ? '' : `?clientId=${clientId}`;
    const client = new SocketClient(new WebSocket(`${url.replace('http', 'ws')}/ws${query}`));
    await new Promise<void>((done, fail) => {
      client.socket.once('open', done);
      client.socket.once('error', fail);
    });
    return client;
  }

  /** Waits for a condition on the received frames; rejects if the connection closes first. */
  async until(holds: (client: SocketClient) => boolean): Promise<void> {
    while (!holds(this)) {
      if (this.closed) throw new Error(`closed after ${this.types().join(', ')}`);
      await new Promise<void>((done) => this.waiting.push(done));
    }
  }

  /** Waits for the end of a prompt. */
  async ended(promptId: string): Promise<void> {
    await this.until(({ messages }) =>
      messages.some(
        ({ type, data }) => type === 'executing' && data['node'] === null && data['prompt_id'] === promptId,
      ),
    );
  }

  /** Ends every wait of `until`. */
  giveUp(): void {
    this.closed = true;
    this.wake();
  }

  async cut(): Promise<void> {
    while (!this.closed) await new Promise<void>((done) => this.waiting.push(done));
  }

  types(): string[] {
    return this.messages.map(({ type }) => type);
  }

  of(type: string): readonly Readonly<Record<string, unknown>>[] {
    return this.messages.filter((message) => message.type === type).map(({ data }) => data);
  }

  close(): void {
    this.socket.terminate();
  }

  private keep(text: string): void {
    this.latest = messageOf(text);
    if (this.latest === null) this.odd.push(text);
    else this.messages.push(this.latest);
  }

  private wake(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const done of waiting) done();
  }
}

function messageOf(text: string): Received | null {
  try {
    const value = JSON.parse(text) as Received | null;
    return typeof value === 'object' && value !== null && typeof value.type === 'string' ? value : null;
  } catch {
    return null;
  }
}
