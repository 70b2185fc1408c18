// expects: @typescript-eslint/only-throw-error
export function refuse(): never {
  throw 'queue_full';
}
