import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { Kafka, logLevel, type KafkaConfig, type logCreator, type SASLOptions } from 'kafkajs';
import { BusRefusedError } from './bus-failures.js';
import {
  silent,
  type BusLog,
  type KafkaConnectionOptions,
  type KafkaSasl,
  type KafkaTls,
} from './kafka-bus-options.js';

/**
 * How often and how long the client itself tries. Little, as the bus tries again around it and so sees an outage as one: a large
 * budget inside the client holds a send back for the whole of it. All fields are given because the client's defaults depend on NODE_ENV.
 */
const RETRIES = { initialRetryTime: 100, maxRetryTime: 500, retries: 3, factor: 0.2, multiplier: 2 };
const CONNECT_WITHIN_MS = 2_000;
const ANSWER_WITHIN_MS = 5_000;

/** The client library over these options. Fails with `BusRefusedError` when a certificate file cannot be read. */
export function kafkaClient(options: KafkaConnectionOptions): Kafka {
  const config: KafkaConfig = {
    brokers: rotating(options.brokers),
    clientId: options.clientId,
    connectionTimeout: CONNECT_WITHIN_MS,
    authenticationTimeout: ANSWER_WITHIN_MS,
    requestTimeout: ANSWER_WITHIN_MS,
    retry: RETRIES,
    logLevel: logLevel.WARN,
    logCreator: quietly(options.log ?? silent),
  };
  if (options.tls) config.ssl = tlsOf(options.tls);
  if (options.sasl) config.sasl = saslOf(options.sasl);
  return new Kafka(config);
}

/**
 * One broker at a time, the next one for each new connection that begins: the client goes on to the next of a list only when
 * the first takes no connection, and one that hangs takes connections.
 */
function rotating(brokers: readonly string[]): () => Promise<string[]> {
  let next = 0;
  return async () => await Promise.resolve(brokers.slice(next % brokers.length, (next++ % brokers.length) + 1));
}

/** The client calls a common rebalance an error, in eight lines; what matters is told by the bus itself. */
function quietly(log: BusLog): logCreator {
  return () =>
    ({ namespace, log: { message } }) =>
      log('debug', `kafkajs ${namespace}: ${message}`);
}

function tlsOf({ caFile, certFile, keyFile }: KafkaTls): ConnectionOptions {
  return {
    minVersion: 'TLSv1.2',
    ...(caFile === undefined ? {} : { ca: [fileOf(caFile, 'authorities')] }),
    ...(certFile === undefined ? {} : { cert: fileOf(certFile, 'certificate') }),
    ...(keyFile === undefined ? {} : { key: fileOf(keyFile, 'key') }),
  };
}

function fileOf(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new BusRefusedError('tls', `The file of the ${what} for Kafka, ${path}, cannot be read: ${why}.`);
  }
}

function saslOf({ mechanism, user, password }: KafkaSasl): SASLOptions {
  const credentials = { username: user, password };
  switch (mechanism) {
    case 'plain':
      return { mechanism: 'plain', ...credentials };
    case 'scram-sha-256':
      return { mechanism: 'scram-sha-256', ...credentials };
    case 'scram-sha-512':
      return { mechanism: 'scram-sha-512', ...credentials };
  }
}
