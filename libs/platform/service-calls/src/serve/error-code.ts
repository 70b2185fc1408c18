/** Metadata key of the error code of a status, for example `malformed`. Only the serving process sets it. */
export const ERROR_CODE = 'heddle-error-code';

/** A dependency of the service, such as its database, is unreachable: the same call may succeed later. */
export const DEPENDENCY_AWAY = 'DependencyAwayError';
