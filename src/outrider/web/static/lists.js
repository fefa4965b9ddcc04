// Lists with selection, and questions that a page asks before it acts. Without this file both work as pages.
//   form="bulk"              a box that belongs to the bar with this id; data-allows names what its row allows
//   data-select-all="bulk"   a box that selects all boxes of that bar
//   data-selected="…"        the number of selected rows; the value is the text while there is none
//   data-verb="pause"        a button that is enabled while a selected row allows it
//   data-dialog              a link or GET form whose page is a question: its part #confirm is shown in a dialog
//   data-busy="…"            a form that takes a while: its button waits and the text is shown
//   data-list                a table that is not replaced while it is read: it says how many rows are new
"use strict";

(() => {
  const boxesOf = (bar) => [...bar.elements].filter((each) => each.name === "selected" && each.type === "checkbox");

  function update(bar) {
    const boxes = boxesOf(bar).filter((box) => box.checked);
    const takesAll = bar.querySelector("[data-takes-all]:checked") !== null;
    const shown = bar.querySelector("[data-selected]");
    if (shown) shown.textContent = boxes.length ? `${boxes.length} selected` : shown.dataset.selected;
    for (const button of bar.querySelectorAll("[data-verb]")) {
      const verb = button.dataset.verb;
      const isAllowed = boxes.some((box) => !box.dataset.allows || box.dataset.allows.split(" ").includes(verb));
      button.disabled = !takesAll && !isAllowed;
    }
  }

  document.addEventListener("change", (event) => {
    const box = event.target;
    const all = box.dataset?.selectAll;
    if (all) {
      const bar = document.getElementById(all);
      for (const each of boxesOf(bar)) each.checked = box.checked;
      update(bar);
    } else if (box.form?.classList.contains("bulk")) {
      update(box.form);
    }
  });
  const updateAll = () => { for (const bar of document.querySelectorAll("form.bulk")) update(bar); };
  updateAll();
  window.addEventListener("pageshow", updateAll);
  document.addEventListener("htmx:afterSettle", updateAll);

  // Questions: the page is loaded and its question shown in a dialog; its form goes the usual way.
  async function askFrom(address) {
    const response = await fetch(address, { headers: { Accept: "text/html" } }).catch(() => null);
    const text = response?.ok ? await response.text() : "";
    const question = new DOMParser().parseFromString(text, "text/html").getElementById("confirm");
    if (!question) { location.assign(address); return; }
    const dialog = document.createElement("dialog");
    dialog.setAttribute("aria-label", question.querySelector("h1")?.textContent ?? "Confirm");
    dialog.append(document.adoptNode(question));
    dialog.addEventListener("click", (event) => {
      if (event.target.closest("[data-close]")) { event.preventDefault(); dialog.close(); }
    });
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-dialog]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    askFrom(link.href);
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("form[data-dialog]")) {
      event.preventDefault();
      const given = new URLSearchParams(new FormData(form, event.submitter));
      askFrom(`${form.action}?${given}`);
    } else if (form.dataset.busy) {
      const told = form.querySelector("[data-busy-text]");
      if (told) told.textContent = form.dataset.busy;
      form.setAttribute("aria-busy", "true");
      if (event.submitter) setTimeout(() => { event.submitter.disabled = true; });
    }
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[aria-busy]")) {
      form.removeAttribute("aria-busy");
      for (const button of form.querySelectorAll("button[type=submit]")) button.disabled = false;
      const told = form.querySelector("[data-busy-text]");
      if (told) told.textContent = "";
    }
    updateAll();
  });

  // A list that somebody reads or has selected rows in does not jump: it says how many rows are new.
  const rowsOf = (part) => new Set([...part.querySelectorAll("[data-row]")].map((row) => row.dataset.row));

  document.addEventListener("htmx:beforeSwap", (event) => {
    const list = event.target.closest?.("[data-list]");
    if (!list) return;
    const isSelected = list.querySelector("input:checked") !== null;
    const isScrolled = list.getBoundingClientRect().top < 0;
    if ((!isSelected && !isScrolled) || list.dataset.show) return;
    event.detail.shouldSwap = false;
    const page = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html");
    const fresh = page.getElementById(list.id);
    if (!fresh) return;
    const known = rowsOf(list);
    const added = [...rowsOf(fresh)].filter((row) => !known.has(row)).length;
    let button = document.getElementById(`${list.id}-new`);
    if (!button) {
      button = document.createElement("button");
      button.id = `${list.id}-new`;
      button.type = "button";
      button.className = "btn btn-sm list-news";
      button.addEventListener("click", () => {
        button.remove();
        list.dataset.show = "yes";
        htmx.trigger(list, "refresh");
      });
      list.before(button);
    }
    button.textContent = added ? `${added} new, show` : "Changed, show";
  });
})();
