import type { EngineChild } from './engine-child.js';

/** Engine processes that are kept warm, at most `size` of them; who finds none free waits in line. */
export class ChildPool {
  private readonly all = new Set<EngineChild>();
  private readonly idle: EngineChild[] = [];
  private readonly line: ((child: EngineChild) => void)[] = [];
  private warm = 0;
  private closed = false;

  constructor(
    private readonly size: number,
    private readonly start: () => EngineChild,
  ) {}

  /** Starts processes ahead of need and keeps so many running from now on. */
  async keepWarm(count: number): Promise<void> {
    this.warm = Math.min(count, this.size);
    this.refill();
    await Promise.all([...this.all].map((child) => child.ready));
  }

  /** A process that serves; rejects when it does not start. `null` once `signal` is aborted. */
  async take(signal: AbortSignal): Promise<EngineChild | null> {
    const child = await this.next(signal);
    if (!child) return null;
    try {
      await child.ready;
      return child;
    } catch (error) {
      this.giveBack(child);
      throw error;
    }
  }

  /** A run ended: the process serves the next in line, or is replaced when it died. */
  giveBack(child: EngineChild): void {
    if (child.isAlive && !this.closed) {
      const waiting = this.line.shift();
      if (waiting) waiting(child);
      else this.idle.push(child);
      return;
    }
    this.all.delete(child);
    const waiting = this.closed ? undefined : this.line.shift();
    if (waiting) waiting(this.add());
    // Starting a process takes a while; the caller that waits for the end of this run gets it first.
    else setImmediate(() => this.refill());
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const child of this.all) child.kill();
    await Promise.all([...this.all].map((child) => child.exited));
    this.all.clear();
  }

  private next(signal: AbortSignal): Promise<EngineChild | null> {
    if (this.closed) return Promise.reject(new Error('the engine is closed'));
    for (let child = this.idle.pop(); child; child = this.idle.pop()) {
      if (child.isAlive) return Promise.resolve(child);
      this.all.delete(child);
    }
    if (this.all.size < this.size) return Promise.resolve(this.add());
    return new Promise((resolve) => {
      const waiting = (child: EngineChild): void => {
        signal.removeEventListener('abort', leave);
        resolve(child);
      };
      const leave = (): void => {
        const place = this.line.indexOf(waiting);
        if (place >= 0) this.line.splice(place, 1);
        resolve(null);
      };
      this.line.push(waiting);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  private refill(): void {
    while (!this.closed && this.all.size < this.warm) this.idle.push(this.add());
  }

  private add(): EngineChild {
    const child = this.start();
    this.all.add(child);
    return child;
  }
}
