// expects: @typescript-eslint/no-explicit-any, no-warning-comments
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export const value: any = 1;
