import type { PackedPackage } from './pack-package.js';
import type { Project } from './read-project.js';

/** The body of a publish (registry decisions, Publishing). */
export function publishBody(project: Project, { sha256 }: PackedPackage, token: string): object {
  const supported = {
    supported_os: project.supportedOs,
    supported_accelerators: project.supportedAccelerators,
    supported_engine_version: project.engineVersion,
    supported_engine_frontend_version: project.frontendVersion,
  };
  return {
    personal_access_token: token,
    node: {
      id: project.nodeId,
      name: project.name,
      description: project.description,
      license: project.license,
      repository: project.repository,
      icon: project.icon,
      banner_url: project.banner,
      ...supported,
    },
    node_version: { version: project.version, dependencies: project.dependencies, sha256, ...supported },
  };
}
