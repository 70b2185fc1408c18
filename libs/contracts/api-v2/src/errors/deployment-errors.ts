import { code, type Limit } from './error-entry.js';

/** A deployment as people name it, and its status. */
export interface NamedDeployment {
  readonly name: string;
  readonly status: string;
}

/** The command of `heddle` that does what was wanted. */
export interface Remedy {
  readonly command: string;
}

/** The operator's commands on deployments, and why they cannot be done now. */
export const DEPLOYMENT_ERRORS = {
  wrong_state: code(409, 'the admin API only: not possible in the present state', {
    has_jobs: ({ name }: Pick<NamedDeployment, 'name'>) =>
      `The deployment ${name} has jobs that have not ended. Drain it, and wait until it is stopped.`,
    serves_every_host:
      'The deployment default serves every host of this service and cannot be deleted: drain it to stop it.',
    paused: ({ name, status, command }: NamedDeployment & Remedy) =>
      `The deployment ${name} is ${status}: it is paused, and ${command} ends a pause.`,
    delete_draining: ({ name }: Pick<NamedDeployment, 'name'>) =>
      `The deployment ${name} is draining: delete it once it is stopped.`,
    delete_in_service: ({ name, status, command }: NamedDeployment & Remedy) =>
      `The deployment ${name} is ${status}: stop it with ${command}, and delete it then.`,
    stopped: ({ name, command }: Pick<NamedDeployment, 'name'> & Remedy) =>
      `The deployment ${name} is stopped: ${command} starts it.`,
    draining: ({ name, command }: Pick<NamedDeployment, 'name'> & Remedy) =>
      `The deployment ${name} is draining: wait until it is stopped, or keep it in service with ${command}.`,
    not_ready: ({ name, status, change }: NamedDeployment & { readonly change: string }) =>
      `The deployment ${name} is ${status}: ${change} is possible once it is ready.`,
    packages_unchecked:
      'The registry does not answer, so the packages of the environment cannot be checked. Send the command again later.',
  }),
} as const;

type LabelProblem = 'form' | 'reserved' | 'alphabet';

/** What is wrong with the label of a deployment; the launcher of a cluster uses the same words. */
export function labelProblemText(problem: LabelProblem, label: string): string {
  if (problem === 'reserved') return `The label ${label} is reserved.`;
  return problem === 'form'
    ? 'A label has 1 to 63 characters of a-z, 0-9 and -, and neither begins nor ends with -.'
    : 'A label must not have -- as its third and fourth character.';
}

const MAX_SHOWN_PACKAGES = 5;

/** Values of a command on a deployment that are not valid: cases of `invalid_request`. */
export const DEPLOYMENT_VALUES = {
  label: ({ problem, label }: { readonly problem: LabelProblem; readonly label: string }) =>
    `A value is not valid. ${labelProblemText(problem, label)}`,
  provider: ({ provider, offered }: { readonly provider: string; readonly offered: string }) =>
    `A value is not valid. The provider ${provider} is not offered here; use ${offered}.`,
  option: ({ option, min, max, isWhole, value }: OptionRange & { readonly option: string; readonly value: number }) =>
    `A value is not valid. The option ${option} must be ${isWhole ? 'a whole number' : 'a number'} from ${min} to ${max}, not ${value}.`,
  // The URL is not repeated: it may hold a password.
  engine: ({ fault, meantBuiltin }: { readonly fault: string; readonly meantBuiltin: boolean }) =>
    `A value is not valid. The engine must be builtin or the URL of an engine: the given one ${fault}.` +
    (meantBuiltin ? ' Did you mean builtin?' : ''),
  environment_text: ({ limit }: Limit) =>
    `A value is not valid. A text of an environment has at most ${limit} characters.`,
  environment_packages: ({ limit }: Limit) => `A value is not valid. An environment has at most ${limit} packages.`,
  packages: ({ packages }: { readonly packages: readonly string[] }) => {
    const more = packages.length > MAX_SHOWN_PACKAGES ? ` and ${packages.length - MAX_SHOWN_PACKAGES} more` : '';
    const shown = packages.slice(0, MAX_SHOWN_PACKAGES).join(', ');
    return (
      `A value is not valid. The registry has no version ${shown}${more} that can be installed. ` +
      'Publish it there, or remove it from the packages of the environment.'
    );
  },
  catalogue_unknown: ({ hash }: CatalogueHash) =>
    `A value is not valid. No catalogue with the hash ${hash} is stored here: give the /object_info document itself as catalogue.`,
  catalogue_hash: ({ hash, wanted }: CatalogueHash & { readonly wanted: string }) =>
    `A value is not valid. The catalogue_hash is ${wanted}, but the catalogue beside it has ${hash}: remove the wrong one.`,
  catalogue:
    'A value is not valid. The catalogue of the environment must be an /object_info document, with a node class that has inputs or outputs.',
} as const;

export interface OptionRange {
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
}

export interface CatalogueHash {
  readonly hash: string;
}
