const inspect = Symbol.for('nodejs.util.inspect.custom');

/** A credential that cannot be printed, logged, stored or serialised by accident: only `reveal()` returns it. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[redacted]';
  }

  toJSON(): string {
    return '[redacted]';
  }

  [inspect](): string {
    return '[redacted]';
  }
}

/** Partner credentials of one job (api-v2, POST /jobs `extra_data`); at least one is present. */
export interface PartnerCredentials {
  readonly apiKey?: Secret;
  readonly authToken?: Secret;
}
