// The console without this script works too. It writes times in the reader's zone, copies code, and makes htmx's changes
// of a page audible and usable by keyboard.

const ZONED = { dateStyle: "medium", timeStyle: "short" };
const WITH_SECONDS = { dateStyle: "medium", timeStyle: "medium" };

const zone = document.getElementById("reader-zone");

/* Not in the language of the browser: the pages are English. The title keeps the time in UTC. */
function localize(time) {
  const instant = new Date(time.dateTime);
  if (time.title || Number.isNaN(instant.getTime())) {
    return;
  }
  const seconds = /\d:\d\d:\d/.test(time.textContent);
  showZone();
  time.title = time.textContent.trim();
  time.textContent = new Intl.DateTimeFormat("en-GB", seconds ? WITH_SECONDS : ZONED).format(instant);
}

/* Without the script each time names its zone, UTC. */
function showZone() {
  if (zone?.hidden) {
    zone.querySelector("span").textContent = Intl.DateTimeFormat().resolvedOptions().timeZone;
    zone.hidden = false;
  }
}

function addCopyButton(code) {
  if (!navigator.clipboard || code.parentElement.classList.contains("copied")) {
    return;
  }
  const box = document.createElement("div");
  const button = document.createElement("button");
  box.className = "copied";
  button.type = "button";
  button.className = "secondary small";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
      announce("Copied");
    } catch {
      announce("The browser does not allow copying");
    }
  });
  code.replaceWith(box);
  box.append(code, button);
}

/* What scrolls can be reached by keyboard. */
function reach(box) {
  if (box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1) {
    box.tabIndex = 0;
  }
}

/* Read aloud by a screen reader. The same text twice is two announcements. */
const announcer = document.createElement("p");
announcer.className = "visually-hidden";
announcer.setAttribute("role", "status");
document.body.append(announcer);

function announce(text) {
  announcer.textContent = "";
  setTimeout(() => { announcer.textContent = text; }, 100);
}

/* A sentence in an element with `data-announce`, whose value names it, is read aloud when a changed part has another one. */
const sentences = new Map();

function announceChange(element) {
  const name = element.dataset.announce;
  const text = element.textContent.trim();
  if (sentences.has(name) && sentences.get(name) !== text) {
    announce(text);
    if ("outdates" in element.dataset) {
      removeOutdated(element);
    }
  }
  sentences.set(name, text);
}

/* Removes the notice of the last command, which an element with `data-outdates` has outdated; the element gets its focus. */
function removeOutdated(element) {
  for (const notice of document.querySelectorAll("#main > .notice.done")) {
    if (notice === document.activeElement) {
      element.tabIndex = -1;
      element.focus({ preventScroll: true });
    }
    notice.remove();
  }
}

function enhance(part) {
  const all = selector => [...(part.matches?.(selector) ? [part] : []), ...part.querySelectorAll(selector)];
  all("time[datetime]").forEach(localize);
  all("pre.code").forEach(addCopyButton);
  all("pre, .scroll").forEach(reach);
  all("[data-announce]").forEach(announceChange);
  // What has the focus is read aloud by itself.
  const notices = all(".notice[role=status]:not([autofocus])");
  if (notices.length > 0) {
    announce(notices.map(notice => notice.innerText).join(" "));
  }
}

enhance(document);

document.addEventListener("htmx:load", event => {
  if (event.target !== document.body) {
    enhance(event.target);
  }
});

/* htmx keeps the focus of an element with an id. Another one is found by its place among its kind; if it is gone, the
   changed part gets the focus, so that the keyboard's user does not start at the top again. */
let focused = null;

document.addEventListener("htmx:beforeSwap", event => {
  const target = event.detail.target;
  const element = document.activeElement;
  const kind = element?.localName;
  focused = target?.contains(element) && element !== target
    ? { kind, id: element.id, index: [...target.querySelectorAll(kind)].indexOf(element) }
    : null;
});

document.addEventListener("htmx:afterSettle", event => {
  if (!focused || (document.activeElement && document.activeElement !== document.body)) {
    focused = null;
    return;
  }
  const part = event.detail.target?.isConnected ? event.detail.target : event.target;
  const same = (focused.id && document.getElementById(focused.id)) || part.querySelectorAll(focused.kind)[focused.index];
  if (!same) {
    part.tabIndex = -1;
  }
  (same ?? part).focus({ preventScroll: true });
  focused = null;
});

/* A stream tells of each change once. A part that could not be loaded after it is loaded again, after a random pause. */
const MOST_FAILURES = 10;
const failures = new WeakMap();

function loadAgain(part) {
  const count = (failures.get(part) ?? 0) + 1;
  if (part.getAttribute("hx-trigger")?.includes("sse:changed") && count <= MOST_FAILURES) {
    failures.set(part, count);
    setTimeout(() => htmx.trigger(part, "sse:changed"), 3000 + Math.random() * 3000);
  }
}

document.addEventListener("htmx:afterOnLoad", event => {
  if (event.detail.successful) {
    failures.delete(event.detail.elt);
  }
});

/* After the end of a session the whole page is loaded, and with it the way to log in. */
document.addEventListener("htmx:responseError", event => {
  if ([401, 403].includes(event.detail.xhr.status)) {
    location.reload();
  } else {
    announce("This part of the page could not be updated. Reload the page.");
    loadAgain(event.detail.elt);
  }
});

document.addEventListener("htmx:sendError", event => {
  announce("The service does not answer. Try again.");
  loadAgain(event.detail.elt);
});

/* A live search changes the address of the page, to which this form leads back. */
document.addEventListener("submit", event => {
  const page = event.target.querySelector("input[data-here]");
  if (page) {
    const context = new URL(event.target.action).pathname.replace(/\/console\/role$/, "");
    page.value = (location.pathname + location.search).slice(context.length);
  }
});

/* A second click on a button does not send the form again. */
document.addEventListener("submit", event => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") {
    return;
  }
  if (form.ariaBusy === "true") {
    event.preventDefault();
  }
  form.ariaBusy = "true";
});

/* A form that states a time zone begins with the reader's own; it stays in a visible field. */
for (const input of document.querySelectorAll("input[data-reader-zone]")) {
  input.value = Intl.DateTimeFormat().resolvedOptions().timeZone || input.value;
}

/* A form whose login has ended is not carried out. This tab keeps what its person has entered, and fills it in when the
   same person opens the page again. It forgets it at a logout. */
const KEPT = "registrar-form";
const LOGOUT = "registrar-logout";
const person = document.body.dataset.person;

function inputs(form) {
  const typed = "input:not([type=hidden], [type=file], [type=checkbox], [type=radio]), textarea, select";
  return [...form.querySelectorAll(typed)];
}

/* A browser may be set to keep nothing. Then nothing is filled in; the page of the lost form shows its input. */
function ofBrowser(use) {
  try {
    return use();
  } catch {
    return null;
  }
}

function keep(form) {
  const fields = inputs(form).map(({ name, value }) => ({ name, value }));
  store({ person, fields, pages: [location.pathname], action: form.getAttribute("action"), at: Date.now() });
}

function store(kept) {
  ofBrowser(() => sessionStorage.setItem(KEPT, JSON.stringify(kept)));
}

function forget() {
  ofBrowser(() => sessionStorage.removeItem(KEPT));
}

document.addEventListener("submit", event => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || form.querySelector("[type=password]")) {
    return;
  }
  if (form.getAttribute("action")?.endsWith("/console/logout")) {
    forget();
    ofBrowser(() => localStorage.setItem(LOGOUT, Date.now()));
  } else {
    keep(form);
  }
});

/* A logout in another tab. */
addEventListener("storage", event => {
  if (event.key === LOGOUT) {
    forget();
  }
});

/* A page may have several forms with the same address. */
function formOf({ action, fields }) {
  return [...document.forms].find(form => form.getAttribute("action") === action
    && fields.every(field => inputs(form).some(input => input.name === field.name)));
}

function fillIn(form, { fields, why }) {
  const left = [...fields];
  for (const input of inputs(form)) {
    const at = left.findIndex(entered => entered.name === input.name);
    if (at >= 0) {
      input.value = left.splice(at, 1)[0].value;
    }
  }
  const notice = document.createElement("p");
  notice.className = "notice refused";
  notice.role = "alert";
  notice.textContent = `${why} Look at your input, and send it again.`;
  form.before(notice);
  form.querySelector("input:not([type=hidden]), textarea, select, button").focus();
}

function fillInKept(kept) {
  const lost = document.querySelector("[data-lost-form]");
  const isForgotten = Number(ofBrowser(() => localStorage.getItem(LOGOUT))) > kept.at
    || (person && person !== kept.person);
  if (lost && !isForgotten) {
    const { lostForm: why, lostPage } = lost.dataset;
    lost.hidden = false;
    store({ ...kept, why, pages: [...kept.pages, new URL(lostPage, location.href).pathname] });
  } else if (isForgotten || (person && !kept.why)) {
    forget();
  } else if (person && kept.pages.includes(location.pathname)) {
    const form = formOf(kept);
    if (form) {
      fillIn(form, kept);
      forget();
    }
  }
}

const kept = ofBrowser(() => JSON.parse(sessionStorage.getItem(KEPT)));
if (kept) {
  fillInKept(kept);
}

/* A live page that the browser has kept has missed the changes since it was left. What was typed into it stays. */
addEventListener("pageshow", event => {
  if (!event.persisted) {
    return;
  }
  document.querySelectorAll("form[aria-busy]").forEach(form => { form.ariaBusy = null; });
  // The text of a live search is in the address.
  const fields = [...document.querySelectorAll("form:not([hx-get]) :is(input, textarea, select)")];
  const isTouched = field => field.localName === "select"
    ? field.selectedIndex !== Math.max(0, [...field.options].findIndex(option => option.defaultSelected))
    : field.value !== field.defaultValue;
  if (document.querySelector("[sse-connect]") && !fields.some(isTouched)) {
    // A page may say more at another address, such as what has changed since it was left.
    const address = document.querySelector("[data-reload-at]")?.dataset.reloadAt;
    if (address) {
      location.replace(address);
    } else {
      location.reload();
    }
  }
});

/* Says that a file is too large before it is sent. */
for (const input of document.querySelectorAll("input[data-max-bytes]")) {
  input.addEventListener("change", () => {
    const tooLarge = [...input.files].some(file => file.size > Number(input.dataset.maxBytes));
    input.setCustomValidity(tooLarge ? input.dataset.tooLarge : "");
    input.reportValidity();
  });
}
