// The log of a run or a job, live: lines come from the stream and are written as text, never as markup.
// data-stream is its address, data-position where the lines of the page end.
"use strict";

(() => {
  const MOST_LINES = 2000;
  const log = document.getElementById("log");
  const state = document.querySelector("[data-log-state]");
  if (!log) return;
  log.scrollTop = log.scrollHeight;
  if (!log.dataset.stream) return;
  let position = log.dataset.position;
  let wait = 1000;

  function say(kind, text) {
    state.dataset.state = kind;
    state.textContent = text;
  }

  function part(name, text, className) {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  function append(line) {
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    log.querySelector("[data-empty]")?.remove();
    const level = ["debug", "info", "warn", "error"].includes(line.level) ? line.level : "info";
    const row = document.createElement("div");
    row.className = `log-line log-${level}`;
    const at = part("time", String(line.timestamp).slice(11, 19));
    at.dateTime = line.timestamp;
    const fields = Object.entries(line.fields ?? {})
      .map(([name, value]) => `${name}=${typeof value === "object" ? JSON.stringify(value) : value}`)
      .join(" ");
    row.append(at, " ", part("span", level, "log-level"), " ", part("span", line.message, "crawled"));
    if (fields) row.append(" ", part("span", fields, "log-fields crawled"));
    log.append(row);
    while (log.childElementCount > MOST_LINES) log.firstElementChild.remove();
    if (isAtEnd) log.scrollTop = log.scrollHeight;
  }

  function follow() {
    const address = new URL(log.dataset.stream, location.href);
    address.searchParams.set("after", position);
    const stream = new EventSource(address);
    let isOver = false;
    stream.addEventListener("connected", () => { wait = 1000; say("live", "live"); });
    stream.addEventListener("log:line", (event) => {
      if (event.lastEventId) position = event.lastEventId;
      append(JSON.parse(event.data));
    });
    stream.addEventListener("log:ended", () => {
      if (log.dataset.stream.includes("/runs/")) { isOver = true; stream.close(); say("", "ended"); }
    });
    stream.addEventListener("error", () => {
      stream.close();
      if (isOver) return;
      say("waiting", "not live, trying again");
      setTimeout(follow, wait + Math.random() * 1000);
      wait = Math.min(wait * 2, 30000);
    });
  }
  follow();
})();
