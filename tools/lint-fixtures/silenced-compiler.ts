// expects: @typescript-eslint/ban-ts-comment
// @ts-ignore
export const value: number = 'one';
