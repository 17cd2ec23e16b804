// What is tapped at a board is kept in this browser until it is answered, for the account that
// tapped it, and sent again from the page of its round with the key of its form: the site records
// it once. So it outlives a lost connection, a reload, and the end of a session. Without this
// script a browser asks whether to send the form again.
"use strict";
const again = 5000; // milliseconds
const hint = document.querySelector(".offline");
const place = `unsent ${hint.dataset.account}`;
let timer;
let sending = false;
let leaving = false;

// What cannot be read, as after a browser's own failure, is begun anew.
function kept() {
  try {
    const read = JSON.parse(localStorage.getItem(place));
    return typeof read === "object" && read !== null ? read : {};
  } catch {
    return {};
  }
}

function keep(path, values) {
  localStorage.setItem(place, JSON.stringify({ ...kept(), [path]: values })); // undefined: forgets it
}

function boardAt(path) {
  const round = document.querySelector(".boards")?.dataset.round;
  return path.startsWith(round) ? document.getElementById(`board-${path.slice(round.length)}`) : null;
}

// Says at the board, and to who hears the page, what was chosen there and is not sent.
function mark(path) {
  const board = boardAt(path);
  const { act, result } = kept()[path];
  const forms = [...board.querySelectorAll("form")].filter((form) => form.elements.act.value === act);
  const choices = forms.flatMap((form) => [...form.querySelectorAll("button, option")]);
  const chosen = choices.find((each) => each.value === result) ?? choices.find((each) => each.matches("button"));
  const number = board.querySelector(".number").textContent;
  const told = board.querySelector(".waiting") ?? document.createElement("p");
  board.querySelector("[aria-pressed]")?.removeAttribute("aria-pressed");
  if (chosen?.matches("button")) chosen.setAttribute("aria-pressed", "true");
  told.className = "waiting";
  told.textContent = hint.dataset.unsent.replace("{board}", number).replace("{result}", chosen?.textContent ?? result ?? act);
  board.append(told);
  board.classList.add("unsent");
  document.getElementById("unsent").textContent = told.textContent;
}

function notHere() {
  return Object.keys(kept()).filter((path) => !boardAt(path));
}

function tell() {
  const [elsewhere] = notHere();
  const link = hint.querySelector("a");
  const isHere = document.querySelector(".unsent") !== null;
  if (!isHere) document.getElementById("unsent").textContent = "";
  hint.hidden = navigator.onLine && !elsewhere && !isHere;
  link.hidden = hint.querySelector("button").hidden = !elsewhere;
  if (elsewhere) link.href = elsewhere.replace(/\/boards\/[^/]*$/, "");
}

// One after the other: an answer may lead to another page first, to sign in or to sign.
async function send() {
  if (sending) return;
  sending = true;
  for (const [path, values] of Object.entries(kept())) {
    const board = boardAt(path);
    if (!board?.matches(".unsent")) continue;
    await htmx.ajax("POST", path, { target: board, source: board, swap: "outerHTML", values }).catch(() => {});
    if (leaving || path in kept()) break;
  }
  sending = false;
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
  if (event.detail.elt.closest(".board")) keep(path, { ...parameters });
});
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { xhr, elt, requestConfig } = event.detail;
  if (!elt.closest(".board")) return;
  leaving = xhr.getResponseHeader("HX-Redirect") !== null;
  if (xhr.status >= 500 || xhr.status === 429) wait(requestConfig.path);
  else if (xhr.status !== 401) keep(requestConfig.path);
  // Where nothing can be recorded by now, the page says why.
  if (xhr.status === 403 || xhr.status === 404) {
    leaving = true;
    location.reload();
  }
});
document.addEventListener("htmx:sendError", (event) => wait(event.detail.requestConfig.path));
// What the address says was recorded is no longer the last thing once a board was tapped.
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target.closest(".board")) document.getElementById("recorded")?.remove();
  tell();
});
hint.querySelector("button").addEventListener("click", () => {
  for (const path of notHere()) keep(path);
  tell();
});
addEventListener("online", send);
addEventListener("offline", tell);
Object.keys(kept()).filter(boardAt).forEach(mark);
tell();
send();
