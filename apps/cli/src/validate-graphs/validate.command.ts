import type { FileVerdict } from '@heddle/validation';
import type { Command, CommandCall } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { MOST_GRAPH_BYTES, readGraph } from './read-graph.js';
import { renderVerdict } from './render-verdict.js';

export const validateCommand: Command = {
  name: 'validate',
  summary: 'check graphs without submitting them; no service is needed',
  words: 'GRAPH.json...',
  options: {
    catalogue: {
      value: 'FILE|URL',
      meaning: "a recorded /object_info, or a running engine (the built-in engine's catalogue)",
    },
  },
  examples: [
    'heddle validate graph.json',
    'heddle validate --catalogue http://127.0.0.1:8188 graphs/*.json',
    "heddle validate --json graphs/*.json | jq -r 'select(.valid | not) | .file'",
  ],
  run: validateGraphs,
};

async function validateGraphs({ words, options, terminal }: CommandCall): Promise<number> {
  if (words.length === 0) throw wrongUsage('validate takes at least one graph', 'heddle validate GRAPH.json');
  // Loaded now, so that the other commands start without them.
  const [{ validateFile }, { readCatalogue }] = await Promise.all([
    import('@heddle/validation'),
    import('./read-catalogue.js'),
  ]);
  const catalogue = await readCatalogue(options.text('catalogue'));
  let exitCode: number = EXIT.done;
  for (const file of words) {
    const graph = await readGraph(file);
    if (graph.kind === 'unreadable') {
      terminal.say(`${file} cannot be read: ${graph.reason}`);
      exitCode = EXIT.usage;
      continue;
    }
    const verdict = graph.kind === 'too_large' ? TOO_LARGE : validateFile(graph.bytes, catalogue);
    const { valid, error } = verdict;
    terminal.printJson({ file, valid, error: error === null ? null : envelopeError(error) });
    if (!terminal.json) for (const line of renderVerdict(file, verdict)) terminal.print(line);
    if (!valid && exitCode === EXIT.done) exitCode = EXIT.failed;
  }
  return exitCode;
}

const TOO_LARGE: FileVerdict = {
  valid: false,
  error: { code: 'payload_too_large', message: `A submission takes at most ${MOST_GRAPH_BYTES} bytes.` },
  problems: [],
};

/** As POST /jobs answers it inside its envelope. */
function envelopeError({ code, message, details }: NonNullable<FileVerdict['error']>): object {
  return { code, message, ...(details === undefined ? {} : { details }) };
}
