/** The version of the worker protocol that this build speaks, as a worker and as the service. */
export const PROTOCOL_VERSION = 1;
