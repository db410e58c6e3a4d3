/** Lines of JSON-RPC: cut anywhere, and of any size. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readLines, readMessage } from '../../../../src/mcp/proxy/json-rpc.ts';
import { until } from '../../../support/patience.ts';

test('a line is whole however its bytes arrive, also in the middle of a character', async () => {
  const stream = new PassThrough();
  const lines: string[] = [];
  readLines(
    stream,
    (line) => lines.push(line),
    () => {},
  );
  for (const byte of Buffer.from('{"a":"ä€"}\n\n \n{"b":1}\r\nrest')) stream.write(Buffer.from([byte]));
  await until(() => lines.length === 2);
  expect(lines.map((line) => JSON.parse(line))).toEqual([{ a: 'ä€' }, { b: 1 }]);
});

test('a line over the limit is reported once, and nothing after it is read', async () => {
  const stream = new PassThrough();
  const lines: string[] = [];
  let tooLong = 0;
  readLines(
    stream,
    (line) => lines.push(line),
    () => tooLong++,
    10,
  );
  stream.write('{"a":1}\n');
  stream.write('01234567890');
  stream.write('0123\n{"b":1}\n');
  stream.end();
  await until(() => stream.readableEnded);
  expect([lines, tooLong]).toEqual([['{"a":1}'], 1]);
});

test('a message is a request, a notification or a response, and nothing else', () => {
  const kinds = [
    '{"id":1,"method":"x"}',
    '{"method":"x"}',
    '{"id":1,"result":{}}',
    '{"id":"a","error":{}}',
    '{"id":1}',
    '{}',
    'null',
    '[]',
  ];
  expect(kinds.map((line) => readMessage(line).kind)).toEqual([
    ...['request', 'notification', 'response', 'response'],
    ...['invalid', 'invalid', 'invalid', 'invalid'],
  ]);
});
