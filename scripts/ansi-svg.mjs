// Draws the output of a terminal as an SVG: the few colours that Hookline prints, one text line per row. Equal text gives an equal picture.
const COLOURS = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 36: '#79c0ff' };
const [TEXT, DIM, BACK, BAR] = ['#e6edf3', '#8b949e', '#0d1117', '#161b22'];
const [CELL, ROW, EDGE, HEAD] = [8.43, 20, 20, 36];

export function svgOf(ansi, { title, columns }) {
  const rows = ansi.replace(/\n+$/, '').split('\n').map(runsOf);
  const width = Math.ceil(columns * CELL + 2 * EDGE);
  const height = HEAD + rows.length * ROW + EDGE;
  const lines = rows.map((runs, i) => `<text x="${EDGE}" y="${HEAD + (i + 1) * ROW - 4}">${runs.map(spanOf).join('')}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<rect width="${width}" height="${height}" rx="8" fill="${BACK}"/>
<path d="M0 8a8 8 0 0 1 8-8h${width - 16}a8 8 0 0 1 8 8v20H0z" fill="${BAR}"/>
<circle cx="18" cy="14" r="5" fill="#ff5f57"/><circle cx="36" cy="14" r="5" fill="#febc2e"/><circle cx="54" cy="14" r="5" fill="#28c840"/>
<text x="${width / 2}" y="18" text-anchor="middle" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="12" fill="${DIM}">${escaped(title)}</text>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${TEXT}" xml:space="preserve" style="white-space: pre">
${lines.join('\n')}
</g>
</svg>
`;
}

/** Splits a line into pieces of equal style. */
function runsOf(line) {
  const runs = [];
  const style = { bold: false, dim: false, colour: undefined };
  for (const part of line.split(/(\u001b\[\d+m)/)) {
    const code = /^\u001b\[(\d+)m$/.exec(part)?.[1];
    if (code === undefined) {
      if (part !== '') runs.push({ text: part, ...style });
    } else if (code === '1') style.bold = true;
    else if (code === '2') style.dim = true;
    else if (code === '22') Object.assign(style, { bold: false, dim: false });
    else if (code === '39' || code === '0') style.colour = undefined;
    else style.colour = COLOURS[code];
  }
  return runs;
}

function spanOf({ text, bold, dim, colour }) {
  const fill = colour ?? (dim ? DIM : undefined);
  const attributes = `${fill ? ` fill="${fill}"` : ''}${bold ? ' font-weight="bold"' : ''}`;
  return attributes === '' ? escaped(text) : `<tspan${attributes}>${escaped(text)}</tspan>`;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
