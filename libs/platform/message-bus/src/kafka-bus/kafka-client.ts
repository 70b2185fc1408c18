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
 * The client's own retries. Few, because the bus retries around it and sees an outage as one event; a large budget
 * inside the client delays each send by all of it. Every field is set because the client's defaults depend on NODE_ENV.
 */
const RETRIES = { initialRetryTime: 100, maxRetryTime: 500, retries: 3, factor: 0.2, multiplier: 2 };
const CONNECT_WITHIN_MS = 2_000;
const ANSWER_WITHIN_MS = 5_000;

/** The client library with these options. Fails with `BusRefusedError` if a certificate file cannot be read. */
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
 * Gives each new connection one broker, in turn: the client moves on in a list only when a broker accepts no
 * connection, and a broker that hangs accepts them.
 */
function rotating(brokers: readonly string[]): () => Promise<string[]> {
  let next = 0;
  return async () => await Promise.resolve(brokers.slice(next % brokers.length, (next++ % brokers.length) + 1));
}

/** The client logs a normal rebalance as an error of eight lines; the bus logs what matters. */
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
    throw new BusRefusedError('tls', `The ${what} file for Kafka, ${path}, cannot be read: ${why}.`);
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
