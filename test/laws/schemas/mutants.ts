/** Files with one mistake each, and parts of a schema without a description, for the tests of all schemas. */
import { isObject, type Json, type JsonObject } from '../../../src/core/values/json.ts';

interface Mutant {
  readonly change: string;
  readonly value: Json;
}

/** The value with one change: a part that is left out, that is of another type, or that has a key of another world. */
export function mutants(value: Json, at = '$'): readonly Mutant[] {
  const replaced = [5, -1, 1.5, true, '', 'xyzzy', [], {}, [5]].map(
    (other): Mutant => ({ change: `${at} = ${JSON.stringify(other)}`, value: other }),
  );
  if (Array.isArray(value)) {
    const inside = value.flatMap((item, i) =>
      mutants(item, `${at}[${i}]`).map((mutant) => ({ ...mutant, value: value.with(i, mutant.value) })),
    );
    return [...(at === '$' ? [] : replaced), ...inside];
  }
  if (!isObject(value)) return replaced;
  const inside = Object.entries(value).flatMap(([key, item]): readonly Mutant[] => {
    const { [key]: _, ...others } = value;
    const deeper = mutants(item as Json, `${at}.${key}`).map((mutant) => ({ ...mutant, value: { ...value, [key]: mutant.value } }));
    return [
      { change: `${at}.${key} left out`, value: others },
      { change: `${at}.${key} renamed`, value: { ...others, xyzzy: item as Json } },
      ...deeper,
    ];
  });
  return [...(at === '$' ? [] : replaced), { change: `${at}.xyzzy added`, value: { ...value, xyzzy: true } }, ...inside];
}

export function undescribed(schema: JsonObject, at = '$'): readonly string[] {
  return Object.entries(schema).flatMap(([key, value]): readonly string[] => {
    if (key === 'properties' && isObject(value))
      return Object.entries(value).flatMap(([name, property]) =>
        isObject(property)
          ? [...(typeof property['description'] === 'string' ? [] : [`${at}.${name}`]), ...undescribed(property, `${at}.${name}`)]
          : [],
      );
    if (Array.isArray(value)) return value.flatMap((item, i) => (isObject(item) ? undescribed(item, `${at}[${i}]`) : []));
    return isObject(value) ? undescribed(value, at) : [];
  });
}
