// Adds a job, and dies at once, as hard as a process can.
import { createWorkQueue } from '../../../dist/stores/postgres/work-queue.js';

const [url, task, payload] = process.argv.slice(2);
const queue = await createWorkQueue(url, {});
await queue.add(task, JSON.parse(payload));
process.kill(process.pid, 'SIGKILL');
