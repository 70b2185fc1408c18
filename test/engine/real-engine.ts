/** Address of the engine for the specs of this folder, which are run by name. */
export const ENGINE_URL: string = addressOf('HEDDLE_TEST_ENGINE');

function addressOf(variable: string): string {
  const address = process.env[variable] ?? '';
  if (address === '') throw new Error(`${variable} is unset: it names a running engine, e.g. http://127.0.0.1:8188`);
  return address;
}
