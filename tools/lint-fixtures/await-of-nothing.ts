// expects: @typescript-eslint/await-thenable
export async function wait(): Promise<void> {
  await 5;
}
