/* Draws a chart above the table of each figure, from the numbers that the table shows. */
(() => {
  "use strict";

  const COLOURS = ["--line-1", "--line-2", "--line-3", "--line-4", "--line-5", "--line-6"];
  const SHAPES = ["circle", "triangle", "rect", "rectRot", "star", "crossRot"];
  /* The outermost values and ticks stand this factor inside the ends of a logarithmic axis. */
  const MARGIN = 1.3;

  const compact = new Intl.NumberFormat("en", { notation: "compact" });
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const number = (text) => Number.parseFloat(text.replaceAll(",", ""));
  const largest = (points) => Math.max(...points.map((point) => point.value + point.error));

  /* "1,234 ± 56" is a value with its error; the error is 0 where the table shows none. */
  const point = (text) => {
    const [value, error] = text.split(" ± ").map(number);
    return { text, value, error: error || 0 };
  };

  const read = (table) => ({
    across: [...table.tHead.rows[0].cells].slice(1).map((cell) => number(cell.textContent)),
    series: [...table.tBodies[0].rows].map((row) => ({
      name: row.cells[0].textContent,
      points: [...row.cells].slice(1).map((cell) => point(cell.textContent)),
    })),
  });

  const ticksAt = (values) => (axis) => {
    axis.ticks = values.map((value) => ({ value }));
  };

  const axis = (title, options) => ({
    title: { display: true, text: title },
    ...options,
    ticks: { callback: (value) => compact.format(value), ...options.ticks },
  });

  const linear = (title, points) => axis(title, { min: 0, suggestedMax: largest(points), ticks: { maxTicksLimit: 7 } });

  const logarithmic = (title, values, ticks) =>
    axis(title, {
      type: "logarithmic",
      min: Math.min(...values, ...ticks) / MARGIN,
      max: Math.max(...values, ...ticks) * MARGIN,
      afterBuildTicks: ticksAt(ticks),
    });

  /* With ticks at the powers of ten from the one below the values to the one above them. */
  const powers = (title, points) => {
    const values = points.map((point) => point.value).filter((value) => value > 0);
    const first = Math.floor(Math.log10(Math.min(...values)));
    const last = Math.ceil(Math.log10(Math.max(...values)));
    const ticks = Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
    return logarithmic(title, values, ticks);
  };

  const lines = ({ across, series }, { across: title, unit, chart }) => {
    const points = series.flatMap((row) => row.points).filter((point) => Number.isFinite(point.value));
    return {
      data: {
        datasets: series.map((row) => ({
          label: row.name,
          data: row.points
            .map((point, i) => ({ ...point, x: across[i], y: point.value }))
            .filter((point) => Number.isFinite(point.y)),
        })),
      },
      options: {
        scales: {
          x: logarithmic(title, across, across),
          y: chart === "lines" ? linear(unit, points) : powers(unit, points),
        },
        plugins: { legend: { display: series.length > 1, labels: { usePointStyle: true, boxHeight: 6 } } },
      },
    };
  };

  const points = ({ series }, { unit }) => {
    const measured = series.filter((row) => Number.isFinite(row.points[0].value));
    return {
      data: {
        labels: series.map((row) => row.name),
        datasets: [
          {
            label: unit,
            data: measured.map((row) => ({ ...row.points[0], x: row.points[0].value, y: row.name })),
            showLine: false,
          },
        ],
      },
      options: {
        indexAxis: "y",
        scales: {
          x: powers(unit, measured.map((row) => row.points[0])),
          y: { type: "category", offset: true, ticks: { autoSkip: false } },
        },
        plugins: { legend: { display: false } },
      },
    };
  };

  const errorBars = {
    id: "errorBars",
    afterDatasetsDraw(chart) {
      const { ctx, chartArea, scales } = chart;
      ctx.save();
      ctx.beginPath();
      ctx.rect(chartArea.left, chartArea.top, chartArea.width, chartArea.height);
      ctx.clip();
      for (const { controller, data: elements } of chart.getSortedVisibleDatasetMetas()) {
        ctx.beginPath();
        ctx.strokeStyle = controller.getStyle().borderColor;
        elements.forEach(({ x }, i) => {
          const { value, error } = controller.getDataset().data[i];
          if (error > 0) {
            const ends = [value - error, value + error].map((end) => scales.y.getPixelForValue(end));
            ctx.moveTo(x, ends[0]);
            ctx.lineTo(x, ends[1]);
            for (const end of ends) {
              ctx.moveTo(x - 4, end);
              ctx.lineTo(x + 4, end);
            }
          }
        });
        ctx.stroke();
      }
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

    const { data, options } = (figure.dataset.chart === "points" ? points : lines)(
      read(region.querySelector("table")),
      figure.dataset,
    );
    data.datasets.forEach((dataset, i) => {
      const stroke = () => colour(COLOURS[i]);
      Object.assign(dataset, {
        borderColor: stroke,
        backgroundColor: stroke,
        borderWidth: 2,
        pointStyle: SHAPES[i],
        pointRadius: 5,
      });
    });
    options.plugins.tooltip = { callbacks: { label: ({ dataset, raw }) => `${dataset.label}: ${raw.text}` } };
    return new Chart(canvas, {
      type: "line",
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
