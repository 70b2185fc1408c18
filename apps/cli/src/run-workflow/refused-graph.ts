import { NODE_ERROR_REASONS } from '@heddle/workflow-graph';
import type { Catalogue, JsonObject, NodeErrorReason, NodeErrors, NodeProblem } from '@heddle/workflow-graph';
import { ApiError } from '../api/api-error.js';
import { isRecord } from '../api/wire.js';
import { CliFailure, ListedFailure } from '../failure.js';

/**
 * The refusal of a graph with each problem as a sentence on its own line, built here with the service's formatter,
 * because the service's message contains only the first problems. Other errors are returned unchanged.
 */
export async function refusedGraph(
  error: unknown,
  graph: JsonObject,
  readCatalogue: () => Promise<Catalogue>,
): Promise<unknown> {
  if (!(error instanceof ApiError) || error.code !== 'invalid_workflow') return error;
  const errors = nodeErrorsOf(error.details['node_errors']);
  if (errors === null) return error;
  const [{ describedProblems, packageSentence }, { problemLine }, catalogue] = await Promise.all([
    import('@heddle/validation'),
    import('../validate-graphs/render-verdict.js'),
    readCatalogue(),
  ]);
  const problems = describedProblems(graph, catalogue, errors).map((problem) => {
    const { words, package: found } = problem;
    if (found === undefined) return withHint(problem, error.message);
    const install = `heddle registry install ${found.node_id}@${found.version} --into DIR downloads it.`;
    return { ...problem, words: `${words} ${packageSentence(found)} ${install}` };
  });
  const nodes = Object.keys(errors).length;
  const count = `${problems.length} problem${problems.length === 1 ? '' : 's'} in ${nodes} node${nodes === 1 ? '' : 's'}`;
  const { code, exitCode, nextStep } = error;
  const step = nextStep ?? uploadStep(problems);
  const failure = new CliFailure(`${code}: ${count}`, exitCode, step, error.error);
  return new ListedFailure(failure, problems.map(problemLine));
}

const MAX_UPLOADS = 3;

/** For files that the service does not have, unless it has one with a name like it. */
function uploadStep(problems: readonly { nodeId: string; field: string; words: string }[]): string | null {
  const absent = problems.filter(({ words }) => /^No asset or input file is named [^?]*$/.test(words));
  if (absent.length === 0) return null;
  const options = absent.slice(0, MAX_UPLOADS).map(({ nodeId, field }) => `--input ${nodeId}.${field}=FILE`);
  return `${options.join(' ')} ${absent.length === 1 ? 'uploads a file and puts it in' : 'uploads files and puts them in'}`;
}

/** Only the service knows the account's assets, one of which a file name may have been meant to be: its message names it. */
function withHint<Problem extends { readonly words: string }>(problem: Problem, message: string): Problem {
  const own = problem.words.replace(/ Did you mean .*\?$/, '');
  const start = message.indexOf(`${own} Did you mean `);
  const end = start < 0 ? -1 : message.indexOf('?', start + own.length);
  return end < 0 ? problem : { ...problem, words: message.slice(start, end + 1) };
}

/** Null if there are none, or if a newer service uses unknown reasons. */
function nodeErrorsOf(value: unknown): NodeErrors | null {
  if (!isRecord(value)) return null;
  const nodes = Object.entries(value).map(([nodeId, problems]) => {
    const list = Array.isArray(problems) ? (problems as readonly unknown[]) : [null];
    const read = list.map((problem) => {
      if (!isRecord(problem)) return null;
      const { field, reason } = problem;
      if (typeof field !== 'string' || !isReason(reason)) return null;
      const found = packageIn(problem['package']);
      return { field, reason, ...(found !== null && { package: found }) };
    });
    return [nodeId, read] as const;
  });
  const isKnown = nodes.length > 0 && nodes.every(([, problems]) => !problems.includes(null));
  return isKnown ? (Object.fromEntries(nodes) as NodeErrors) : null;
}

function packageIn(value: unknown): NodeProblem['package'] | null {
  if (!isRecord(value)) return null;
  const { node_id, version } = value;
  return typeof node_id === 'string' && typeof version === 'string' ? { node_id, version } : null;
}

function isReason(value: unknown): value is NodeErrorReason {
  return (NODE_ERROR_REASONS as readonly unknown[]).includes(value);
}
