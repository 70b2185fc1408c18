/** Version of the worker protocol that this build speaks, as worker and as service. */
export const PROTOCOL_VERSION = 2;
/** Its workers name no pool in `Hello`: they are of the pool of their token. Services of older builds speak no other. */
export const VERSION_WITHOUT_POOL = 1;
