// Forms that change something are sent once, however often their button is pressed. One that was refused, or
// sent after the session was over, comes back as it was filled in. Passwords and files are not kept; the rest
// stays in this tab until the page of the form is shown again.
"use strict";

(() => {
  const KEY = "outrider-form";
  const isSignIn = location.pathname.endsWith("/login");
  const AGAIN_MS = 5000; // an answer that is a file leaves the page as it is
  const isKept = (each) => each.name && !each.disabled && !["hidden", "password", "file", "submit", "button"].includes(each.type);
  const sameAction = (action) => [...document.querySelectorAll("main form[method=post]")].filter((form) => form.getAttribute("action") === action);

  function keep(form) {
    const fields = [...form.elements].filter(isKept).map((each) => ({ name: each.name, value: each.value, checked: each.checked }));
    const action = form.getAttribute("action");
    const kept = { page: location.pathname, action, place: sameAction(action).indexOf(form), fields };
    try {
      if (fields.length) sessionStorage.setItem(KEY, JSON.stringify(kept));
    } catch { /* the storage is full or forbidden */ }
  }

  function fillIn(form, fields) {
    const elements = [...form.elements].filter(isKept);
    for (const { name, value, checked } of fields) {
      const isBox = (each) => each.type === "checkbox" || each.type === "radio";
      const place = elements.findIndex((each) => each.name === name && (!isBox(each) || each.value === value));
      if (place < 0) continue;
      const [element] = elements.splice(place, 1);
      const before = [element.value, element.checked].join();
      if (isBox(element)) element.checked = checked;
      else element.value = value;
      const folded = element.closest("details:not([open])");
      if (folded && before !== [element.value, element.checked].join()) folded.open = true;
    }
  }

  function giveBack() {
    const text = sessionStorage.getItem(KEY);
    if (!text) return;
    const kept = JSON.parse(text);
    if (isSignIn) { // the session was over: the form comes back after the sign-in
      sessionStorage.setItem(KEY, JSON.stringify({ ...kept, wasSignedOut: true }));
      return;
    }
    sessionStorage.removeItem(KEY);
    const isRefused = document.querySelector("main > .alert-danger") !== null;
    if (location.pathname !== kept.page || !(isRefused || kept.wasSignedOut)) return;
    const form = sameAction(kept.action)[kept.place];
    if (form) fillIn(form, kept.fields);
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post") return;
    if ("sent" in form.dataset) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "";
    setTimeout(() => { delete form.dataset.sent; }, AGAIN_MS);
    if (form.closest("main") && !isSignIn) keep(form);
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });
  try { giveBack(); } catch { /* the storage is forbidden */ }
})();
