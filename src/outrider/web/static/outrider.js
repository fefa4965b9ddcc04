// What pages gain with JavaScript. Without it every page reads and every form works.
//   data-confirm="…"       a form asks before it is sent
//   data-select-all        a box that selects all boxes of its table; data-selected shows how many are
//   data-live="jobs runs"  a part that is loaded anew when an event of these kinds comes, at most once a second
//   data-dialog            a link, or a form by GET, whose page is shown in a dialog: its element #confirm
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
      ask(form.dataset.confirm, () => {
        form.dataset.confirmed = "yes";
        form.requestSubmit(event.submitter ?? undefined);
        delete form.dataset.confirmed;
      });
    }
  });

  function ask(sentence, act) {
    const dialog = document.createElement("dialog");
    const text = document.createElement("p");
    text.textContent = sentence;
    const yes = document.createElement("button");
    yes.className = "btn btn-danger";
    yes.textContent = "Do it";
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

  // Selection in tables.
  document.addEventListener("change", (event) => {
    const form = event.target.form;
    if (!form) return;
    const boxes = [...form.elements].filter((each) => each.name === "selected");
    if (event.target.matches("[data-select-all]")) {
      for (const box of boxes) box.checked = event.target.checked;
    }
    const shown = form.querySelector("[data-selected]");
    if (shown && shown.dataset.selected === "") shown.textContent = String(boxes.filter((each) => each.checked).length);
  });

  // Pages that ask before a change: shown in a dialog. If that fails, the browser goes to the page itself.
  async function openDialog(address) {
    const answer = await fetch(address, { headers: { Accept: "text/html" } }).catch(() => null);
    const text = answer && answer.ok ? await answer.text() : "";
    const part = new DOMParser().parseFromString(text, "text/html").getElementById("confirm");
    if (!part) {
      location.assign(address);
      return;
    }
    const dialog = document.createElement("dialog");
    dialog.setAttribute("aria-labelledby", "confirm-title");
    dialog.append(document.importNode(part, true));
    dialog.addEventListener("close", () => dialog.remove());
    dialog.addEventListener("click", (event) => {
      if (event.target.closest("[data-close]")) {
        event.preventDefault();
        dialog.close();
      }
    });
    document.body.append(dialog);
    dialog.showModal();
  }

  document.addEventListener("click", (event) => {
    const target = event.target.closest("a[data-dialog]");
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openDialog(target.href);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("form[data-dialog]")) return;
    event.preventDefault();
    const given = new FormData(form, event.submitter ?? undefined);
    openDialog(`${form.action}?${new URLSearchParams(given)}`);
  });

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

  function refresh() {
    timer = null;
    const now = due;
    due = new Set();
    for (const part of now) {
      if (document.contains(part) && !part.contains(document.activeElement)) htmx.trigger(part, "refresh");
    }
  }

  function say(state, text) {
    if (!live || live.dataset.state === state) return;
    live.dataset.state = state;
    live.textContent = text;
  }

  function poll() {
    if (polling === null) polling = setInterval(() => refreshSoon(""), 5000);
  }

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
