/** The OpenAPI document of the routes, from the table that serves them. */
import type { Json } from '../core/values/json.ts';
import { ANSWERS } from './answers.ts';
import type { Route } from './route.ts';
import { ref, type Schema } from './schema.ts';

export function openApi(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = `/v1${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Hookline dashboard',
      version,
      description: 'The local dashboard of Hookline. It listens on 127.0.0.1 alone. Times are milliseconds since the epoch.',
    },
    paths,
    components: { schemas: ANSWERS, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
  // The document consists of literals.
  return document as unknown as Json;
}

function operationOf({ method, path, says, isOpen, query = {}, body, answer, refuses = {} }: Route): unknown {
  const refusals = { 400: 'A parameter or the body is wrong.', ...(!isOpen && { 401: 'The token is missing or unknown.' }), ...refuses };
  return {
    operationId: nameOf(method, path),
    summary: says,
    security: isOpen ? [] : [{ bearer: [] }],
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...Object.entries<Schema>(query).map(([name, schema]) => ({
        ...{ name, in: 'query', required: false, schema },
        ...(schema.type === 'array' && { style: 'form', explode: false }),
      })),
    ],
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: {
      200: {
        description: 'The answer.',
        content: 'streams' in answer ? { [answer.streams]: { schema: { type: 'string' } } } : { 'application/json': { schema: answer } },
      },
      ...Object.fromEntries(
        Object.entries(refusals).map(([status, description]) => [
          status,
          { description, content: { 'application/problem+json': { schema: ref('Problem') } } },
        ]),
      ),
    },
  };
}

/** `GET /entries/{id}/plan` → `getEntriesIdPlan`. */
function nameOf(method: string, path: string): string {
  const words = path.split(/\W+/).filter((word) => word !== '');
  return `${method.toLowerCase()}${words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join('')}`;
}
