import { refuse } from '@heddle/contracts-messages';
import type { FileVerdict } from '@heddle/validation';
import type { Command, CommandCall } from '../command-line/command.js';
import { pairs } from '../command-line/read-arguments.js';
import { CliFailure, EXIT, wrongUsage } from '../failure.js';
import { notText } from '../run-workflow/graph-file.js';
import { plainText } from '../terminal/plain-text.js';
import { placeInputs } from './place-inputs.js';
import { MAX_GRAPH_BYTES, readGraph } from './read-graph.js';
import { assertInputs } from '../run-workflow/resolve-inputs.js';
import { wrapText } from '../terminal/text-width.js';
import { renderVerdict } from './render-verdict.js';

export const validateCommand: Command = {
  name: 'validate',
  summary: 'check graphs without submitting them; only --package needs a service, the registry',
  words: 'GRAPH.json...',
  isLocal: true,
  judges: true,
  options: {
    input: {
      value: 'NODE.INPUT=FILE',
      meaning: 'check the graphs as if `heddle run` set the input to FILE or asset:ID',
      multiple: true,
    },
    catalogue: {
      value: 'FILE|URL',
      meaning: "a recorded /object_info, or a running engine (the built-in engine's catalogue)",
    },
    package: {
      value: 'NODE@VERSION',
      meaning: 'add the node classes of a package of the registry; those of the engine win',
      multiple: true,
    },
    registry: {
      value: 'URL',
      meaning: 'address of the registry of --package (HEDDLE_REGISTRY_URL; default: /registry below HEDDLE_URL)',
    },
  },
  examples: [
    'heddle validate graph.json',
    'heddle validate graph.json --input 12.image=photo.png',
    'heddle validate --package image-tools@1.2.0 graph.json',
    'heddle validate --catalogue http://127.0.0.1:8188 graphs/*.json',
    "heddle validate --json graphs/*.json | jq -r 'select(.valid | not) | .file'",
  ],
  run: validateGraphs,
};

async function validateGraphs(call: CommandCall): Promise<number> {
  const { words, options, terminal } = call;
  if (words.length === 0) throw wrongUsage('validate takes at least one graph', 'heddle validate GRAPH.json');
  // Loaded on demand, so that other commands start without them.
  const [{ validateFile }, { readCatalogue }, { withPackages }] = await Promise.all([
    import('@heddle/validation'),
    import('./read-catalogue.js'),
    import('./read-packages.js'),
  ]);
  const inputs = pairs(options, 'input');
  await assertInputs(inputs);
  const engine = await readCatalogue(options.text('catalogue'));
  const catalogue = await withPackages(engine, options.all('package'), call);
  let exitCode: number = EXIT.done;
  const judge = async (file: string): Promise<FileVerdict> => {
    const graph = await readGraph(file);
    if (graph.kind === 'unreadable') throw new UnreadableGraph(graph.reason, EXIT.usage);
    if (graph.kind === 'too_large') return TOO_LARGE;
    const binary = notText(graph.bytes);
    if (binary !== null) return { valid: false, error: binary, problems: [], warnings: [] };
    const placed = await placeInputs(graph.bytes, inputs, catalogue);
    const verdict = validateFile(placed.bytes, catalogue);
    return { ...verdict, warnings: [...placed.warnings, ...verdict.warnings] };
  };
  for (const file of words) {
    const verdict = await judge(file).catch((error: unknown) => {
      if (!(error instanceof CliFailure)) throw error;
      const { message } = error;
      const named = error instanceof UnreadableGraph ? message : `${file}: ${message}`;
      terminal.sayWrapped(plainText(`heddle: ${named}`), '        ');
      terminal.printJson({ file, valid: false, error: { code: 'usage', message }, warnings: [] });
      return null;
    });
    if (verdict === null) {
      exitCode = EXIT.usage;
      continue;
    }
    const { valid, error, warnings } = verdict;
    terminal.printJson({ file, valid, error: error === null ? null : envelopeError(error), warnings });
    if (!terminal.json) {
      const lines = renderVerdict(file, verdict).flatMap((line) => wrapText(line, terminal.width, '    '));
      for (const line of lines) terminal.print(line);
    }
    if (!valid && exitCode === EXIT.done) exitCode = EXIT.failed;
  }
  return exitCode;
}

/** Its message names the file. */
class UnreadableGraph extends CliFailure {}

const TOO_LARGE: FileVerdict = {
  valid: false,
  error: refuse('payload_too_large', { case: 'body', limit: MAX_GRAPH_BYTES }),
  problems: [],
  warnings: [],
};

/** In the form of the POST /jobs envelope. */
function envelopeError({ code, message, details }: NonNullable<FileVerdict['error']>): object {
  return { code, message, ...(details === undefined ? {} : { details }) };
}
