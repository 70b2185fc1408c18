import type { StartedInfrastructure } from './infrastructure.js';
import type { ClusterOptions, RunningCluster } from './cluster.js';
import type { LivesWatch } from './supervise/process-lives.js';

/** Combines the states reported by servers and services. */
export class ClusterWatch implements LivesWatch {
  #servers: StartedInfrastructure | null = null;
  #services: RunningCluster['processes'] = [];

  constructor(private readonly options: ClusterOptions) {}

  follow(servers: StartedInfrastructure): void {
    this.#servers = servers;
    this.changed();
  }

  followServices(services: RunningCluster['processes']): void {
    this.#services = services;
    this.changed();
  }

  changed(): void {
    const infrastructure = this.options.infrastructure ?? this.#servers;
    if (infrastructure === null) return;
    const lives = [...(this.#servers?.servers ?? []), ...this.#services.map((service) => service.lives)];
    this.options.onChange?.({ infrastructure, processes: lives.map(({ status }) => status) });
  }

  say(line: string): void {
    this.options.progress.say(line);
  }

  gaveUp(reason: string): void {
    this.options.onGiveUp?.(reason);
  }
}
