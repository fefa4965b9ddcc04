// What pages gain with JavaScript. Without it every page reads and every form works.
//   data-confirm="…"       a form asks before it is sent
//   data-live="jobs runs"  a part that is loaded anew when an event of these kinds comes, at most once a second
//   data-every="2"         a part that is loaded anew every so many seconds
//   data-name="Source"     a cell of a table, set here: the name of its column, shown in a narrow window
//   data-select-all, data-dialog, data-busy, data-list: see lists.js
//   data-chart="line"      a chart made from the table that data-for names (charts.js)
"use strict";

(() => {
  const byId = (id) => document.getElementById(id);

  // Theme: change at once; the form remembers the choice on the server.
  const themeButton = byId("theme");
  if (themeButton) {
    themeButton.addEventListener("click", (event) => {
      event.preventDefault();
      const root = document.documentElement;
      root.dataset.bsTheme = root.dataset.bsTheme === "dark" ? "light" : "dark";
      const form = themeButton.form;
      fetch(form.action, { method: "POST", body: new URLSearchParams([...new FormData(form), ["theme", root.dataset.bsTheme]]), redirect: "manual" });
      document.dispatchEvent(new CustomEvent("themechange"));
    });
  }

  // Dangerous forms ask first.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.confirm && !form.dataset.confirmed) {
      event.preventDefault();
      ask(form.dataset.confirm, event.submitter?.textContent.trim() || "Yes", () => {
        form.dataset.confirmed = "yes";
        form.elements.ask.disabled = true; // the server need not ask again
        form.requestSubmit(event.submitter ?? undefined);
        form.elements.ask.disabled = false;
        delete form.dataset.confirmed;
      });
    }
  });

  function ask(sentence, label, act) {
    const dialog = document.createElement("dialog");
    const text = document.createElement("p");
    text.textContent = sentence;
    const yes = document.createElement("button");
    yes.className = "btn btn-danger";
    yes.textContent = label;
    const no = document.createElement("button");
    no.className = "btn";
    no.textContent = "Cancel";
    const buttons = document.createElement("div");
    buttons.className = "page-actions";
    buttons.append(yes, no);
    dialog.append(text, buttons);
    dialog.setAttribute("aria-label", "Confirm");
    yes.addEventListener("click", () => { dialog.close(); act(); });
    no.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  // A narrow window shows the rows of a table as blocks: each cell is told by the name of its column.
  function nameCells() {
    for (const table of document.querySelectorAll(".table-wrap > .table:not([data-named])")) {
      if ((table.tHead?.rows[0]?.cells.length ?? 0) < 4 || table.parentElement.matches(".chart-rows")) continue;
      const names = [...(table.tHead?.rows[0]?.cells ?? [])].map((cell) => (cell.matches(".pick") ? "" : cell.textContent.trim()));
      for (const row of table.tBodies[0]?.rows ?? []) {
        [...row.cells].forEach((cell, place) => {
          if (names[place] && names[place] !== "Actions") cell.dataset.name = names[place];
          if (!cell.textContent.trim() && !cell.querySelector("input, meter, a, button")) cell.dataset.blank = "";
        });
      }
      table.dataset.named = "";
    }
  }
  nameCells();
  document.addEventListener("htmx:afterSettle", nameCells);

  // Live: one stream for the page. When it breaks, the page says so and polls until it is back.
  const live = byId("live");
  const parts = () => [...document.querySelectorAll("[data-live]")];
  let due = new Set();
  let timer = null;
  let polling = null;
  let position = document.body.dataset.position || "";

  function refreshSoon(kind) {
    for (const part of parts()) {
      if (!kind || part.dataset.live.split(" ").some((each) => kind.startsWith(each))) due.add(part);
    }
    if (due.size && timer === null) timer = setTimeout(refresh, 1000);
  }

  // A part in use stays as it is: one that has the focus, or something unfolded.
  const isInUse = (part) => part.contains(document.activeElement) || part.querySelector("details[open]") !== null;

  function refresh() {
    timer = null;
    const now = due;
    due = new Set();
    for (const part of now) {
      if (document.contains(part) && !isInUse(part)) htmx.trigger(part, "refresh");
    }
  }
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    if (isInUse(event.detail.target)) event.detail.shouldSwap = false;
  });

  function say(state, text) {
    if (!live || live.dataset.state === state) return;
    live.dataset.state = state;
    live.textContent = text;
  }

  function poll() {
    if (polling === null) polling = setInterval(() => refreshSoon(""), 5000);
  }

  // What changes without events, such as the figures of a run, is read again while it is shown.
  let seconds = 0;
  setInterval(() => {
    seconds += 1;
    for (const part of document.querySelectorAll("[data-every]")) {
      if (document.visibilityState === "visible" && seconds % Number(part.dataset.every) === 0) due.add(part);
    }
    if (due.size && timer === null) refresh();
  }, 1000);

  // What the page shows was removed meanwhile: the page anew says so.
  document.addEventListener("htmx:responseError", (event) => {
    if (event.detail.xhr.status === 404 && event.target.closest("main")) location.reload();
  });

  let wait = 1000;
  function follow() {
    const address = new URL(live.dataset.stream, location.href);
    if (position) address.searchParams.set("after", position);
    const stream = new EventSource(address);
    const seen = (event) => { if (event.lastEventId) position = event.lastEventId; };
    stream.addEventListener("connected", (event) => {
      seen(event);
      wait = 1000;
      clearInterval(polling);
      polling = null;
      say("live", "live");
    });
    for (const kind of live.dataset.kinds.split(" ")) {
      stream.addEventListener(kind, (event) => { seen(event); refreshSoon(kind); });
    }
    stream.addEventListener("reset", (event) => { seen(event); refreshSoon(""); });
    // A stopping server says so; the next one is there in a moment.
    const again = () => {
      stream.close();
      say("waiting", "not live, trying again");
      poll();
      setTimeout(follow, wait + Math.random() * 1000);
      wait = Math.min(wait * 2, 30000);
    };
    stream.addEventListener("closing", again);
    stream.addEventListener("error", again);
  }
  if (live && parts().length) follow();
})();
