// expects: @typescript-eslint/no-floating-promises
async function save(): Promise<void> {}

export function submit(): void {
  save();
}
