// Resident memory along a run: whether it grows, a line for the terminal, and a picture for the documentation.

/** How much the straight line through these figures rises from the first to the last: one odd sample does not decide. */
export function growth(figures) {
  const middle = (figures.length - 1) / 2;
  const mean = figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
  let [over, under] = [0, 0];
  for (const [at, figure] of figures.entries()) {
    over += (at - middle) * (figure - mean);
    under += (at - middle) ** 2;
  }
  return under === 0 ? 0 : (over / under) * (figures.length - 1);
}

/** From zero, so that what looks flat is flat. */
export function sparkline(figures) {
  const top = Math.max(...figures);
  return figures.map((figure) => BARS[Math.round((figure / top) * (BARS.length - 1))]).join('');
}

/** `step`: events between two figures, in megabytes. */
export function svgPlot(figures, step) {
  const top = Math.ceil(Math.max(...figures) / 50) * 50;
  const x = (at) => LEFT + (at / (figures.length - 1)) * WIDTH;
  const y = (megabytes) => ABOVE + HEIGHT - (megabytes / top) * HEIGHT;
  const line = figures.map((figure, at) => `${round(x(at))},${round(y(figure))}`).join(' ');
  const rows = Array.from({ length: top / 50 + 1 }, (_, i) => i * 50).map(
    (megabytes) =>
      `<path d="M${LEFT} ${round(y(megabytes))}h${WIDTH}" stroke="#8b949e" stroke-opacity=".3"/><text x="${LEFT - 8}" y="${round(y(megabytes) + 4)}" text-anchor="end">${megabytes}</text>`,
  );
  const marks = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const at = Math.round(part * (figures.length - 1));
    return `<text x="${round(x(at))}" y="${ABOVE + HEIGHT + 20}" text-anchor="middle">${(at * step) / 1000}k</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 30} ${ABOVE + HEIGHT + 34}" role="img" font-family="ui-sans-serif, system-ui, sans-serif" font-size="12" fill="#8b949e">
<title>Resident memory of hookline serve</title>
<text x="${LEFT}" y="18">resident memory in MB, by events answered</text>
${[...rows, ...marks].join('\n')}
<polyline points="${line}" fill="none" stroke="#2f81f7" stroke-width="2"/>
</svg>
`;
}

const BARS = [...'▁▂▃▄▅▆▇█'];
const [LEFT, ABOVE, WIDTH, HEIGHT] = [44, 34, 560, 160];

function round(value) {
  return Math.round(value * 10) / 10;
}
