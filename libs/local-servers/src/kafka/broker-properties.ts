/** Ports of one broker of a local cluster, all on 127.0.0.1. */
export interface BrokerPorts {
  readonly client: number;
  readonly controller: number;
  /** Between brokers; separate from the client port, which may require a password. */
  readonly internal: number;
}

/** Credentials if the client port requires SASL/PLAIN. */
export interface SaslUser {
  readonly user: string;
  readonly password: string;
}

interface BrokerPlace {
  /** From 1. */
  readonly id: number;
  readonly ports: readonly BrokerPorts[];
  readonly logDir: string;
  readonly sasl?: SaslUser;
  /** The advertised client port, if a proxy stands before the broker. */
  readonly advertisedPort?: number;
  /** The advertised host of the client port, if clients reach the broker through another address. */
  readonly advertisedHost?: string;
}

const HOST = '127.0.0.1';

/**
 * The `server.properties` of a broker that is also a controller. Two values differ from Kafka's defaults for reasons
 * that do not show: the cleaner's buffer would take 128 MiB at start, and the session time-out is how long a broker
 * waits after `kill -9` until its former self expires.
 */
export function brokerProperties({ id, ports, logDir, sasl, advertisedPort, advertisedHost }: BrokerPlace): string {
  const own = ports[id - 1];
  if (!own) throw new Error(`Broker ${id} has no ports: there are ${ports.length} brokers, numbered from 1.`);
  const replicas = Math.min(3, ports.length);
  const inSync = replicas === 3 ? 2 : 1;
  const lines = {
    'process.roles': 'broker,controller',
    'node.id': id,
    listeners: `CLIENT://${HOST}:${own.client},INTERNAL://${HOST}:${own.internal},CONTROLLER://${HOST}:${own.controller}`,
    'advertised.listeners': `CLIENT://${advertisedHost ?? HOST}:${advertisedPort ?? own.client},INTERNAL://${HOST}:${own.internal}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'INTERNAL',
    'listener.security.protocol.map': `CLIENT:${sasl ? 'SASL_PLAINTEXT' : 'PLAINTEXT'},INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT`,
    'controller.quorum.voters': ports.map(({ controller }, i) => `${i + 1}@${HOST}:${controller}`).join(','),
    'log.dirs': logDir,
    'default.replication.factor': replicas,
    'min.insync.replicas': inSync,
    'offsets.topic.replication.factor': replicas,
    'offsets.topic.num.partitions': ports.length === 1 ? 1 : 6,
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': inSync,
    'transaction.state.log.num.partitions': 1,
    'share.coordinator.state.topic.replication.factor': replicas,
    'share.coordinator.state.topic.min.isr': inSync,
    'share.coordinator.state.topic.num.partitions': 1,
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 1_000,
    'auto.create.topics.enable': false,
    'log.segment.bytes': 16_777_216,
    'log.cleaner.dedupe.buffer.size': 8_388_608,
    'broker.session.timeout.ms': 3_000,
    'broker.heartbeat.interval.ms': 500,
    ...(sasl ? saslLines(sasl) : {}),
  };
  return Object.entries(lines)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

function saslLines({ user, password }: SaslUser): Record<string, string> {
  const plainWord = /^[A-Za-z0-9_-]+$/;
  if (!plainWord.test(user) || !plainWord.test(password)) {
    throw new Error('The user and password of a local Kafka consist of letters, digits, "-" and "_".');
  }
  const login = `org.apache.kafka.common.security.plain.PlainLoginModule required user_${user}="${password}";`;
  return {
    'sasl.enabled.mechanisms': 'PLAIN',
    'listener.name.client.sasl.enabled.mechanisms': 'PLAIN',
    'listener.name.client.plain.sasl.jaas.config': login,
  };
}
