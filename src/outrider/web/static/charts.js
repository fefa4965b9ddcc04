// Draws charts from the tables behind them: <div data-chart="line|bar|stack" data-for="id of the table">.
// The first column is the time or the name, every other column a series. The table stays for those who cannot see
// the chart. Tooltips are drawn on the canvas, because the content security policy allows no inline style.
"use strict";

(() => {
  const drawn = new Map();
  const isStill = matchMedia("(prefers-reduced-motion: reduce)");

  function colours() {
    // Not the custom properties of the stylesheet: they hold functions, which a canvas does not understand.
    const isDark = document.documentElement.dataset.bsTheme === "dark";
    return {
      text: isDark ? "#dce1e7" : "#182433",
      faint: isDark ? "#a9b4c2" : "#5c6773",
      line: isDark ? "#3a4859" : "#e2e6eb",
      surface: isDark ? "#262626" : "#ffffff",
      // Told apart by people who confuse red and green, and readable on both grounds.
      series: isDark
        ? ["#6cb2ff", "#ffb454", "#f07178", "#c792ea", "#5fd3bc", "#a0a8b4"]
        : ["#1f6fc5", "#c26a00", "#c0392b", "#7d3fb2", "#0b8a74", "#5c6773"],
    };
  }

  function read(table) {
    const names = [...table.tHead.rows[0].cells].slice(1).map((cell) => cell.textContent.trim());
    const rows = [...table.tBodies[0].rows].map((row) => {
      const time = row.cells[0].querySelector("time");
      const label = time ? new Date(time.dateTime) : row.cells[0].textContent.trim();
      const values = [...row.cells].slice(1).map((cell) => {
        const text = (cell.dataset.value ?? cell.textContent).replaceAll(",", "").trim();
        return text === "" ? null : Number(text);
      });
      return { label, values };
    });
    return { names, rows, isTime: rows.length > 0 && rows[0].label instanceof Date };
  }

  // All charts of a page cover the time that was chosen, however little of it is known, and no future.
  function ends(place, data) {
    const first = Math.min(...data.rows.map((row) => row.label.getTime()), Date.parse(place.dataset.since));
    return { min: first, max: Date.parse(place.dataset.until) };
  }

  function options(place, data) {
    const kind = place.dataset.chart;
    const unit = place.dataset.unit ?? "";
    const colour = colours();
    const isLine = kind === "line";
    const axis = { axisLine: { lineStyle: { color: colour.line } }, axisTick: { show: false }, axisLabel: { color: colour.faint, hideOverlap: true } };
    const shown = (value) => (value === null || value === undefined ? "–" : value.toLocaleString("en", { maximumFractionDigits: 2 }) + unit);
    return {
      animation: !isStill.matches,
      animationDuration: 300,
      color: colour.series,
      textStyle: { fontFamily: "inherit", color: colour.text },
      grid: { left: 8, right: 12, top: data.names.length > 1 ? 32 : 12, bottom: 4, containLabel: true },
      legend: { show: data.names.length > 1, top: 0, left: 0, icon: "roundRect", itemWidth: 12, itemHeight: 8, textStyle: { color: colour.text } },
      tooltip: {
        trigger: "axis",
        renderMode: "richText",
        confine: true,
        backgroundColor: colour.surface,
        borderColor: colour.line,
        textStyle: { color: colour.text },
        axisPointer: { type: isLine ? "line" : "shadow" },
        valueFormatter: shown,
      },
      xAxis: data.isTime
        ? { ...axis, ...ends(place, data), type: "time", splitLine: { show: false } }
        : { ...axis, type: "category", data: data.rows.map((row) => row.label), splitLine: { show: false } },
      yAxis: { ...axis, type: "value", min: 0, minInterval: unit ? 0 : 1, axisLine: { show: false }, splitLine: { lineStyle: { color: colour.line } } },
      series: data.names.map((name, column) => ({
        name,
        type: isLine ? "line" : "bar",
        stack: kind === "stack" ? "all" : undefined,
        showSymbol: data.rows.length === 1, // a line needs two points
        barMaxWidth: 24,
        lineStyle: { width: 2 },
        areaStyle: isLine && data.names.length === 1 ? { opacity: 0.12 } : undefined,
        data: data.rows.map((row) => (data.isTime ? [row.label, row.values[column]] : row.values[column])),
      })),
    };
  }

  function draw(place) {
    const table = document.getElementById(place.dataset.for);
    if (!table || typeof echarts === "undefined") return;
    place.hidden = false;
    const chart = drawn.get(place) ?? echarts.init(place, null, { renderer: "canvas" });
    drawn.set(place, chart);
    chart.setOption(options(place, read(table)), { notMerge: true });
  }

  function drawAll() {
    for (const [place, chart] of drawn) {
      if (!document.contains(place)) {
        chart.dispose();
        drawn.delete(place);
      }
    }
    document.querySelectorAll("[data-chart]").forEach(draw);
  }

  let waiting = 0;
  addEventListener("resize", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => drawn.forEach((chart) => chart.resize()));
  });
  document.addEventListener("themechange", drawAll);
  isStill.addEventListener("change", drawAll);
  document.addEventListener("htmx:afterSettle", drawAll);
  drawAll();
})();
