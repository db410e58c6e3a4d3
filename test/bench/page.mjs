// The page of the documentation with all figures, and its pictures: `npm run bench -- --page`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import path from 'node:path';

const DOCS = path.join(import.meta.dirname, '../../docs');
const WIDTH = 640;
const CHARTS = {
  function: 'One function hook that has no opinion, in the process of the agent (µs, lower is better)',
  process: 'A program that an agent starts for one event, and that judges a command (ms of CPU, lower is better)',
};

/** @param rows the rows of all sections, each with the title of its section */
export function writePage(rows) {
  const [{ model }] = cpus();
  const machine = `${model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release().split('-')[0]}`;
  const about = { date: new Date().toISOString().slice(0, 10), machine, node: process.version };
  writeFileSync(path.join(DOCS, 'performance.json'), `${JSON.stringify({ ...about, rows }, null, 2)}\n`);
  mkdirSync(path.join(DOCS, 'pictures'), { recursive: true });
  for (const [chart, title] of Object.entries(CHARTS))
    writeFileSync(
      path.join(DOCS, `pictures/performance-${chart}.svg`),
      bars(
        title,
        rows.filter((row) => row.chart === chart),
      ),
    );
  writeFileSync(path.join(DOCS, 'performance.md'), text(rows, about));
}

function text(rows, { date, machine, node }) {
  const sections = [...new Set(rows.map(({ section }) => section))];
  return `# Performance

\`npm run bench\` measures every figure of this page next to the work it is compared with, in turns and in one run. A ratio therefore holds on
another machine too; a time does not. This page is from ${date}, Node ${node.slice(1)}, ${machine}.
\`npm run bench -- --page\` writes it.

CPU times count the process and every process that it waited for. \`node -e 0\` is a Node that does nothing. [Scale](scale.md) has the same costs for
200 to 100,000 developers.

![bars: one function hook](pictures/performance-function.svg)

![bars: a program that is started for one event](pictures/performance-process.svg)

The packages in these two pictures come from npm and run in the same minute. A callback of the Claude Agent SDK is called by another process, so its figure
includes the way there and back.
${sections.map((section) => `\n## ${section}\n\n${table(rows.filter((row) => row.section === section))}`).join('\n')}
`;
}

function table(rows) {
  const lines = rows.map(
    ({ name, figure, unit, target, ok }) =>
      `| ${name.trim()} | ${shorten(figure)} ${unit} | ${target === null ? '' : `≤ ${target} ${unit}`} | ${ok === null ? '' : ok ? 'met' : '**missed**'} |`,
  );
  return ['| work | figure | goal | |', '|---|---|---|---|', ...lines].join('\n');
}

/** A bar for each row. The longest one fills the width; a bar that would be too short to see has the width of a line. */
function bars(title, rows) {
  const [left, top, step] = [16, 40, 44];
  const most = Math.max(...rows.map(({ figure }) => figure));
  const lines = rows.map(({ name, figure, unit }, at) => {
    const label = name
      .replace(/^[^:]+: /, '')
      .replaceAll('`', '')
      .replace(' (CPU)', '');
    const y = top + at * step;
    const colour = /hookline/i.test(label) ? '#2f81f7' : '#8b949e';
    const width = Math.max(2, Math.round((figure / most) * (WIDTH - 2 * left)));
    return `<text x="${left}" y="${y}">${xml(label)}: ${shorten(figure)} ${unit}</text><rect x="${left}" y="${y + 6}" width="${width}" height="14" rx="2" fill="${colour}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top + rows.length * step}" role="img" font-family="ui-sans-serif, system-ui, sans-serif" font-size="13" fill="#6e7781">
<title>${xml(title)}</title>
<text x="${left}" y="18" font-size="12">${xml(title)}</text>
${lines.join('\n')}
</svg>
`;
}

function shorten(figure) {
  return figure.toFixed(figure < 10 ? 2 : figure < 100 ? 1 : 0);
}

function xml(label) {
  return label.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
