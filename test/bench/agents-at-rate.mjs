// So many events a second for some seconds: prints the 99th of 100 waiting times. A process of its own, as agents are, so that nothing else that a bench
// does holds up its clock. `node agents-at-rate.mjs PORT TOKEN RATE SECONDS`
import { createConnection } from 'node:net';

const CONNECTIONS = 16;
const EVENT = (n) =>
  `{"hook_event_name":"PreToolUse","session_id":"session-${n % 8}","cwd":"/","tool_name":"Glob","tool_input":{"pattern":"**/*.ts"}}`;
const [port, token, rate, seconds] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4]), Number(process.argv[5])];

const start = performance.now() + 50;
const every = (CONNECTIONS * 1000) / rate;
const all = await Promise.all(Array.from({ length: CONNECTIONS }, (_, own) => waits(start + (own * 1000) / rate)));
const times = all.flat().sort((a, b) => a - b);
console.log(times[Math.floor(times.length * 0.99)]);

/** One connection: an event each `every` ms, or as soon as the one before it was answered. */
function waits(first) {
  const count = Math.floor((rate * seconds) / CONNECTIONS);
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1').setNoDelay();
    const times = [];
    let answer = '';
    const due = () => first + times.length * every;
    const ask = () => {
      const early = due() - performance.now();
      if (early > 1) return void setTimeout(ask, early);
      answer = '';
      const body = EVENT(times.length);
      const head = ['POST /v1/hook/claude-code/PreToolUse HTTP/1.1', `host: 127.0.0.1:${port}`, `x-hookline-token: ${token}`];
      socket.write(`${[...head, `content-length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`);
    };
    socket.on('error', reject).on('connect', ask);
    socket.setEncoding('latin1').on('data', (chunk) => {
      answer += chunk;
      const end = answer.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(answer)?.[1];
      if (end < 0 || length === undefined || answer.length < end + 4 + Number(length)) return;
      if (!answer.startsWith('HTTP/1.1 200')) return reject(new Error(answer));
      times.push(performance.now() - due());
      if (times.length < count) return ask();
      socket.destroy();
      resolve(times);
    });
  });
}
