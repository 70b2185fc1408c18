// expects: no-warning-comments
// TODO: decide
export const value = 1;
