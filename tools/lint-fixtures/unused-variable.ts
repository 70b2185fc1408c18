// expects: @typescript-eslint/no-unused-vars
export function answer(): number {
  const left = 1;
  return 42;
}
