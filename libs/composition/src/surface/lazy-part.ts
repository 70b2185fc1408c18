import type { ServerResponse } from 'node:http';
import type { ServiceProcess } from '../process/service-process.js';

/** A part of a process that is opened at its first use. A failed start is tried again at the next use. */
export class LazyPart<T> {
  #opened: Promise<T> | null = null;

  constructor(
    private readonly service: ServiceProcess,
    private readonly open: () => Promise<T>,
    /** In messages, such as `registry`. */
    private readonly name: string,
  ) {}

  async get(): Promise<T> {
    this.#opened ??= this.open();
    this.#opened.catch(() => (this.#opened = null));
    return await this.#opened;
  }

  /** Answers a request, or says that nothing could be started. `form`: of the body, by its sentence. */
  serve(use: (part: T) => void, response: ServerResponse, form: (message: string) => object): void {
    this.get().then(use, (error: unknown) => {
      this.service.logger.error({ err: error }, `the ${this.name} did not start`);
      const message = `The ${this.name} could not be started. The log of the service names the cause.`;
      response.writeHead(500, { 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(form(message)));
    });
  }

  /** Opens it if `hasWork`, beside the start, which it must not delay or fail. */
  goOn(hasWork: () => Promise<boolean>): void {
    hasWork()
      .then(async (has) => void (has && (await this.get())))
      .catch((error: unknown) =>
        this.service.logger.warn(
          { err: error },
          `it is unknown whether the ${this.name} has work to do: it begins with the first request`,
        ),
      );
  }
}
