/** Of the body budget: callers without a key may fill an API of the registry's, and must leave room for the other APIs. */
export const ANONYMOUS_SHARE = 0.25;
