interface Versioned {
  readonly streamVersion: number;
}

/** A state as its row holds it. The name `log` is released: replicas of other builds read and write the same rows. */
export type StateJson<State extends Versioned> = Omit<State, 'streamVersion'> & { readonly log: number };

export function encodeState<State extends Versioned>({ streamVersion, ...state }: State): StateJson<State> {
  return { ...state, log: streamVersion };
}

export function decodeState<State extends Versioned>({ log, ...state }: StateJson<State>): State {
  return { ...state, streamVersion: log } as unknown as State;
}
