/** Version of the worker protocol that this build speaks, as worker and as service. */
export const PROTOCOL_VERSION = 1;
