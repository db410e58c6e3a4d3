// Reads the stream of a dashboard, as a page does, until the dashboard ends. A process of its own, as a browser is, because the one that measures how long
// agents wait must not be busy with it. `node read-stream.mjs ADDRESS TOKEN`
const [address, token] = process.argv.slice(2);
const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
const reader = response.body.getReader();
try {
  while (!(await reader.read()).done);
} catch {
  // It was stopped.
}
