// What is tapped at a board is kept in this browser until it is answered, for the account that
// tapped it, and sent again from the page of its round with the key of its form: the site records
// it once. So it outlives a lost connection, a reload, and the end of a session. After another
// sign-in it is sent only if its account says so: anybody may have held the phone before. What the
// site refuses is said at the board. Without this script a browser asks whether to send the form again.
// The boards are kept, too: without a network they are shown as they were seen last (desk_worker.js).
"use strict";
const again = 5000; // milliseconds
const hint = document.querySelector(".offline");
const question = document.getElementById("earlier");
const place = `unsent ${hint.dataset.account}`;
const tapPath = /^\/desk\/([^?#]+)\/rounds\/([0-9]+)\/boards\/([^/?#]+)$/;
const isKept = hint.dataset.seen !== undefined;
const seen = hint.dataset.seen ?? new Date().toUTCString();
let timer;
let sending = false;
let leaving = false;
let earlierTaps = []; // those that the question shows

// Whether an entry is as this script keeps it: a board of this site, and texts of this account.
function isTap([path, values]) {
  return tapPath.test(path)
    && new URL(path, location.origin).pathname === path
    && Object.values(values ?? {}).every((each) => typeof each === "string")
    && values?.by === hint.dataset.account
    && Date.parse(values.made) > 0;
}

// What cannot be read, as after a browser's own failure, and what is no tap is left out.
function kept() {
  try {
    return Object.fromEntries(Object.entries(JSON.parse(localStorage.getItem(place))).filter(isTap));
  } catch {
    return {};
  }
}

function warning(text) {
  const told = document.createElement("p");
  told.className = "problem";
  told.setAttribute("role", "alert");
  told.textContent = text;
  return told;
}

// Throws away what is no tap of this account's, and says so.
function clean() {
  const [before, after] = [localStorage.getItem(place), JSON.stringify(kept())];
  if (before === null || before === after) return;
  localStorage.setItem(place, after);
  hint.after(warning(hint.dataset.damaged));
}

function keep(path, values) {
  localStorage.setItem(place, JSON.stringify({ ...kept(), [path]: values })); // undefined: forgets it
}

function boardAt(path) {
  const round = document.querySelector(".boards")?.dataset.round;
  return path.startsWith(round) ? document.getElementById(`board-${path.slice(round.length)}`) : null;
}

// The button or option of a board that was chosen.
function choice(board, { act, result }) {
  const forms = [...board?.querySelectorAll("form") ?? []].filter((form) => form.elements.act.value === act);
  const choices = forms.flatMap((form) => [...form.querySelectorAll("button, option")]);
  return choices.find((each) => each.value === result) ?? choices.find((each) => each.matches("button"));
}

function say(sentence, path, values) {
  const [, tournament, round, board] = tapPath.exec(path);
  const written = values.result?.replaceAll("1/2", "½").replace(/([01½])-/, "$1–");
  const result = choice(boardAt(path), values)?.textContent ?? written ?? values.act;
  const format = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const time = new Date(values.made).toLocaleString(document.documentElement.lang, format);
  const words = { tournament, round, board, result, time };
  return sentence.replace(/\{(\w+)\}/g, (_, name) => words[name]);
}

// Says at the board, and to who hears the page, what was chosen there and is not sent.
function mark(path) {
  const board = boardAt(path);
  const values = kept()[path];
  const chosen = choice(board, values);
  const told = board.querySelector(".waiting") ?? document.createElement("p");
  board.querySelector("[aria-pressed]")?.removeAttribute("aria-pressed");
  if (chosen?.matches("button")) chosen.setAttribute("aria-pressed", "true");
  told.className = "waiting";
  told.textContent = say(hint.dataset.unsent, path, values);
  board.querySelector(".problem")?.remove();
  board.append(told);
  board.classList.add("unsent");
  document.getElementById("unsent").textContent = told.textContent;
}

// Says at the board what was chosen there and is refused, and why, as the page that refuses it says.
function refuse(path, values, page) {
  const board = boardAt(path);
  if (!board || !values) return;
  const why = new DOMParser().parseFromString(page, "text/html").querySelector("h1")?.textContent;
  board.querySelectorAll(".waiting, .problem").forEach((each) => each.remove());
  board.querySelector("[aria-pressed]")?.removeAttribute("aria-pressed");
  board.classList.remove("unsent");
  board.append(warning([say(hint.dataset.refused, path, values), why].filter(Boolean).join(": ")));
  tell();
}

// Only the board that was tapped last is new, as where the page is loaded again.
function settle(id) {
  for (const board of document.querySelectorAll(`.board.new:not([id="${id}"])`)) {
    board.classList.remove("new");
    board.querySelector(".undo")?.remove();
  }
}

function isEarlier([, values]) {
  return values.session !== hint.dataset.session;
}

function notHere() {
  return Object.entries(kept()).filter((tap) => !isEarlier(tap)).map(([path]) => path).filter((path) => !boardAt(path));
}

function roundOf(path) {
  return path.replace(/\/boards\/[^/]*$/, "");
}

// Asks about the taps of one round that were made before the sign-in: the round of the page, or another.
function askAboutEarlierTaps() {
  const taps = Object.entries(kept()).filter(isEarlier);
  const [first] = taps.find(([path]) => boardAt(path)) ?? taps[0] ?? [];
  earlierTaps = taps.filter(([path]) => roundOf(path) === roundOf(first));
  const { length } = earlierTaps;
  question.hidden = !length;
  for (const part of question.querySelectorAll("[data-one]")) {
    const text = length === 1 ? part.dataset.one : part.dataset.two.replace("2", length);
    if (part.textContent !== text) part.textContent = text; // said again only where it is new
  }
  question.querySelector("ul").replaceChildren(...earlierTaps.map((tap) => {
    const item = document.createElement("li");
    item.textContent = say(question.dataset.tap, ...tap);
    return item;
  }));
}

function tell() {
  askAboutEarlierTaps();
  const [elsewhere] = notHere();
  const link = hint.querySelector("a");
  const isHere = document.querySelector(".unsent") !== null;
  if (!isHere) document.getElementById("unsent").textContent = "";
  hint.hidden = navigator.onLine && !elsewhere && !isHere && !isKept;
  link.hidden = hint.querySelector("button").hidden = !elsewhere;
  if (elsewhere) link.href = roundOf(elsewhere);
}

// One after the other: an answer may lead to another page first, to sign in or to sign.
async function send() {
  if (sending || isKept) return;
  sending = true;
  for (const [path, { session, made, ...values }] of Object.entries(kept())) {
    const board = boardAt(path);
    if (!board?.matches(".unsent")) continue;
    await htmx.ajax("POST", path, { target: board, source: board, swap: "outerHTML", values }).catch(() => {});
    if (leaving || path in kept()) break;
  }
  sending = false;
}

// Has the boards of a round kept as they are (desk_worker.js), without what is not sent.
async function keepBoards() {
  const round = document.querySelector(".boards")?.dataset.round;
  if (!round || isKept || !navigator.serviceWorker) return;
  const { active } = await navigator.serviceWorker.ready; // never, where it could not be registered
  const page = document.documentElement.cloneNode(true);
  page.querySelectorAll(".waiting, .board .problem, #recorded").forEach((each) => each.remove());
  page.querySelectorAll(".unsent").forEach((each) => each.classList.remove("unsent"));
  page.querySelectorAll("[aria-pressed]").forEach((each) => each.removeAttribute("aria-pressed"));
  page.querySelector("#earlier").hidden = true;
  page.querySelector("#earlier ul").replaceChildren();
  page.querySelector(".offline").dataset.seen = seen;
  const [, path, home] = /^((.*)\/rounds\/[0-9]+)\/boards\/$/.exec(round);
  active.postMessage({ name: `boards ${hint.dataset.account} ${home}`, path, text: `<!DOCTYPE html>${page.outerHTML}`, seen });
}

// Boards that were kept are loaded anew as soon as the site answers, unless something is being typed.
async function look() {
  const signal = AbortSignal.timeout(again - 1000);
  const answer = await fetch("/offline", { method: "HEAD", cache: "no-store", signal }).catch(() => null);
  if (answer?.ok && !document.activeElement.matches("input, select")) location.reload();
}

function wait(path) {
  if (!boardAt(path)) return;
  mark(path);
  tell();
  clearTimeout(timer);
  timer = setTimeout(send, again);
}

document.addEventListener("htmx:beforeRequest", (event) => {
  const { path, parameters } = event.detail.requestConfig;
  if (!event.detail.elt.closest(".board")) return;
  const isNew = !event.detail.elt.matches(".board"); // what is sent again is kept as it was made
  if (isNew) keep(path, { ...parameters, session: hint.dataset.session, made: new Date().toISOString() });
  if (!isKept) return;
  event.preventDefault();
  wait(path);
});
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { xhr, elt, requestConfig } = event.detail;
  if (!elt.closest(".board")) return;
  const values = kept()[requestConfig.path];
  leaving = xhr.getResponseHeader("HX-Redirect") !== null;
  if (xhr.status >= 500 || xhr.status === 429) wait(requestConfig.path);
  else if (xhr.status !== 401) keep(requestConfig.path);
  // The answer is no board, but a page that says why nothing is recorded.
  if (xhr.status === 403 || xhr.status === 404) refuse(requestConfig.path, values, xhr.responseText);
});
document.addEventListener("htmx:sendError", (event) => wait(event.detail.requestConfig.path));
// What the address says was recorded is no longer the last thing once a board was tapped.
document.addEventListener("htmx:afterSettle", (event) => {
  const board = event.detail.target.closest(".board");
  if (board) document.getElementById("recorded")?.remove();
  if (board && document.getElementById(board.id)?.matches(".new")) settle(board.id);
  if (board) keepBoards();
  tell();
});
hint.querySelector("button").addEventListener("click", () => {
  for (const path of notHere()) keep(path);
  tell();
});
question.querySelector(".record").addEventListener("click", () => {
  const taps = earlierTaps;
  for (const [path, values] of taps) keep(path, { ...values, session: hint.dataset.session });
  for (const [path] of taps) wait(path);
  if (taps.some(([path]) => boardAt(path))) send();
  else location.assign(roundOf(taps[0][0])); // the boards are there, and send it
});
question.querySelector(".discard").addEventListener("click", () => {
  for (const [path] of earlierTaps) keep(path);
  tell();
});
// Enter in a search looks, also for what was found while it was typed; in other fields of its form it
// presses the form's own button.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing || !event.target.matches("input[type=search]")) return;
  const button = event.target.closest("[role=search]")?.querySelector("button[name=look]");
  if (!button) return;
  event.preventDefault();
  button.click();
});
// A pairing system brings the tie-breaks that are proposed for it, where none were chosen by hand.
document.getElementById("pairing")?.addEventListener("change", ({ target }) => {
  const places = [...target.form.elements.tie_break];
  const chosen = places.map((each) => each.value).filter(Boolean).join(" ");
  if (chosen && ![...target.options].some((each) => each.dataset.tieBreaks === chosen)) return;
  const codes = target.selectedOptions[0].dataset.tieBreaks?.split(" ") ?? [];
  places.forEach((each, at) => { each.value = codes[at] ?? ""; });
});
addEventListener("online", isKept ? look : send);
addEventListener("offline", tell);
// Only over HTTPS, or on this machine: what is said while there is no network (desk_worker.js).
navigator.serviceWorker?.register(hint.dataset.worker, { scope: "/desk" }).catch(() => {});
clean();
for (const [path] of Object.entries(kept()).filter((tap) => !isEarlier(tap))) if (boardAt(path)) mark(path);
if (isKept) {
  const time = new Date(seen).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  hint.firstChild.data = hint.dataset.away.replace("{time}", time);
  setInterval(look, again);
}
tell();
send();
keepBoards();
