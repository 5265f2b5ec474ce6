/* Draws a chart above the table of each figure, from the numbers that the table shows. All bars start at 0. */
(() => {
  "use strict";

  const COLOURS = ["--line-1", "--line-2", "--line-3", "--line-4", "--line-5", "--line-6", "--line-7"];

  const compact = new Intl.NumberFormat("en", { notation: "compact" });
  const whole = new Intl.NumberFormat("en");
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const number = (text) => Number.parseFloat(text.replaceAll(",", ""));

  /* "1,234 ± 56" is a value with its error. The error is 0 where the table shows none, the value null for words. */
  const point = (text) => {
    const [value, error] = text.split(" ± ").map(number);
    return { text, value: Number.isFinite(value) ? value : null, error: error || 0 };
  };

  const read = (table) => ({
    across: [...table.tHead.rows[0].cells].slice(1).map((cell) => number(cell.textContent)),
    series: [...table.tBodies[0].rows].map((row) => ({
      name: row.cells[0].textContent,
      points: [...row.cells].slice(1).map((cell) => point(cell.textContent)),
    })),
  });

  const values = (points) => ({ data: points.map(({ value }) => value), points });

  const largest = (series) =>
    Math.max(...series.flatMap((row) => row.points).map(({ value, error }) => (value === null ? 0 : value + error)));

  const amounts = (title, series) => ({
    title: { display: true, text: title },
    min: 0,
    suggestedMax: largest(series),
    ticks: { maxTicksLimit: 6, callback: (value) => compact.format(value) },
  });

  const names = (title) => ({
    type: "category",
    title: { display: title !== "", text: title },
    grid: { display: false },
    ticks: { autoSkip: false },
  });

  const groups = ({ across, series }, { across: title, unit }) => ({
    data: {
      labels: across.map((value) => whole.format(value)),
      datasets: series.map((row) => ({ label: row.name, ...values(row.points) })),
    },
    options: {
      scales: { x: names(title), y: amounts(unit, series) },
      plugins: { legend: { display: series.length > 1, labels: { boxWidth: 12, boxHeight: 12 } } },
    },
  });

  const bars = ({ series }, { unit }) => ({
    data: {
      labels: series.map((row) => row.name),
      datasets: [{ label: unit, ...values(series.map((row) => row.points[0])) }],
    },
    options: {
      indexAxis: "y",
      scales: { x: amounts(unit, series), y: names("") },
      plugins: { legend: { display: false } },
    },
  });

  const errorBars = {
    id: "errorBars",
    afterDatasetsDraw(chart) {
      const { ctx, chartArea, scales } = chart;
      ctx.save();
      ctx.beginPath();
      ctx.rect(chartArea.left, chartArea.top, chartArea.width, chartArea.height);
      ctx.clip();
      ctx.strokeStyle = colour("--ink");
      ctx.lineWidth = 1.5;
      ctx.beginPath();
      for (const { controller, data: elements } of chart.getSortedVisibleDatasetMetas()) {
        elements.forEach(({ x }, i) => {
          const { value, error } = controller.getDataset().points[i];
          if (value !== null && error > 0) {
            const ends = [value - error, value + error].map((end) => scales.y.getPixelForValue(end));
            ctx.moveTo(x, ends[0]);
            ctx.lineTo(x, ends[1]);
            for (const end of ends) {
              ctx.moveTo(x - 3, end);
              ctx.lineTo(x + 3, end);
            }
          }
        });
      }
      ctx.stroke();
      ctx.restore();
    },
  };

  const draw = (figure) => {
    const region = figure.querySelector(".table");
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `Chart of the numbers in the table “${region.getAttribute("aria-label")}”`);
    const drawing = document.createElement("div");
    drawing.className = "drawing";
    drawing.append(canvas);
    region.before(drawing);

    const table = read(region.querySelector("table"));
    const { data, options } = (figure.dataset.chart === "bars" ? bars : groups)(table, figure.dataset);
    data.datasets.forEach((dataset, i) => {
      dataset.backgroundColor = () => colour(COLOURS[i]);
    });
    options.plugins.tooltip = {
      callbacks: { label: ({ dataset, dataIndex }) => `${dataset.label}: ${dataset.points[dataIndex].text}` },
    };
    if (figure.dataset.chart === "bars") {
      drawing.style.height = `${4 + 1.6 * table.series.length}rem`;
    }
    return new Chart(canvas, {
      type: "bar",
      data,
      options: { animation: false, maintainAspectRatio: false, ...options },
      plugins: [errorBars],
    });
  };

  /* Functions, so that an update after a change between light and dark takes the new colours. */
  Chart.defaults.color = () => colour("--ink");
  Chart.defaults.borderColor = () => colour("--faint");
  Chart.defaults.font = { family: "system-ui, sans-serif", size: 13 };
  const charts = [...document.querySelectorAll("figure[data-chart]:has(table)")].map(draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    charts.forEach((chart) => chart.update());
  });
})();
