// expects: @typescript-eslint/no-explicit-any
export const value: any = 1;
