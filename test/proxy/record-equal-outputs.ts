// `node test/proxy/record-equal-outputs.ts [CASE...]`: runs recorded graphs with `heddle run` on the engine at
// HEDDLE_TEST_ENGINE and on the built-in engine, and compares the hashes of all outputs. Exit code 0: equal.
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { heddle } from '@heddle/cli';
import { blake3Of } from '@heddle/testing-api';
import { startStandalone } from '@heddle/testing-standalone';
import sharp from 'sharp';

const RECORDED = new URL('../../libs/engine/builtin/recorded/', import.meta.url);
/** Without W8: the two recorded versions of the engine differ in one of its pictures. */
const USUAL = ['W1', 'W2', 'W3', 'W5', 'W6', 'W9', 'W11', 'W12'];

interface Case {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly workflow: Readonly<Record<string, { class_type: string; inputs: Record<string, unknown> }>>;
}

/** Hashes of a downloaded output: its bytes and its decoded pixels */
interface Told {
  readonly hash: string;
  readonly pixels: string;
}

const engineUrl = process.env['HEDDLE_TEST_ENGINE'];
if (engineUrl === undefined || engineUrl === '') {
  console.error('HEDDLE_TEST_ENGINE has to name a running engine');
  process.exit(2);
}
const wanted = process.argv.length > 2 ? process.argv.slice(2) : USUAL;
const cases = readFileSync(new URL('cases.jsonl', RECORDED), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case)
  .filter(({ name }) => wanted.some((prefix) => name === prefix || name.startsWith(`${prefix}-`)));

const real = await runAll(engineUrl);
const own = await runAll('builtin');
let unequal = 0;
console.log(`\n${'output, and the SHA-256 of what it decodes to'.padEnd(50)}${'real'.padEnd(14)}built-in`);
for (const [place, told] of real) {
  const other = own.get(place);
  if (other?.pixels !== told.pixels) unequal += 1;
  const verdict = other?.pixels !== told.pixels ? 'DIFFERENT' : other.hash === told.hash ? 'equal, file too' : 'equal';
  console.log(`${place.padEnd(50)}${short(told.pixels)}  ${short(other?.pixels ?? '-')}  ${verdict}`);
}
console.log(`${real.size} outputs of ${cases.length} graphs, ${unequal} different`);
process.exitCode = unequal === 0 && real.size === own.size ? 0 : 1;

async function runAll(engine: string): Promise<Map<string, Told>> {
  const service = await startStandalone({ env: { HEDDLE_ENGINE: engine } });
  const folder = await mkdtemp(join(tmpdir(), 'heddle-equal-'));
  const found = new Map<string, Told>();
  console.log(`\n$ HEDDLE_ENGINE=${engine} npm start`);
  try {
    for (const recorded of cases) {
      const graph = join(folder, `${recorded.name}.json`);
      await writeFile(graph, JSON.stringify(recorded.workflow));
      const inputs = inputsOf(recorded);
      console.log(`$ heddle run ${recorded.name}.json${inputs.map(([at, file]) => ` --input ${at}=${file}`).join('')}`);
      const words = inputs.flatMap(([at, file]) => [
        '--input',
        `${at}=${fileURLToPath(new URL(`inputs/${file}`, RECORDED))}`,
      ]);
      const results = join(folder, recorded.name);
      console.log(await run(service.url, ['run', graph, ...words, '--out', results], folder));
      for (const [place, told] of await outputsIn(results)) found.set(`${recorded.name}/${place}`, told);
    }
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return found;
}

async function run(url: string, words: readonly string[], folder: string): Promise<string> {
  let text = '';
  const stream = { write: (more: string): boolean => ((text += more), true), isTTY: false };
  const code = await heddle([...words], { stdout: stream, stderr: stream, env: { HEDDLE_URL: url, NO_COLOR: '1' } });
  if (code !== 0) throw new Error(`heddle ${words.join(' ')} ended with ${code}:\n${text}`);
  return text.trim().replaceAll(`${folder}/`, '');
}

/** Output files by name, without the engine's counters, which continue from run to run. */
async function outputsIn(folder: string): Promise<[string, Told][]> {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name): Promise<[string, Told]> => {
      const bytes = await readFile(join(folder, name));
      const content = name.endsWith('.txt') ? bytes : await sharp(bytes).raw().toBuffer();
      const pixels = createHash('sha256').update(content).digest('hex');
      const place = name.replace(/_temp_[a-z]{5}_/, '_temp_').replace(/_\d{5}_(?=\.)/, '');
      return [place, { hash: blake3Of(bytes), pixels }];
    }),
  );
}

/** Inputs that name a recorded file, as `node.input` and the file. */
function inputsOf({ inputs, workflow }: Case): [string, string][] {
  return Object.entries(workflow).flatMap(([nodeId, node]) =>
    Object.entries(node.inputs)
      .filter(([, value]) => typeof value === 'string' && inputs.includes(value))
      .map(([input, value]): [string, string] => [`${nodeId}.${input}`, String(value)]),
  );
}

function short(hash: string): string {
  return hash.replace('blake3:', '').slice(0, 12);
}
