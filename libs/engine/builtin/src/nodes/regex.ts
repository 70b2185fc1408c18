import type { NodeImplementation } from '../execution/node-class.js';
import { NodeError } from '../execution/node-error.js';
import { withinTime } from '../text/bounded-time.js';
import { fillTemplate, pythonRegex, type RegexFlags } from '../text/python-regex.js';
import type { Inputs } from '../values/inputs.js';

const MAX_MATCHES = 1_000_000;
const EXTRACTIONS = ['First Match', 'All Matches', 'First Group', 'All Groups'] as const;

/** A pattern that is wrong matches nothing. */
export const regexMatch: NodeImplementation = {
  run(inputs) {
    const regex = patternOrNull(inputs);
    const text = inputs.text('string');
    return [regex !== null && withinTime(() => regex.test(text))];
  },
};

export const regexExtract: NodeImplementation = {
  run(inputs) {
    const regex = patternOrNull(inputs);
    if (regex === null) return [''];
    const text = inputs.text('string');
    const matches = withinTime(() => findAll(text, regex));
    const index = inputs.int('group_index', 1);
    const mode = inputs.choice('mode', EXTRACTIONS);
    const [first] = matches;
    if (first === undefined) return [''];
    if (mode === 'First Match') return [first[0]];
    // With groups in the pattern the first group stands for the match, as Python's findall has it.
    if (mode === 'All Matches')
      return [matches.map((match) => (match.length > 1 ? (match[1] ?? '') : match[0])).join('\n')];
    if (index >= first.length) return [''];
    if (mode === 'First Group') return [first[index] ?? ''];
    return [first.length === 1 ? '' : matches.map((match) => match[index] ?? '').join('\n')];
  },
};

export const regexReplace: NodeImplementation = {
  run(inputs) {
    const text = inputs.text('string');
    const template = inputs.text('replace');
    const limit = inputs.int('count', 0);
    let [out, end, done] = ['', 0, 0];
    const regex = pythonRegex(inputs.text('regex_pattern'), flagsOf(inputs));
    for (const match of withinTime(() => findAll(text, regex))) {
      if (limit > 0 && done >= limit) break;
      out += text.slice(end, match.index) + fillTemplate(template, match);
      end = match.index + match[0].length;
      done += 1;
    }
    return [out + text.slice(end)];
  },
};

/** Every match, at most so many that they fit the memory. */
function findAll(text: string, regex: RegExp): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (const match of text.matchAll(regex)) {
    found.push(match);
    if (found.length > MAX_MATCHES) throw new NodeError('MemoryError', `more than ${MAX_MATCHES} matches`);
  }
  return found;
}

function patternOrNull(inputs: Inputs): RegExp | null {
  try {
    return pythonRegex(inputs.text('regex_pattern'), flagsOf(inputs));
  } catch (error) {
    if (error instanceof NodeError && error.type === 're.error') return null;
    throw error;
  }
}

function flagsOf(inputs: Inputs): RegexFlags {
  return {
    caseInsensitive: inputs.flag('case_insensitive', true),
    multiline: inputs.flag('multiline', false),
    dotAll: inputs.flag('dotall', false),
  };
}
