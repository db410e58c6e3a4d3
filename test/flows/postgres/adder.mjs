// Adds a job, and dies at once, as hard as a process can.
import { createWorkQueue } from '../../../src/stores/postgres/work-queue.ts';

const [url, task, payload] = process.argv.slice(2);
const queue = await createWorkQueue(url, {});
await queue.add(task, JSON.parse(payload));
process.kill(process.pid, 'SIGKILL');
