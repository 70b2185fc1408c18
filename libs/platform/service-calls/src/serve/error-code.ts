/** Metadata of a status: what its caller may do about it, such as `malformed`. Whoever serves a call sets it, and nobody else. */
export const ERROR_CODE = 'heddle-error-code';

/** The code where what the service needs is away, such as its database: the same call may well succeed later. */
export const DEPENDENCY_AWAY = 'DependencyAwayError';
