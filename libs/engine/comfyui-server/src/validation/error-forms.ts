import { isJsonObject } from '@heddle/workflow-graph';
import type { JsonValue, NodeErrorReason } from '@heddle/workflow-graph';
import type { Answerable } from '../http/json-text.js';

/** One error of a node in the engine's text. */
export interface NodeErrorForm {
  readonly type: string;
  readonly message: string;
  readonly details: string;
  readonly extra_info: { readonly [key: string]: Answerable | undefined };
}

/** Data for the text of an error. */
interface ErrorPlace {
  /** Input name, or the name used for the whole node. */
  readonly field: string;
  /** `[type, options]` of the input from `/object_info`; null if undeclared. */
  readonly declared: readonly JsonValue[] | null;
  readonly value: JsonValue | undefined;
  /** The input of another node that leads here; null for an output node. */
  readonly consumer: string | null;
  /** The output type of the linked node. */
  readonly receivedType: string | null;
}

/** Longer lists are not shown in an error. */
const MAX_SHOWN_OPTIONS = 20;
/** Maximum characters of JSON of a received value in an error. */
const MAX_SHOWN_VALUE = 4096;

/** The reason in the engine's format (engine.md 3, the inverse mapping). */
export function errorForm(reason: NodeErrorReason, place: ErrorPlace): NodeErrorForm {
  const { field, value } = place;
  const options = isJsonObject(place.declared?.[1]) ? place.declared[1] : {};
  switch (reason) {
    case 'missing_input':
      return form('required_input_missing', 'Required input is missing', field, { input_name: field });
    case 'bad_link':
      return received('bad_linked_input', 'Bad linked input, must be a length-2 list of [node_id, slot_index]', place);
    case 'type_mismatch': {
      const { receivedType } = place;
      const details = `${field}, received_type(${receivedType}) mismatch input_type(${typeText(place)})`;
      const info = {
        input_name: field,
        input_config: configOf(place),
        received_type: receivedType,
        linked_node: shown(value),
      };
      return form('return_type_mismatch', 'Return type mismatch between linked nodes', details, info);
    }
    case 'invalid_value_type': {
      const message = `Failed to convert an input value to a ${typeText(place)} value`;
      return received('invalid_input_type', message, place, `${field}, ${textOf(value)}`);
    }
    case 'value_below_min':
      return received(
        'value_smaller_than_min',
        `Value ${textOf(value)} smaller than min of ${textOf(options['min'])}`,
        place,
      );
    case 'value_above_max':
      return received(
        'value_bigger_than_max',
        `Value ${textOf(value)} bigger than max of ${textOf(options['max'])}`,
        place,
      );
    case 'value_not_in_list':
      return received(
        'value_not_in_list',
        'Value not in list',
        place,
        `${field}: '${textOf(value)}' not in ${listText(place)}`,
      );
    case 'dependency_cycle':
      return form('dependency_cycle', 'Dependency cycle detected', field, {});
    case 'link_source_not_found':
      return raised('KeyError', Array.isArray(value) ? `'${textOf(value[0] as JsonValue)}'` : '', place);
    case 'link_slot_out_of_range':
      return raised('IndexError', 'tuple index out of range', place);
    case 'invalid_node':
      return raised('KeyError', "'inputs'", place);
    case 'validation_exception':
      return raised('TypeError', 'the value cannot be checked', place);
    default:
      return received(
        'custom_validation_failed',
        'Custom validation failed for node',
        place,
        `${field} - ${textOf(value)}`,
      );
  }
}

function form(type: string, message: string, details: string, extra_info: NodeErrorForm['extra_info']): NodeErrorForm {
  return { type, message, details, extra_info };
}

function received(type: string, message: string, place: ErrorPlace, details: string = place.field): NodeErrorForm {
  const info = { input_name: place.field, input_config: configOf(place), received_value: shown(place.value) };
  return form(type, message, details, info);
}

/** The engine's own check raised an exception; it names the input through which it reached the node. */
function raised(exceptionType: string, message: string, { consumer }: ErrorPlace): NodeErrorForm {
  const info = { exception_type: exceptionType, traceback: [] };
  if (consumer === null) return form('exception_during_validation', 'Exception when validating node', message, info);
  const inner = { input_name: consumer, exception_message: message, ...info };
  return form('exception_during_inner_validation', 'Exception when validating inner node', message, inner);
}

function configOf({ declared }: ErrorPlace): Answerable {
  if (declared === null) return null;
  const list = Array.isArray(declared[0]) ? declared[0] : isJsonObject(declared[1]) ? declared[1]['options'] : null;
  return Array.isArray(list) && list.length > MAX_SHOWN_OPTIONS ? null : (declared as Answerable);
}

function listText({ declared }: ErrorPlace): string {
  const list = Array.isArray(declared?.[0]) ? declared[0] : isJsonObject(declared?.[1]) ? declared[1]['options'] : [];
  if (!Array.isArray(list)) return '[]';
  if (list.length > MAX_SHOWN_OPTIONS) return `(list of length ${list.length})`;
  return `[${list.map((item) => (typeof item === 'string' ? `'${item}'` : textOf(item))).join(', ')}]`;
}

function typeText({ declared }: ErrorPlace): string {
  const type = declared?.[0];
  return typeof type === 'string' ? type : 'COMBO';
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'object') return JSON.stringify(shown(value)).slice(0, MAX_SHOWN_VALUE);
  return String(value).slice(0, MAX_SHOWN_VALUE);
}

function shown(value: JsonValue | undefined): Answerable {
  if (value === undefined) return null;
  if (typeof value === 'bigint') return value;
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part)) ?? 'null';
  return text.length > MAX_SHOWN_VALUE ? `${text.slice(0, MAX_SHOWN_VALUE)}...` : (JSON.parse(text) as Answerable);
}
